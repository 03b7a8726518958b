// The server is killed between a payment, or a request for redelivery, and the start of the merchant's code. The code waits
// behind fifty runs of its own merchant, so it has not started; after the start of the next server it runs, once.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { FULFILLMENT_TURNS } from '../../../../http/workers/fulfillment/fulfillment-limits.ts'
import { type BillRow, Customer, openBillerSystem, openBillServer, openPaidFor, type PaidFor } from '../../../support/bill-callers.ts'
import { GOOD_PRODUCTS } from '../../../support/biller-engine.ts'
import { Patience } from '../../../support/patience.ts'
import { eventually } from '../../../support/raw-client.ts'
import type { Receiver } from '../../../support/receiver.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'

const AMOUNT = 500
const PATIENCE_MS = 30_000

interface Setup {
  readonly system: Receiver
  readonly shop: PaidFor
  readonly customer: Customer
  readonly server: TestServer
  /** Another server on the same folder. */
  open(): Promise<TestServer>
}

async function openSetup(test: TestContext): Promise<Setup> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-bills-'))
  const system = await openBillerSystem()
  const servers: TestServer[] = []
  test.after(async () => {
    for (const server of servers) await server.close()
    await system.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const open = async (): Promise<TestServer> => {
    const server = await openBillServer({ dataDir })
    servers.push(server)
    return server
  }
  const server = await open()
  const shop = await openPaidFor(server, system)
  return { system, shop, customer: await Customer.open(server, shop), server, open }
}

/** The code of `jeton` from now on: it calls the merchant's system at this path and fails when the answer is no 2xx. */
async function callWith({ system, shop }: Setup, path: string): Promise<void> {
  const fulfillment_code = `async function onPaid(ctx) {
    const { ok } = await fetch('https://localhost:${system.port}${path}', { method: 'POST', body: ctx.transaction_id })
    if (!ok) throw new Error('refusé')
  }`
  const product = { ...GOOD_PRODUCTS.user, fulfillment_mode: 'code', fulfillment_code }
  const put = await shop.merchant.test.request('PUT', '/v1/biz/biller/products/jeton', { json: product })
  assert.equal(put.status, 200, put.text)
}

async function pay({ customer }: Setup): Promise<string> {
  const { status, body, text } = await customer.pay('jeton', { amount: AMOUNT })
  assert.equal(status, 200, text)
  return String(body.transaction_id)
}

function redeliver({ shop }: Setup, id: string) {
  return shop.merchant.test.post(`/v1/biz/bill-payments/${id}/redeliver`, {}, newKey())
}

function callsAt({ system }: Setup, path: string): string[] {
  return system.received.filter((received) => received.path === path).map(({ body }) => body)
}

/** The fulfillment of a payment once its code is over. */
async function ended({ test }: Merchant, id: string): Promise<BillRow['fulfillment']> {
  for (const patience = new Patience(PATIENCE_MS); ; ) {
    const { body } = await test.get<BillRow>(`/v1/biz/bill-payments/${id}`)
    if (body.fulfillment.state !== 'pending') return body.fulfillment
    assert.ok(!patience.isOver, 'the fulfillment is over')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Payments whose code has failed, so that each can be redelivered. */
async function failedPayments(setup: Setup, count: number): Promise<string[]> {
  await callWith(setup, '/refused')
  const ids: string[] = []
  while (ids.length < count) ids.push(await pay(setup))
  for (const id of ids) assert.equal((await ended(setup.shop.merchant, id)).state, 'failed')
  return ids
}

it('killed between a payment or a redelivery and the start of its code: the code runs after the next start, once', async (test) => {
  const setup = await openSetup(test)
  const { system, shop, customer } = setup
  system.answering = ({ path }, response) => {
    // Never answered: these runs hold every turn of the merchant.
    if (path === '/held') return
    response.writeHead(path === '/refused' ? 500 : 200).end()
  }
  const [again = '', ...held] = await failedPayments(setup, FULFILLMENT_TURNS.perAccountMax + 1)
  await callWith(setup, '/held')
  for (const { status } of await Promise.all(held.map((id) => redeliver(setup, id)))) assert.equal(status, 202)
  await eventually(() => callsAt(setup, '/held').length === held.length, 'every turn of the merchant is taken')
  await callWith(setup, '/late')
  const [paid, redelivered] = [await pay(setup), await redeliver(setup, again)]
  assert.equal(redelivered.status, 202)
  await setup.server.process.kill()
  assert.deepEqual(callsAt(setup, '/late'), [], 'neither had started')

  const next = await setup.open()
  const merchant = { ...shop.merchant, test: await next.keyed(shop.merchant.id, 'test', []) }
  for (const id of [paid, again]) {
    const { state, error } = await ended(merchant, id)
    assert.deepEqual([state, error], ['succeeded', null])
  }
  assert.deepEqual(callsAt(setup, '/late').sort(), [paid, again].sort(), 'each ran once')
  assert.equal(await customer.at(next).balance(), 100_000 - AMOUNT * (held.length + 2))
})
