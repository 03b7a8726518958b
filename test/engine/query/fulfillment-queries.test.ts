// Pages of open fulfillments: the fulfiller reads them at its start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from '../../../engine/api.ts'
import { BillFixture } from '../../support/bill-engine.ts'

test('open fulfillments are answered in the order in which they were queued, page by page', async () => {
  const setup = await BillFixture.open()
  const { engine } = setup.fixture
  const paid = [setup.paidJeton(), setup.paidJeton(), setup.paidJeton()]
  const first = engine.query('fulfillments.open', { after: null, limit: 2 })
  const last = first.at(-1)
  assert.ok(last !== undefined)
  const second = engine.query('fulfillments.open', { after: placeOf(last), limit: 2 })
  assert.deepEqual(
    [first, second].map((rows) => rows.map((row) => row.charge_id)),
    [paid.slice(0, 2), paid.slice(2)],
  )
})

test('a fulfillment that is over has no row and nothing to run', async () => {
  const { engine } = (await BillFixture.open()).fixture
  const chargeId = '00000000-0000-7000-8000-000000000000'
  assert.equal(engine.query('fulfillments.openOne', { chargeId }), null)
  assert.equal(engine.query('fulfillments.run', { chargeId }), null)
})
