// Charges and the clock: they expire by themselves, also while the server is stopped, and after a restart from
// any state of the disk.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChargeFixture, cancel, chargeIn, openCharge, openScene, pay, told, VALIDITY_MS } from '../../../support/charge-engine.ts'

const MINUTE_MS = 60_000

function stateOf({ stage }: ChargeFixture, token: string): string {
  return chargeIn(stage, token).state
}

test('a charge expires to the millisecond, without a request', async () => {
  const scene = await openScene()
  const token = openCharge(scene)
  scene.stage.loop.advance(VALIDITY_MS - 1)
  scene.stage.settle()
  assert.equal(stateOf(scene, token), 'pending')
  scene.stage.loop.advance(1)
  scene.stage.settle()
  assert.equal(stateOf(scene, token), 'expired')
  assert.equal(scene.stage.state.charges.pending.size, 0)
})

test('charges expire each at its own time', async () => {
  const scene = await openScene()
  const { stage } = scene
  const tokens = [openCharge(scene)]
  for (let count = 0; count < 2; count++) {
    stage.loop.advance(10 * MINUTE_MS)
    tokens.push(openCharge(scene))
  }
  for (let passed = 0; passed < 3; passed++) {
    stage.loop.advance(10 * MINUTE_MS)
    stage.settle()
    assert.deepEqual(
      tokens.map((token) => stateOf(scene, token)),
      tokens.map((_token, index) => (index <= passed ? 'expired' : 'pending')),
    )
  }
})

test('what was paid or cancelled has no timer left', async () => {
  const scene = await openScene()
  const { stage, merchant, payer } = scene
  const [paid, cancelled] = [openCharge(scene), openCharge(scene)]
  stage.do(pay(paid, payer))
  stage.do(cancel(cancelled, merchant))
  assert.equal(stage.state.timers.size, 0)
  const records = stage.records.length
  stage.loop.advance(2 * VALIDITY_MS)
  stage.settle()
  assert.equal(stage.records.length, records)
})

test('charges expire at once after a stop of a day, in the order of their time, and no payment gets in between', async () => {
  const scene = await openScene()
  const { stage, payer } = scene
  const tokens = [openCharge(scene), openCharge(scene), openCharge(scene)]
  await stage.close()
  stage.loop.nowMs += 24 * 60 * MINUTE_MS
  await stage.start()
  const sent = stage.send(pay(tokens[0] ?? '', payer))
  stage.settle()
  assert.ok(sent.outcome !== null)
  assert.equal(told(sent.outcome), 'charge_expired')
  for (const token of tokens) assert.equal(stateOf(scene, token), 'expired')
})

test('after a kill the replay arms the timers of what is still pending, from the log and from a snapshot', async () => {
  for (const withSnapshot of [false, true]) {
    const scene = await openScene()
    const { stage, payer } = scene
    const [open, paid] = [openCharge(scene), openCharge(scene)]
    stage.do(pay(paid, payer))
    if (withSnapshot) await stage.close()
    await stage.start()
    assert.equal(stage.engine.recovered.replayedRecords === 0, withSnapshot)
    assert.equal(stage.state.timers.size, 1)
    assert.equal(stage.state.charges.pendingOf(scene.merchant), 1)
    stage.loop.advance(VALIDITY_MS)
    stage.settle()
    assert.equal(stateOf(scene, open), 'expired')
    assert.equal(stateOf(scene, paid), 'paid')
  }
})

test('a finished charge is found again in log and archive, and can still be refunded', async () => {
  const scene = await openScene()
  const { stage, merchant, payer } = scene
  const token = openCharge(scene, { metadata: { panier: 'A' } })
  stage.do(pay(token, payer))
  await stage.close()
  await stage.startWithoutArchive()
  assert.equal(told(stage.do({ type: 'RefundCharge', merchant, token })), '200 refunded')
  assert.deepEqual(chargeIn(stage, token).metadata, { panier: 'A' })
})

test('the state after a replay is the state before it', async () => {
  const scene = await openScene()
  const { stage, merchant, payer } = scene
  const tokens = Array.from({ length: 20 }, () => openCharge(scene, { amount: 10 }))
  for (const token of tokens.slice(0, 5)) stage.do(pay(token, payer))
  for (const token of tokens.slice(5, 10)) stage.do(cancel(token, merchant))
  for (const token of tokens.slice(0, 2)) stage.do({ type: 'RefundCharge', merchant, token })
  const before = stage.rows()
  await stage.start()
  assert.deepEqual(stage.rows(), before)
  await stage.startWithoutArchive()
  assert.deepEqual(stage.rows(), before)
})
