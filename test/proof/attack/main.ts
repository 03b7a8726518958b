// `npm run attack`: one stranger beside honest traffic, and what the honest traffic loses by it.
import type { Figure } from '../../../bench/figures/figures.ts'
import { spreadOf } from '../../../bench/statistics.ts'
import { HTTP_THREADS_MAX } from '../../../http/server/threads/thread-limits.ts'
import { commandLine, mistake, wholeNumber } from '../../support/command-line.ts'
import { writeProofResult } from '../../support/proof-result.ts'
import type { Attack } from './attack.ts'
import { ATTACKS } from './attacks/all.ts'
import { BILLS_PER_SECOND } from './honest-traffic.ts'
import { type AttackReport, delaysOf, lossesOf, runAttack } from './run-attack.ts'

/** As long as it takes until latencies of honest traffic fall no more. */
const WARM_UP_SECONDS = 8
/** Cores that processes beside the attack may use: with more a round says what they took. */
const OTHERS_MAX = 0.2
/** Rounds for each one that counts. On a machine that is never quiet the last ones count. */
const TRIES_PER_ROUND = 3

const USAGE = `npm run attack -- [options]
  --only metrics-flood  the attacks whose name contains the text (all)
  --seconds 20          of honest traffic before the attack, and as many beside it
  --repeat 3            rounds of each attack
  --threads 0,2         HTTP threads of the server: each attack is run with each number
A round beside which other processes used more than ${OTHERS_MAX} cores is run again, up to twice as often as --repeat.
Exit code 1: honest traffic lost anything, or the median of the ratios is above two. One round does not count: a machine may stall.`

const values = commandLine(USAGE, {
  only: { type: 'string', default: '' },
  seconds: { type: 'string', default: '20' },
  repeat: { type: 'string', default: '3' },
  threads: { type: 'string', default: '0,2' },
})
const seconds = wholeNumber('seconds', values.seconds, 1)
const rounds = wholeNumber('repeat', values.repeat, 1)
const threads = values.threads.split(',').map((text) => wholeNumber('threads', text, 0, HTTP_THREADS_MAX))
const attacks = ATTACKS.filter(({ name }) => name.includes(values.only))
if (attacks.length === 0) mistake(`no attack's name contains ${values.only}`)

for (const attack of attacks) {
  for (const httpThreads of threads) await measure(attack, httpThreads)
}

async function measure(attack: Attack, httpThreads: number): Promise<void> {
  console.log(`\n${attack.name}, ${httpThreads} HTTP threads: ${attack.title}`)
  const reports: AttackReport[] = []
  const faults: string[] = []
  for (let left = rounds * TRIES_PER_ROUND; reports.length < rounds && left > 0; left--) {
    const lengths = { warmUpSeconds: WARM_UP_SECONDS, baselineSeconds: seconds, seconds }
    const report = await runAttack(attack, { ...lengths, httpThreads, billsPerSecond: BILLS_PER_SECOND })
    print(report)
    faults.push(...lossesOf(attack, report))
    const mayRepeat = left > rounds - reports.length
    if (mayRepeat && (report.processor?.others ?? 0) > OTHERS_MAX) console.log('  the machine was not quiet: this round does not count')
    else reports.push(report)
  }
  writeProofResult(`attack ${attack.name}, ${httpThreads} HTTP threads`, figuresOf(reports))
  for (const message of [...faults, ...delaysOf(reports)]) {
    console.log(`  FAILED  ${message}`)
    process.exitCode = 1
  }
}

/** Ratios of the rounds by kind of honest traffic, and what it lost in all of them. */
function figuresOf(reports: readonly AttackReport[]): Record<string, Figure> {
  const kinds = [...new Set(reports.flatMap((report) => report.kinds.map(({ kind }) => kind)))]
  return Object.fromEntries(
    kinds.flatMap((name) => {
      const rounds = reports.flatMap((report) => report.kinds.filter(({ kind }) => kind === name))
      return [
        [`${name}, ratio of the p50`, spreadOf(rounds.map(({ p50Ratio }) => p50Ratio))],
        [`${name}, ratio of the p99`, spreadOf(rounds.map(({ p99Ratio }) => p99Ratio))],
        [`${name}, lost`, rounds.reduce((sum, { lost }) => sum + lost.length, 0)],
      ]
    }),
  )
}

function print({ kinds, figures, processor }: AttackReport): void {
  console.log(`  attacker: ${JSON.stringify(figures)}`)
  if (processor !== null) {
    const { server, attacker, honest, others } = processor
    const used = `server ${server.toFixed(2)}, attacker ${attacker.toFixed(2)}, honest callers ${honest.toFixed(2)}, others ${others.toFixed(2)}`
    console.log(`  cores used: ${used}`)
  }
  for (const { kind, count, lost, baselineMs, attackMs, p50Ratio, p99Ratio } of kinds) {
    const before = `${baselineMs.p50.toFixed(1)} / ${baselineMs.p99.toFixed(1)} ms`
    const during = `${attackMs.p50.toFixed(1)} / ${attackMs.p99.toFixed(1)} ms`
    const ratios = `${p50Ratio.toFixed(2)} / ${p99Ratio.toFixed(2)}`
    console.log(
      `  ${kind.padEnd(26)} ${count.baseline} + ${count.attack} done, ${lost.length} lost; p50 / p99 before ${before}, during ${during}, ratio ${ratios}`,
    )
  }
}
