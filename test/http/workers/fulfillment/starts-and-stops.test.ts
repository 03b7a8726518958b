// Starts and stops of the fulfiller: what a start takes, and what a stop waits for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPEN_FULFILLMENTS_PER_QUERY } from '../../../../http/workers/fulfillment/fulfillment-limits.ts'
import { FulfillmentFixture, GOOD } from '../../../support/fulfillment-fixture.ts'

test('a stop waits for what runs, and begins nothing', async () => {
  const scenery = await FulfillmentFixture.open()
  scenery.answering = null
  const id = await scenery.paid()
  let isStopped = false
  const stopped = scenery.fulfiller.stop(5_000).then(() => {
    isStopped = true
  })
  await scenery.paid()
  assert.equal(scenery.runs.length, 1)
  assert.equal(isStopped, false)
  await scenery.end(GOOD)
  await stopped
  assert.equal(scenery.setup.fulfillment(id).state, 'succeeded')
  scenery.answering = () => GOOD
  await scenery.restart()
  assert.equal(scenery.runs.length, 2, 'the other one runs after the start')
})

test('a stop waits for a run that does not end at most its maximum, and the bill stays pending', async () => {
  const scenery = await FulfillmentFixture.open()
  scenery.answering = null
  const id = await scenery.paid()
  let isStopped = false
  const stopped = scenery.fulfiller.stop(5_000).then(() => {
    isStopped = true
  })
  await scenery.advance(4_999)
  assert.equal(isStopped, false)
  await scenery.advance(1)
  assert.equal(isStopped, true)
  await stopped
  assert.equal(scenery.held.length, 1, 'the run is still under way')
  assert.equal(scenery.setup.fulfillment(id).state, 'pending')
})

test('a start takes all bills whose code has not run, also beyond the first page', async () => {
  const scenery = await FulfillmentFixture.open()
  const { setup } = scenery
  scenery.answering = null
  const paid = setup.paidJeton()
  const { fulfilling } = setup.fixture.state.bills
  const first = fulfilling.get(paid)
  assert.ok(first !== undefined)
  const { live } = setup.billers.merchant
  const add = (charge_id: string, account: number, queued_position: number): void =>
    fulfilling.set(charge_id, { ...first, charge_id, account, queued_position })
  // Of another account, so that its turn does not wait for those before it.
  add('on the third page', live, first.position + 2 * OPEN_FULFILLMENTS_PER_QUERY)
  for (let count = 1; count < 2 * OPEN_FULFILLMENTS_PER_QUERY; count++) add(`other ${count}`, first.account, first.position + count)
  scenery.fulfiller.start()
  await scenery.settle()
  const accounts = scenery.runs.map((run) => ('account' in run ? run.account : null))
  assert.deepEqual([accounts.filter((account) => account === live).length, accounts.includes(first.account)], [1, true])
})
