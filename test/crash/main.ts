// `npm run crash`: what a crash or a failing disk may do to the real server, in numbers that take minutes to hours. Each run prints its
// figures as a line of JSON and fails on a fault.
import { parseArgs } from 'node:util'
import { buildPlanted } from '../cluster/planted-bugs.ts'
import { buildForRuns } from './build.ts'
import { runDamage } from './damage-run.ts'
import { runDiskFaults } from './disk-faults.ts'
import { runDiskImages } from './image-run.ts'
import { runKillRounds } from './kill-rounds.ts'
import { straceMissing } from './system-calls.ts'

const HELP = `npm run crash -- [--kills N] [--images N] [--syscalls N] [--damage N] [--seed N]
  --kills N     rounds of kill -9 under every write that moves money, each with one key that 50 clients send at once,
                with 0, 1 and 2 HTTP threads; the histories are checked for linearizability (without options: 50)
  --images N    images that a disk could leave between two flushes, from recorded writes of a server (strace)
  --syscalls N  failed and short writes and failed flushes of the log, three for each call from the first (strace)
  --damage N    flipped bits, zeroed pages and cut files in log and archive
  --seed N      of all random choices (1)
A soak at half load: npm run bench -- --soak 60
`

const number = { type: 'string' } as const
const { values } = parseArgs({
  options: { kills: number, images: number, syscalls: number, damage: number, seed: number, help: { type: 'boolean' } },
})
const ERRORS_OF_A_CALL = 3

interface Report {
  readonly faults: readonly string[]
}

type Runs = Readonly<Record<'kills' | 'images' | 'syscalls' | 'damage', (count: number, seed: number) => Promise<Report>>>

const RUNS: Runs = {
  kills: (rounds, seed) => runKillRounds({ rounds, seed, onFolder: show('kills') }),
  images: async (images, seed) => {
    const report = await runDiskImages({ images, seed, onProgress: show('images') })
    return { ...report, unflushed_server: await imagesWithoutFlushes(seed) }
  },
  syscalls: (cases) => {
    const calls = Array.from({ length: Math.ceil(cases / ERRORS_OF_A_CALL) }, (_, index) => index + 1)
    return runDiskFaults({ calls, onProgress: show('syscalls') })
  },
  damage: (damages, seed) => runDamage({ damages, seed, onProgress: show('damage') }),
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

function counted(name: keyof Runs, text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--${name} is a whole number`)
  return count
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
    const report = await RUNS[name](counted(name, values[name] ?? '50'), Number(values.seed ?? '1'))
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    console.log(JSON.stringify({ [name]: report, seconds }))
    isSound &&= report.faults.length === 0
  }
  return isSound
}

// Ends servers, which a signal alone would leave running.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
if (values.help === true) process.stdout.write(HELP)
else process.exitCode = (await main()) ? 0 : 1
