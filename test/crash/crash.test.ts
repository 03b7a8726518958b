// The short form of `npm run crash`: the real server, killed a few times under load.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runCrashRounds } from './rounds.ts'

const ROUNDS = 4

it(`nothing that was acknowledged is lost or doubled through ${ROUNDS} times kill -9`, async () => {
  const { acknowledged, rounds } = await runCrashRounds({ rounds: ROUNDS, seed: 20 })
  assert.equal(rounds, ROUNDS)
  assert.ok(acknowledged >= ROUNDS, `${acknowledged} answers`)
})
