// A reader follows the stream of a merchant that pays, while the server is killed by kill -9 and started again. The reader resumes by
// the id of its last frame and sees each payout once, in the order of the list.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Payout } from '../../../engine/contract/payout.ts'
import { type MerchantFrame, Reading } from '../../support/merchant-stream-reader.ts'
import { newKey, TestServer } from '../../support/server-fixture.ts'
import { type ServerProcess, startServer } from '../../support/server-process.ts'
import { ok } from '../../support/wallet-callers.ts'
import { Wire } from './wire.ts'

const ROUNDS = 2
const SENDERS = 8
/** Frames of a round before the kill. */
const FRAMES = 120
const LAST = 'LAST'

let first: TestServer
let server: ServerProcess
let headers: Record<string, string>
let tag: string
let isKilled = false
/** Payouts whose answer arrived. */
const acknowledged = new Set<string>()

before(async () => {
  first = await TestServer.open()
  server = first.process
  const merchant = await first.fundedMerchant(1_000_000)
  tag = await first.wallet(merchant)
  const form = { environment: 'test', scopes: ['disbursements.write'] }
  const path = `/v1/operator/merchants/${merchant.id}/api-keys`
  const { body } = await ok(first.operator.post<{ public_key: string; secret_key: string }>(path, form))
  headers = { 'x-api-key': body.public_key, 'x-api-secret': body.secret_key }
})

after(async () => {
  await server.kill()
  await first.close()
})

const open = (last: MerchantFrame | undefined): Promise<Reading> =>
  Reading.open(server.baseUrl, { ...headers, ...(last === undefined ? {} : { 'last-event-id': String(last.id) }) })

async function pay(wire: Wire, reference: string): Promise<void> {
  const body = JSON.stringify({ recipient: tag, amount: 1, reference })
  const { status, text } = await wire.send('POST', '/v1/biz/payouts', { ...headers, ...newKey() }, body)
  assert.equal(status, 201, text)
  acknowledged.add((JSON.parse(text) as Payout).id)
}

/** Pays until the server is gone. */
async function payOn(wire: Wire): Promise<void> {
  for (;;) {
    try {
      await pay(wire, 'MANY')
    } catch (error) {
      if (isKilled) return
      throw error
    }
  }
}

/** Returns the frames until the kill, which comes in the middle of the payouts. */
async function round(last: MerchantFrame | undefined): Promise<readonly MerchantFrame[]> {
  const reading = await open(last)
  const wire = new Wire(server.baseUrl)
  isKilled = false
  const senders = Array.from({ length: SENDERS }, () => payOn(wire))
  await reading.until(FRAMES)
  isKilled = true
  await server.kill()
  // The kill ends the stream, or breaks it.
  await Promise.allSettled([reading.ended()])
  await Promise.all(senders)
  wire.close()
  server = await startServer({ dataDir: first.process.dataDir })
  return reading.frames
}

/** Returns the ids of all payouts, oldest first. */
async function listedIds(wire: Wire): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { text } = await wire.send('GET', `/v1/biz/payouts?${query}`, headers)
    const page = JSON.parse(text) as { readonly data: readonly Payout[]; readonly next_cursor: string | null }
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  }
  return ids.reverse()
}

test(`a stream that is resumed after kill -9 misses no payout and repeats none: ${ROUNDS} times`, async () => {
  const seen: MerchantFrame[] = []
  for (let count = 0; count < ROUNDS; count++) seen.push(...(await round(seen.at(-1))))
  const wire = new Wire(server.baseUrl)
  const reading = await open(seen.at(-1))
  await pay(wire, LAST)
  for (let count = 1; reading.frames.at(-1)?.data.data.reference !== LAST; count++) await reading.until(count)
  seen.push(...reading.frames)
  await reading.close()
  const ids = seen.map(({ data }) => String(data.data.id))
  assert.deepEqual(ids, await listedIds(wire))
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.length > ROUNDS * FRAMES)
  for (const id of acknowledged) assert.ok(ids.includes(id), `the payout ${id} was acknowledged`)
  wire.close()
})
