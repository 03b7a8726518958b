// The short form of a group of attacks: honest traffic loses nothing. Latency is judged by `npm run attack`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GROUPS } from './attacks/all.ts'
import { lossesOf, runAttack } from './run-attack.ts'

const SHORT = { warmUpSeconds: 1, seconds: 2 }

export function testShortRuns(group: keyof typeof GROUPS): void {
  for (const attack of GROUPS[group]) {
    test(`honest traffic loses nothing to ${attack.name}`, async () => {
      assert.deepEqual(lossesOf(attack, await runAttack(attack, SHORT)), [])
    })
  }
}
