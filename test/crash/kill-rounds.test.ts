// The short form of `npm run crash -- --kills 2000`: the real server, killed under every write that moves money.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runKillRounds } from './kill-rounds.ts'

const ROUNDS = 20

it(`nothing is lost, doubled or read wrong through ${ROUNDS} times kill -9 under every write that moves money`, async () => {
  const { rounds, duplicatedKeys, acknowledged, readings, faults } = await runKillRounds({ rounds: ROUNDS, seed: 16 })
  assert.deepEqual(faults, [])
  assert.deepEqual([rounds, duplicatedKeys], [ROUNDS, ROUNDS])
  assert.ok(acknowledged >= ROUNDS && readings > 0, `${acknowledged} answers, ${readings} readings`)
})
