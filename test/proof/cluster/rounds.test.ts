// The short form of `npm run cluster-test`: one round of each of two faults.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { postgresMissing } from '../../support/postgres.ts'
import type { Fault } from './faults.ts'
import { Rounds } from './rounds.ts'

const SHORT: readonly Fault[] = ['owner killed', 'connection cut before the answer of an append']

describe('nodes under load', { skip: postgresMissing() }, () => {
  let rounds: Rounds

  before(async () => {
    rounds = await Rounds.open({ seed: 1 })
  })

  after(() => rounds?.close())

  for (const fault of SHORT) {
    it(`lose nothing, double nothing and show no wrong balance: ${fault}`, async () => {
      const { faults, acknowledged, readings } = await rounds.run(fault)
      assert.deepEqual(faults, [])
      assert.ok(acknowledged > 0 && readings > 0)
    })
  }
})
