// Killed by kill -9 in the middle of batches and of schedules' runs: a batch is there whole or not at all, a retry under its
// key finds it or makes it, and each run happens once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BatchReport } from '../../engine/contract/batch.ts'
import type { Schedule, ScheduleRun } from '../../engine/contract/schedule.ts'
import type { Client } from '../support/client.ts'
import { lookAgain, untilClock } from '../support/look-again.ts'
import { Prng } from '../support/prng.ts'
import { type Merchant, newKey, TestServer } from '../support/server-fixture.ts'

const FUNDS = 1_000_000_000
const ROUNDS = 3
const BATCHES = 16
const AT_ONCE = 6
const SCHEDULES = 24
const LINES = 100
/** Lines of a batch whose recipient does not exist. */
const MISSED = 2

let first: TestServer
let server: TestServer
let merchant: Merchant
let client: Client
let tag: string
/** Out of the merchant's balance by now. */
let spent = 0

before(async () => {
  first = await TestServer.open()
  server = first
  merchant = await server.fundedMerchant(FUNDS)
  client = merchant.test
  tag = await server.wallet(merchant)
})

after(async () => {
  await server.process.kill()
  server.anybody.close()
  await first.close()
})

async function crash(): Promise<void> {
  await server.process.kill()
  server.anybody.close()
  server = await TestServer.open({ dataDir: first.process.dataDir })
  client = await server.keyed(merchant.id, 'test', ['disbursements.write'])
}

const available = async (): Promise<number> => (await client.get<{ available: number }>('/v1/biz/balance')).body.available

async function checkBooks(): Promise<void> {
  assert.equal(await available(), FUNDS - spent)
  assert.equal((await server.operator.get('/v1/operator/ledger/trial-balance?environment=test')).body.balanced, true)
}

interface Sent {
  readonly body: object
  readonly key: { readonly 'idempotency-key': string }
  /** What was answered before the kill. */
  told: string | null
}

async function send({ body, key }: Sent): Promise<string> {
  const answer = await client.post('/v1/biz/payouts/batch', body, key)
  assert.equal(answer.status, 201, answer.text)
  return answer.text
}

/** Sends them, some at a time, until so many answers have come and the server is killed. */
async function sendUntilKilled(batches: readonly Sent[], answers: number): Promise<void> {
  const waiting = batches.values()
  let told = 0
  let killed: Promise<void> | null = null
  const sendOn = async (): Promise<void> => {
    for (const batch of waiting) {
      if (killed !== null) return
      const text = await send(batch).catch((error: unknown) => {
        // Cut off by the kill; anything else is what this test is for.
        if (killed === null || error instanceof assert.AssertionError) throw error
        return null
      })
      batch.told = text
      told += text === null ? 0 : 1
      if (told === answers) killed ??= server.process.kill()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn))
  await killed
}

const prng = new Prng(4)

for (let round = 1; round <= ROUNDS; round++) {
  test(`batches, round ${round}: each is paid once, with all its lines`, async () => {
    const batches = Array.from({ length: BATCHES }, (_, index): Sent => {
      const items = Array.from({ length: LINES }, (__, line) => ({
        recipient: line % 50 === 7 ? 'nobody_at_all' : tag,
        amount: 1 + (line % 9),
      }))
      return { body: { items, reference: `R${round}-${index}` }, key: newKey(), told: null }
    })
    await sendUntilKilled(batches, 1 + prng.below(BATCHES / 2))
    await crash()
    const seen = new Set<string>()
    for (const batch of batches) {
      const text = await send(batch)
      if (batch.told !== null) assert.equal(text, batch.told, 'answered the same, byte for byte')
      const report = JSON.parse(text) as BatchReport
      const paid = report.items.filter(({ state }) => state === 'paid')
      assert.deepEqual([report.total_count, report.paid_count, paid.length], [LINES, LINES - MISSED, LINES - MISSED])
      for (const { transaction_id } of paid) seen.add(transaction_id ?? '')
      spent += report.paid_amount
      const { data } = (await client.get<{ data: object[] }>(`/v1/biz/payouts?batch_id=${report.id}&state=failed&limit=100`)).body
      assert.equal(data.length, MISSED)
    }
    assert.equal(seen.size, BATCHES * (LINES - MISSED), 'no transaction stands for two lines')
    await checkBooks()
  })
}

test('runs of schedules that are due together: each happens once, through kills while they run', async () => {
  const items = Array.from({ length: LINES }, () => ({ recipient: tag, amount: 1 }))
  const start_at = new Date(Date.now() + 4000).toISOString()
  const ids: string[] = []
  for (let count = 0; count < SCHEDULES; count++) {
    const answer = await client.post<Schedule>('/v1/biz/payout-schedules', { recurrence: 'once', start_at, items }, newKey())
    if (answer.status !== 201) break // The machine is so slow that the time has come already.
    ids.push(answer.body.id)
  }
  assert.ok(ids.length > 0)
  const beforeRuns = FUNDS - spent
  // From there on without a pause: the first kill is to meet the runs as they begin.
  await untilClock(Date.parse(start_at))
  while ((await available()) === beforeRuns) await new Promise(setImmediate)
  for (let kill = 0; kill < 2; kill++) await crash()
  for (const id of ids) {
    const path = `/v1/biz/payout-schedules/${id}`
    while ((await client.get<Schedule>(path)).body.state === 'active') await lookAgain()
    const { data } = (await client.get<{ data: ScheduleRun[] }>(`${path}/runs`)).body
    assert.deepEqual(
      data.map(({ state, paid_count }) => [state, paid_count]),
      [['completed', LINES]],
    )
    spent += LINES
  }
  await checkBooks()
})
