// Fulfillment: the merchant's code runs after every paid bill, never before the payment is on disk and never twice by itself;
// `bill.paid` follows. Across restarts and kills.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxResult } from '../../../../engine/actor/ports.ts'
import { DUE, FUNDS, METER } from '../../../support/bill-engine.ts'
import { bad, FulfillmentFixture, GOOD, notStarted } from '../../../support/fulfillment-fixture.ts'

test('after the payment the code runs with the context of the specification, then bill.paid is sent', async () => {
  const scenery = await FulfillmentFixture.open()
  scenery.answering = null
  const { setup } = scenery
  const id = await scenery.paid()
  assert.deepEqual(setup.balances(), { awa: FUNDS - DUE.amount, merchant: DUE.amount }, 'the money does not wait')
  assert.deepEqual(setup.fulfillment(id), { state: 'pending', error: null, duration_ms: null, attempts: 1 })
  assert.deepEqual(setup.told(), [], 'bill.paid follows')
  const [run, ...more] = scenery.runs
  assert.ok(run !== undefined && more.length === 0)
  const { argument, allowCall: _, ...asked } = run
  const { id: merchantId, test: account } = setup.billers.merchant
  const about = { merchantId, account, product: 'jeton', purpose: 'test' }
  assert.deepEqual(asked, { ...about, entry: 'onPaid', source: 'async function onPaid(ctx) {}', timeoutMs: 10_000 })
  const [payment] = setup.payments()
  assert.ok(payment !== undefined)
  assert.deepEqual(JSON.parse(argument), {
    ...{
      biller: setup.biller,
      product: 'jeton',
      amount: DUE.amount,
      currency: 'XOF',
      biller_ref: 'F-11',
      form_values: { compteur: METER },
    },
    ...{ transaction_id: payment.transaction_id, charge_id: id, merchant_id: merchantId },
    paid_at: Math.floor(Date.parse(payment.paid_at) / 1000),
  })
  await scenery.end(GOOD)
  assert.deepEqual(setup.fulfillment(id), { state: 'succeeded', error: null, duration_ms: 40, attempts: 1 })
  assert.equal(setup.told().length, 1)
  assert.equal(setup.fixture.state.bills.fulfilling.size, 0)
})

const FAILURES: readonly (readonly [string, SandboxResult, string])[] = [
  ['throws', bad('Error: réseau\n    at onPaid\u0007'), 'Error: réseau at onPaid'],
  ['takes too long', bad('The code took longer than 10 s.', 'timeout'), 'The code took longer than 10 s.'],
  ['throws a very long error', bad('x'.repeat(1000)), `${'x'.repeat(499)}…`],
  ['is lost with the sandbox', bad('The sandbox was lost.', 'unavailable'), 'The sandbox was lost.'],
]

for (const [name, result, error] of FAILURES) {
  test(`code that ${name}: the payment stands, the failure is written down, nothing is tried again, bill.paid is sent`, async () => {
    const scenery = await FulfillmentFixture.open()
    scenery.answering = () => result
    const id = await scenery.paid()
    await scenery.advance(24 * 3_600_000)
    assert.equal(scenery.runs.length, 1)
    assert.deepEqual(scenery.setup.fulfillment(id), { state: 'failed', error, duration_ms: 40, attempts: 1 })
    assert.equal(scenery.setup.told().length, 1)
    assert.equal(scenery.setup.balances().merchant, DUE.amount)
  })
}

test('without code nothing runs, and bill.paid is in the same record', async () => {
  const scenery = await FulfillmentFixture.open()
  const { setup } = scenery
  assert.deepEqual(setup.ask(setup.pay('don', { amount: 500 })), [200])
  await scenery.settle()
  assert.equal(scenery.runs.length, 0)
  assert.deepEqual(
    setup.fixture.records.at(-1)?.events.map(({ type }) => type),
    ['bill.paid', 'merchant_event.recorded'],
  )
  assert.equal(setup.fulfillment(String(setup.payments()[0]?.charge_id)).state, 'none')
})

