// One round of each of two faults under load: the short form of `npm run cluster-test`.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { postgresMissing } from '../support/postgres.ts'
import { type OpenRounds, openRounds } from './rounds-fixture.ts'

describe('nodes under load', { skip: postgresMissing() }, () => {
  let open: OpenRounds

  before(async () => {
    open = await openRounds()
  })

  after(() => open?.remove())

  for (const fault of ['owner killed', 'owner frozen'] as const) {
    it(`${fault}: nothing acknowledged is lost or doubled, and no balance is shown that never was`, async () => {
      const report = await open.rounds.run(fault)
      assert.deepEqual(report.faults, [])
      assert.ok(report.payments > 0 && report.readings > 0)
    })
  }
})
