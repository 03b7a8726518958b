// Charges and the clock: they expire by themselves, also while the server is stopped, and after a restart from
// any state of the disk.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChargeFixture, cancel, chargeIn, openCharge, openSetup, pay, told, VALIDITY_MS } from '../../../support/charge-engine.ts'

const MINUTE_MS = 60_000

function stateOf({ fixture }: ChargeFixture, token: string): string {
  return chargeIn(fixture, token).state
}

test('a charge expires to the millisecond, without a request', async () => {
  const setup = await openSetup()
  const token = openCharge(setup)
  setup.fixture.loop.advance(VALIDITY_MS - 1)
  setup.fixture.settle()
  assert.equal(stateOf(setup, token), 'pending')
  setup.fixture.loop.advance(1)
  setup.fixture.settle()
  assert.equal(stateOf(setup, token), 'expired')
  assert.equal(setup.fixture.state.charges.pending.size, 0)
})

test('charges expire each at its own time', async () => {
  const setup = await openSetup()
  const { fixture } = setup
  const tokens = [openCharge(setup)]
  for (let count = 0; count < 2; count++) {
    fixture.loop.advance(10 * MINUTE_MS)
    tokens.push(openCharge(setup))
  }
  for (let passed = 0; passed < 3; passed++) {
    fixture.loop.advance(10 * MINUTE_MS)
    fixture.settle()
    assert.deepEqual(
      tokens.map((token) => stateOf(setup, token)),
      tokens.map((_token, index) => (index <= passed ? 'expired' : 'pending')),
    )
  }
})

test('what was paid or cancelled has no timer left', async () => {
  const setup = await openSetup()
  const { fixture, merchant, payer } = setup
  const [paid, cancelled] = [openCharge(setup), openCharge(setup)]
  fixture.do(pay(paid, payer))
  fixture.do(cancel(cancelled, merchant))
  assert.equal(fixture.state.timers.size, 0)
  const records = fixture.records.length
  fixture.loop.advance(2 * VALIDITY_MS)
  fixture.settle()
  assert.equal(fixture.records.length, records)
})

test('charges expire at once after a stop of a day, in the order of their time, and no payment gets in between', async () => {
  const setup = await openSetup()
  const { fixture, payer } = setup
  const tokens = [openCharge(setup), openCharge(setup), openCharge(setup)]
  await fixture.close()
  fixture.loop.nowMs += 24 * 60 * MINUTE_MS
  await fixture.start()
  const sent = fixture.send(pay(tokens[0] ?? '', payer))
  fixture.settle()
  assert.ok(sent.outcome !== null)
  assert.equal(told(sent.outcome), 'charge_expired')
  for (const token of tokens) assert.equal(stateOf(setup, token), 'expired')
})

test('after a kill the replay arms the timers of what is still pending, from the log and from a snapshot', async () => {
  for (const withSnapshot of [false, true]) {
    const setup = await openSetup()
    const { fixture, payer } = setup
    const [open, paid] = [openCharge(setup), openCharge(setup)]
    fixture.do(pay(paid, payer))
    if (withSnapshot) await fixture.close()
    await fixture.start()
    assert.equal(fixture.engine.recovered.replayedRecords === 0, withSnapshot)
    assert.equal(fixture.state.timers.size, 1)
    assert.equal(fixture.state.charges.pendingOf(setup.merchant), 1)
    fixture.loop.advance(VALIDITY_MS)
    fixture.settle()
    assert.equal(stateOf(setup, open), 'expired')
    assert.equal(stateOf(setup, paid), 'paid')
  }
})

test('a finished charge is found again in log and archive, and can still be refunded', async () => {
  const setup = await openSetup()
  const { fixture, merchant, payer } = setup
  const token = openCharge(setup, { metadata: { panier: 'A' } })
  fixture.do(pay(token, payer))
  await fixture.close()
  await fixture.startWithoutArchive()
  assert.equal(told(fixture.do({ type: 'RefundCharge', merchant, token })), '200 refunded')
  assert.deepEqual(chargeIn(fixture, token).metadata, { panier: 'A' })
})

test('the state after a replay is the state before it', async () => {
  const setup = await openSetup()
  const { fixture, merchant, payer } = setup
  const tokens = Array.from({ length: 20 }, () => openCharge(setup, { amount: 10 }))
  for (const token of tokens.slice(0, 5)) fixture.do(pay(token, payer))
  for (const token of tokens.slice(5, 10)) fixture.do(cancel(token, merchant))
  for (const token of tokens.slice(0, 2)) fixture.do({ type: 'RefundCharge', merchant, token })
  const before = fixture.rows()
  await fixture.start()
  assert.deepEqual(fixture.rows(), before)
  await fixture.startWithoutArchive()
  assert.deepEqual(fixture.rows(), before)
})