test('nothing runs before the payment is on disk', async () => {
  const scenery = await FulfillmentFixture.open()
  const { setup } = scenery
  const quoteId = setup.quoted({ product: 'jeton' })
  const sent = setup.fixture.send(setup.pay('jeton', { quoteId }), { mailbox: setup.awa })
  setup.fixture.loop.turn()
  assert.equal(sent.outcome, null)
  setup.fixture.kill()
  await scenery.restart()
  assert.equal(scenery.runs.length, 0)
  assert.deepEqual(setup.balances(), { awa: FUNDS, merchant: 0 })
  assert.deepEqual(setup.ask(setup.pay('jeton', { quoteId })), [200], 'the quote was not used up')
})

test('killed between the payment and the code: it runs after the restart, once', async () => {
  const scenery = await FulfillmentFixture.open()
  const { setup } = scenery
  const id = setup.paidJeton()
  await scenery.restart()
  assert.equal(scenery.runs.length, 1)
  await scenery.restart()
  assert.equal(scenery.runs.length, 1)
  assert.equal(setup.fulfillment(id).state, 'succeeded')
  assert.equal(setup.told().length, 1)
})

test('killed while the code runs and has called nothing: it runs after the restart, and counts as one attempt', async () => {
  const scenery = await FulfillmentFixture.open()
  const { setup } = scenery
  scenery.answering = null
  const id = await scenery.paid()
  await scenery.restart()
  assert.equal(scenery.runs.length, 2)
  assert.deepEqual(setup.told(), [], 'it is not over')
  await scenery.end(GOOD)
  assert.deepEqual(setup.fulfillment(id), { state: 'succeeded', error: null, duration_ms: 40, attempts: 1 })
  assert.equal(setup.told().length, 1)
})

test('at a stop code that has not called may not call and waits for the next start, and code that has called runs to its end', async () => {
  const scenery = await FulfillmentFixture.open()
  const { setup } = scenery
  scenery.answering = null
  await scenery.fund(DUE.amount)
  const [called, waiting] = [await scenery.paid(), await scenery.paid()]
  assert.equal(await scenery.call(), true)
  const stopped = scenery.fulfiller.stop(7_000)
  await scenery.end(GOOD)
  assert.equal(await scenery.call(), false)
  await scenery.end(notStarted('unavailable'))
  await stopped
  assert.equal(setup.fulfillment(called).state, 'succeeded')
  assert.deepEqual(setup.fulfillment(waiting), { state: 'pending', error: null, duration_ms: null, attempts: 0 })
  scenery.answering = () => GOOD
  await scenery.restart()
  assert.deepEqual(setup.fulfillment(waiting), { state: 'succeeded', error: null, duration_ms: 40, attempts: 1 })
  assert.equal(setup.told().length, 2)
})

test('refunded before its first call: nothing leaves any more', async () => {
  const scenery = await FulfillmentFixture.open()
  const { setup } = scenery
  scenery.answering = null
  const id = await scenery.paid()
  await scenery.refund(id)
  assert.equal(await scenery.call(), false)
  await scenery.end(notStarted('unavailable'))
  assert.equal(setup.fulfillment(id).state, 'failed')
  assert.match(String(setup.fulfillment(id).error), /refunded/)
})

test('killed while the code runs and has called: it has failed, never runs again, and bill.paid is sent once', async () => {
  const scenery = await FulfillmentFixture.open()
  const { setup } = scenery
  scenery.answering = null
  const id = await scenery.paid()
  assert.equal(await scenery.call(), true)
  await scenery.restart()
  assert.equal(scenery.runs.length, 1)
  const { state, error } = setup.fulfillment(id)
  assert.equal(state, 'failed')
  assert.match(String(error), /stopped/)
  assert.equal(setup.told().length, 1)
  await scenery.restart()
  assert.equal(setup.told().length, 1)
  assert.deepEqual(setup.balances(), { awa: FUNDS - DUE.amount, merchant: DUE.amount })
})

test('the code that was there when the bill was paid is the code that runs', async () => {
  const scenery = await FulfillmentFixture.open()
  const { setup } = scenery
  setup.paidJeton()
  const { billers } = setup
  const lookup = { title: 'x', amount_mode: 'lookup', schema: { steps: [{ fields: [{ id: 'a', label: 'A', type: 'text' }] }] } }
  billers.must(billers.product('jeton', { ...lookup, lookup_url: 'https://a.example/' }, { mode: 'replace' }), 200)
  await scenery.settle()
  assert.equal(scenery.runs[0]?.source, 'async function onPaid(ctx) {}')
})

