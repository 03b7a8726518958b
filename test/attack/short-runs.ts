// The short form of a group of attacks: honest traffic loses nothing. Latency is judged by `npm run attack`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GROUPS } from './attacks/all.ts'
import { lossesOf, runAttack } from './run-attack.ts'

/** On a busy machine an attack may need longer until it shows: it is run again, longer each time. */
const LENGTHS = [2, 8, 20].map((seconds) => ({ warmUpSeconds: 0.5, baselineSeconds: 0.5, seconds }))

export function testShortRuns(group: keyof typeof GROUPS): void {
  for (const attack of GROUPS[group]) {
    test(`honest traffic loses nothing to ${attack.name}`, async () => {
      for (const lengths of LENGTHS) {
        const report = await runAttack(attack, lengths)
        const isShown = (attack.judge?.(report.figures) ?? []).length === 0
        if (!isShown && lengths !== LENGTHS.at(-1)) continue
        return assert.deepEqual(lossesOf(attack, report), [])
      }
    })
  }
}
