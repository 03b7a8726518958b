// `npm run crash`: what a crash or a failing disk may do to the real server, in numbers that take minutes to hours. Each run prints its
// figures as a line of JSON and fails on a fault.

import { commandLine, wholeNumber } from '../../support/command-line.ts'
import { numbersOf, writeProofResult } from '../../support/proof-result.ts'
import { buildPlanted } from '../cluster/planted-bugs.ts'
import { buildForRuns } from './build.ts'
import { runDamage } from './damage-run.ts'
import { runDiskFaults } from './disk-faults.ts'
import { ERRORS } from './failing-calls.ts'
import { type CallPlace, everyError, type FaultCase } from './fault-cases.ts'
import { runDiskImages } from './image-run.ts'
import { kindsNotSeen, operationsNotSeen } from './kill-report.ts'
import { runKillRounds } from './kill-rounds.ts'
import { runPayrollKills } from './payroll-kills.ts'
import { straceMissing } from './system-calls.ts'

const USAGE = `npm run crash -- [--kills N] [--keys N] [--payrolls N] [--images N] [--syscalls N] [--damage N] [--seed N]
  --kills N     rounds of kill -9 under every write that moves money, each with one key that 50 clients send at once,
                with 0, 1 and 2 HTTP threads and hosted code; the histories are checked for linearizability (without options: 50)
  --keys N      keys that 50 clients each send at once, five of them around each kill -9
  --payrolls N  kill -9 at random moments of the intake and the payment of payrolls of 100 000 lines, ten a payroll; each has 1 % of each kind
                of bad line, and every state's sums are compared
  --images N    images that a disk could leave between two flushes, from recorded writes of a server under every write that moves money
                (strace); a real engine serves every ninth
  --syscalls N  failed and short writes and failed flushes of the log, three for each call from the first; and those of the growth of its
                file, of the index and of the snapshot, under every write that moves money, with 0, 1 and 2 HTTP threads (strace)
  --damage N    flipped bits, zeroed pages and cut files in log and archive
  --seed N      of all random choices (1)
A soak at half load: npm run bench -- --soak 60`

const number = { type: 'string' } as const
const values = commandLine(USAGE, {
  kills: number,
  keys: number,
  payrolls: number,
  images: number,
  syscalls: number,
  damage: number,
  seed: number,
})
const KEYS_PER_ROUND = 5

interface Report {
  readonly faults: readonly string[]
}

type Runs = Readonly<
  Record<'kills' | 'keys' | 'payrolls' | 'images' | 'syscalls' | 'damage', (count: number, seed: number) => Promise<Report>>
>

const RUNS: Runs = {
  kills: async (rounds, seed) => {
    const report = await runKillRounds({ rounds, seed, onFolder: show('kills') })
    const notSeen = kindsNotSeen(report).map((kind) => `no round has acknowledged a write of the kind ${kind}`)
    const operations = operationsNotSeen(report).map((operation) => `no round has acknowledged a write of the operation ${operation}`)
    return { ...report, faults: [...report.faults, ...notSeen, ...operations] }
  },
  keys: (keys, seed) => {
    const rounds = Math.ceil(keys / KEYS_PER_ROUND)
    return runKillRounds({ rounds, seed, writers: 0, keysPerRound: KEYS_PER_ROUND, onFolder: show('keys') })
  },
  payrolls: (kills, seed) => runPayrollKills({ kills, seed, onPayroll: show('payrolls') }),
  images: async (images, seed) => {
    const report = await runDiskImages({ images, seed, onProgress: show('images') })
    return { ...report, unflushed_server: await imagesWithoutFlushes(seed) }
  },
  syscalls: (cases) => runDiskFaults({ cases: faultCases(cases), onProgress: show('syscalls') }),
  damage: (damages, seed) => runDamage({ damages, seed, onProgress: show('damage') }),
}

/** Each error at each call of the log from the first; beside them the growth of its file, and the archive. */
function faultCases(count: number): FaultCase[] {
  const calls = Array.from({ length: Math.ceil(count / ERRORS.length) }, (_, index) => index + 1)
  const archive = (nth: number): CallPlace[] => [
    { name: 'fdatasync', nth },
    { name: 'pwrite64', nth },
  ]
  const growth = everyError('growth', [{ name: 'write', nth: 1 }])
  return [...growth, ...everyError('index', archive(1)), ...everyError('snapshot', [1, 2].flatMap(archive)), ...everyError('log', calls)]
}

const NEEDS_STRACE: readonly (keyof Runs)[] = ['images', 'syscalls']
const CONTROL_IMAGES = 200

/** A server whose LMDB does not flush: its images must show losses. */
async function imagesWithoutFlushes(seed: number): Promise<{ readonly images: number; readonly faults: number }> {
  const changes = [{ file: 'wal/lmdb-store.ts', from: 'commitDelay: 0,', to: 'commitDelay: 0, noSync: true,' }]
  const { program, remove } = buildPlanted({ name: 'no flushes', changes })
  try {
    const { images, faults } = await runDiskImages({ images: CONTROL_IMAGES, seed, program })
    if (faults.length === 0) throw new Error('images of a server without flushes show no loss')
    return { images, faults: faults.length }
  } finally {
    remove()
  }
}

function show(name: string): (report: object) => void {
  return (report) => console.log(JSON.stringify({ [name]: report }))
}

/** Returns whether no run found a fault. */
async function main(): Promise<boolean> {
  const chosen = (Object.keys(RUNS) as (keyof Runs)[]).filter((name) => values[name] !== undefined)
  const names: readonly (keyof Runs)[] = chosen.length === 0 ? ['kills'] : chosen
  const missing = names.some((name) => NEEDS_STRACE.includes(name)) ? straceMissing() : false
  if (missing !== false) throw new Error(missing)
  await buildForRuns()
  let isSound = true
  for (const name of names) {
    const startedMs = performance.now()
    const seed = wholeNumber('seed', values.seed ?? '1')
    const report = await RUNS[name](wholeNumber(name, values[name] ?? '50', 1), seed)
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    console.log(JSON.stringify({ [name]: report, seconds }))
    writeProofResult(name, { ...numbersOf(report), seed, seconds })
    isSound &&= report.faults.length === 0
  }
  return isSound
}

// Ends servers, which a signal alone would leave running.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
process.exitCode = (await main()) ? 0 : 1
