// The server ends while a merchant's code runs, and starts again on the same folder: the money is where it was said to be, code
// that has called does not run again, and bill.paid is sent once.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { billRows, Customer, fulfilledRow, openBillerSystem, openBillServer, openPaidFor } from '../../../support/bill-callers.ts'
import { DUE } from '../../../support/bill-engine.ts'
import { GOOD_PRODUCTS } from '../../../support/biller-engine.ts'
import type { Answer } from '../../../support/client.ts'
import { eventually } from '../../../support/raw-client.ts'
import type { Receiver } from '../../../support/receiver.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'

/** Calls of the merchant's system at this path. */
function callsAt(system: Receiver, path: string): string[] {
  return system.received.filter((received) => received.path === path).map(({ body }) => body)
}

/** The code does nothing outside for a second. */
const AFTERWARDS = 'await new Promise((resolve) => setTimeout(resolve, 1000))'

/** Holds the calls of the code. The function that it returns answers them, and later ones at once. */
function holdCalls(system: Receiver): () => void {
  const held: ServerResponse[] = []
  let areHeld = true
  const { answering } = system
  system.answering = (received, response, index) => {
    if (received.path !== '/paid') return answering(received, response, index)
    if (areHeld) held.push(response)
    else response.end()
  }
  return () => {
    areHeld = false
    for (const response of held) response.end()
  }
}

interface Running {
  readonly system: Receiver
  readonly customer: Customer
  readonly merchant: Merchant
  readonly quoteId: unknown
  readonly key: ReturnType<typeof newKey>
  readonly paid: Answer
  readonly server: TestServer
  /** Another server on the same folder. */
  open(): Promise<TestServer>
}

/**
 * A bill is paid, and the merchant's code runs and does not end: it waits for an answer that never comes. `first` is what it does before;
 * `waits`: for its call.
 */
async function whileCodeRuns(test: TestContext, { first = '', waits = true } = {}): Promise<Running> {
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
  system.answering = ({ path }, response) => {
    if (path === '/lookup') response.end(JSON.stringify({ ok: true, ...DUE }))
    else if (path === '/hooks') response.end()
  }
  const server = await open()
  const shop = await openPaidFor(server, system)
  const { merchant } = shop
  const at = `https://localhost:${system.port}`
  const code = `async function onPaid(ctx) { ${first}; await fetch('${at}/paid', { method: 'POST', body: ctx.charge_id }) }`
  const product = { ...GOOD_PRODUCTS.lookup, lookup_url: `${at}/lookup`, fulfillment_mode: 'code', fulfillment_code: code }
  assert.equal((await merchant.test.request('PUT', '/v1/biz/biller/products/facture', { json: product })).status, 200)
  assert.equal((await merchant.test.post('/v1/biz/webhook-endpoints', { url: `${at}/hooks`, events: ['bill.paid'] })).status, 201)
  const customer = await Customer.open(server, shop)
  const quoteId = (await customer.quote()).body.id
  const key = newKey()
  const paid = await customer.pay('facture', { quote_id: quoteId }, key)
  assert.equal(paid.status, 200, paid.text)
  if (waits) await eventually(() => callsAt(system, '/paid').length === 1, 'the code runs')
  assert.equal((await billRows(merchant))[0]?.fulfillment.state, 'pending')
  assert.deepEqual(callsAt(system, '/hooks'), [], 'bill.paid follows')
  return { system, customer, merchant, quoteId, key, paid, server, open }
}

it('killed while the code runs: the money is where it was said to be, the code has failed, bill.paid is sent once', async (test) => {
  const { system, customer, merchant, quoteId, key, paid, server, open } = await whileCodeRuns(test)
  await server.process.kill()

  const after = await open()
  const shop = { ...merchant, test: await after.keyed(merchant.id, 'test', []) }
  const row = await fulfilledRow(shop, paid.body.charge_id)
  assert.equal(row.fulfillment.state, 'failed')
  assert.match(String(row.fulfillment.error), /stopped while the code was running/)
  await eventually(() => callsAt(system, '/hooks').length === 1, 'bill.paid arrives')
  const again = customer.at(after)
  assert.equal((await again.pay('facture', { quote_id: quoteId }, key)).text, paid.text, 'the key has its answer')
  assert.equal((await again.pay('facture', { quote_id: quoteId })).body.code, 'quote_used')
  assert.equal(await again.balance(), 100_000 - DUE.amount)
  assert.equal((await shop.test.get<{ available: number }>('/v1/biz/balance')).body.available, DUE.amount)
  await after.process.terminate()

  const last = await open()
  const { body } = await last.operator.get('/v1/operator/ledger/trial-balance?environment=test')
  assert.equal(body.balanced, true)
  assert.equal(callsAt(system, '/paid').length, 1, 'the code ran once')
  assert.equal(callsAt(system, '/hooks').length, 1, 'bill.paid was sent once')
})

it('stopped in order while the code runs and is never answered: the stop does not wait for ever, and the rest is as after a kill', async (test) => {
  const { system, merchant, paid, server, open } = await whileCodeRuns(test)
  assert.equal(await server.process.terminate(), 0)
  const after = await open()
  const row = await fulfilledRow({ ...merchant, test: await after.keyed(merchant.id, 'test', []) }, paid.body.charge_id)
  assert.equal(row.fulfillment.state, 'failed')
  await eventually(() => callsAt(system, '/hooks').length === 1, 'bill.paid arrives')
  assert.equal(callsAt(system, '/paid').length, 1, 'the code ran once')
})

it('stopped in order while the code waits for an answer that comes: the code ends well, and nothing is called twice', async (test) => {
  const { system, merchant, paid, server, open } = await whileCodeRuns(test, { first: AFTERWARDS, waits: false })
  const answered = holdCalls(system)
  await eventually(() => callsAt(system, '/paid').length === 1, 'the code runs')
  const ended = server.process.terminate()
  await server.process.line('stopping')
  answered()
  assert.equal(await ended, 0)
  const after = await open()
  const row = await fulfilledRow({ ...merchant, test: await after.keyed(merchant.id, 'test', []) }, paid.body.charge_id)
  assert.deepEqual([row.fulfillment.state, row.fulfillment.error], ['succeeded', null])
  assert.equal(callsAt(system, '/paid').length, 1, 'the code ran once')
})

for (const [how, end] of [
  ['killed', (server) => server.process.kill()],
  ['stopped in order', (server) => server.process.terminate()],
] as const satisfies readonly (readonly [string, (server: TestServer) => Promise<unknown>])[]) {
  it(`${how} before the code calls: nothing leaves, and it runs after the next start, once`, async (test) => {
    const { system, merchant, paid, server, open } = await whileCodeRuns(test, { first: AFTERWARDS, waits: false })
    await end(server)
    assert.deepEqual(callsAt(system, '/paid'), [])
    holdCalls(system)()
    const after = await open()
    const row = await fulfilledRow({ ...merchant, test: await after.keyed(merchant.id, 'test', []) }, paid.body.charge_id)
    assert.deepEqual([row.fulfillment.state, row.fulfillment.error], ['succeeded', null])
    assert.equal(callsAt(system, '/paid').length, 1, 'the code called once')
  })
}
