// The short form of all attacks: honest traffic loses nothing. Latency is judged by `npm run attack`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attack } from './attack.ts'
import { ATTACKS } from './attacks/all.ts'
import { BUSY_MACHINE, CONTROL } from './attacks/control.ts'
import { lossesOf, runAttack, runInTurn } from './run-attack.ts'

/** Beside other proofs the pace of latencies would be too much: here losses alone count. */
const SHORT = { warmUpSeconds: 0.5, baselineSeconds: 0.5, seconds: 2, httpThreads: 0, billsPerSecond: 10 }
/** On a busy machine an attack may need longer until it shows: it is run again alone, longer each time. */
const LONGER = [8, 20].map((seconds) => ({ ...SHORT, seconds }))

for (const attacks of sharedServers()) {
  const names = attacks.map(({ name }) => name).join(', ')
  test(`honest traffic loses nothing to ${names}`, async () => {
    const { kinds, figures, processor } = await runInTurn(attacks, SHORT)
    for (const [index, attack] of attacks.entries()) {
      const own = figures[index] ?? {}
      if (isShown(attack, own)) assert.deepEqual(lossesOf(attack, { kinds, figures: own, processor }), [])
      else await runLonger(attack)
    }
  })
}

/** Attacks whose settings and traces do not disturb each other share a server and its honest traffic. */
function sharedServers(): readonly (readonly Attack[])[] {
  const alone = ATTACKS.filter(({ hasOwnServer }) => hasOwnServer === true)
  const together = ATTACKS.filter((attack) => attack !== CONTROL && attack !== BUSY_MACHINE && !alone.includes(attack))
  return [together, ...alone.map((attack) => [attack])]
}

function isShown(attack: Attack, figures: Parameters<typeof lossesOf>[1]['figures']): boolean {
  return (attack.judge?.(figures) ?? []).length === 0
}

async function runLonger(attack: Attack): Promise<void> {
  for (const lengths of LONGER) {
    const report = await runAttack(attack, lengths)
    if (isShown(attack, report.figures) || lengths === LONGER.at(-1)) return assert.deepEqual(lossesOf(attack, report), [])
  }
}
