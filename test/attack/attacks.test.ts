// Every attack in its short form: honest traffic loses nothing. Latency is judged by `npm run attack`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ATTACKS } from './attacks/all.ts'
import { lossesOf, runAttack } from './run-attack.ts'

const SECONDS = 2

for (const attack of ATTACKS) {
  test(`honest traffic loses nothing to ${attack.name}`, async () => {
    assert.deepEqual(lossesOf(attack, await runAttack(attack, SECONDS)), [])
  })
}
