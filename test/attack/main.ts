// `npm run attack`: every attack whole, 15 s before and 15 s beside it (`-- --only metrics-flood --seconds 5`). Exit code 1
// when honest traffic lost anything or became more than twice as slow.
import { parseArgs } from 'node:util'
import { ATTACKS } from './attacks/all.ts'
import { type AttackReport, delaysOf, lossesOf, runAttack } from './run-attack.ts'

/** As long as it takes until latencies of honest traffic fall no more. */
const WARM_UP_SECONDS = 8

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, seconds: { type: 'string', default: '15' } } })
const seconds = Number(values.seconds)
if (!Number.isSafeInteger(seconds) || seconds < 1) throw new Error('--seconds is a whole number, at least 1')
const attacks = ATTACKS.filter(({ name }) => name.includes(values.only))
if (attacks.length === 0) throw new Error(`no attack's name contains ${values.only}`)

for (const attack of attacks) {
  const report = await runAttack(attack, { warmUpSeconds: WARM_UP_SECONDS, seconds })
  print(report)
  for (const message of [...lossesOf(attack, report), ...delaysOf(report)]) {
    console.log(`  FAILED  ${message}`)
    process.exitCode = 1
  }
}

function print({ name, title, kinds, figures }: AttackReport): void {
  console.log(`\n${name}: ${title}`)
  console.log(`  attacker: ${JSON.stringify(figures)}`)
  for (const { kind, count, lost, baselineMs, attackMs, p50Ratio, p95Ratio } of kinds) {
    const before = `${baselineMs.p50.toFixed(1)} / ${baselineMs.p95.toFixed(1)} ms`
    const during = `${attackMs.p50.toFixed(1)} / ${attackMs.p95.toFixed(1)} ms`
    const ratios = `${p50Ratio.toFixed(2)} / ${p95Ratio.toFixed(2)}`
    console.log(`  ${kind.padEnd(26)} ${count} done, ${lost.length} lost; p50 / p95 before ${before}, during ${during}, ratio ${ratios}`)
  }
}