test('160 bills paid at once: 50 runs go on, the others wait in order, and every code runs', async () => {
  const scenery = await FulfillmentFixture.open()
  scenery.answering = null
  const { setup } = scenery
  await scenery.fund(160 * DUE.amount)
  const ids = Array.from({ length: 160 }, () => setup.paidJeton())
  await scenery.settle()
  assert.equal(scenery.runs.length, 50)
  while (scenery.held.length > 0) await scenery.end(GOOD)
  assert.equal(scenery.runs.length, 160)
  const ran = scenery.runs.map(({ argument }) => (JSON.parse(argument) as { charge_id: string }).charge_id)
  assert.deepEqual(ran, ids)
  for (const id of ids) assert.equal(setup.fulfillment(id).state, 'succeeded')
  assert.equal(setup.told().length, 160)
})

test('a payment waits for hours behind slow code of its merchant, and its code runs', async () => {
  const scenery = await FulfillmentFixture.open()
  scenery.answering = null
  const { setup } = scenery
  await scenery.fund(51 * DUE.amount)
  const ids = Array.from({ length: 51 }, () => setup.paidJeton())
  await scenery.advance(4 * 3_600_000)
  assert.equal(scenery.runs.length, 50)
  await scenery.end(bad('The code took longer than 10 s.', 'timeout'))
  assert.equal(scenery.runs.length, 51)
  while (scenery.held.length > 0) await scenery.end(GOOD)
  assert.equal(setup.fulfillment(String(ids[50])).state, 'succeeded')
})

for (const fault of ['busy', 'timeout', 'unavailable'] as const) {
  test(`code that was not begun (${fault}) waits and runs, and counts one attempt`, async () => {
    const scenery = await FulfillmentFixture.open()
    let refusals = 7
    scenery.answering = () => (refusals-- > 0 ? notStarted(fault) : GOOD)
    const id = await scenery.paid()
    assert.deepEqual(scenery.setup.fulfillment(id), { state: 'pending', error: null, duration_ms: null, attempts: 0 })
    for (let round = 0; round < 7; round++) await scenery.advance(4_000)
    assert.equal(scenery.runs.length, 8)
    assert.deepEqual(scenery.setup.fulfillment(id), { state: 'succeeded', error: null, duration_ms: 40, attempts: 1 })
    assert.equal(scenery.setup.told().length, 1)
  })
}

test('killed after the sandbox was lost before the code began: the code runs after the restart', async () => {
  const scenery = await FulfillmentFixture.open()
  scenery.answering = () => notStarted('unavailable')
  const id = await scenery.paid()
  scenery.answering = () => GOOD
  await scenery.restart()
  assert.equal(scenery.runs.length, 2)
  assert.equal(scenery.setup.fulfillment(id).state, 'succeeded')
})

test('while the sandbox refuses, one run of the merchant is tried at a time, at most 4 s apart', async () => {
  const scenery = await FulfillmentFixture.open()
  scenery.answering = () => notStarted('busy')
  const { setup } = scenery
  await scenery.fund(60 * DUE.amount)
  for (let count = 0; count < 60; count++) setup.paidJeton()
  await scenery.settle()
  for (let round = 0; round < 10; round++) await scenery.advance(4_000)
  const refused = scenery.runs.length
  await scenery.advance(4_000)
  assert.equal(scenery.runs.length, refused + 1)
  scenery.answering = () => GOOD
  await scenery.advance(4_000)
  assert.equal(setup.fixture.state.bills.fulfilling.size, 0)
})

test('on a disk that is nearly full the code waits', async () => {
  const scenery = await FulfillmentFixture.open()
  scenery.canWrite = false
  const id = await scenery.paid()
  await scenery.advance(5_000)
  assert.equal(scenery.runs.length, 0)
  scenery.canWrite = true
  await scenery.advance(4_000)
  assert.equal(scenery.setup.fulfillment(id).state, 'succeeded')
})
