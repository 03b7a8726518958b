// `npm run simulate`: worlds of every noun on a simulated clock, log and network. An interrupted run prints what was done.
import { commandLine, wholeNumber } from '../../support/command-line.ts'
import { numbersOf, writeProofResult } from '../../support/proof-result.ts'
import { runJobs } from './jobs.ts'
import { failureText, runSeeds, runWorld, type SeedsReport } from './run.ts'
import { OPERATIONS } from './world.ts'

const USAGE = `npm run simulate -- [--seeds 200] [options]
  --seed N          runs one seed
  --seeds K         runs K seeds (200); --from N begins at seed N (1)
  --minutes M       runs as many seeds as fit
  --jobs J          in so many processes (1)
  --twice K         runs the first K seeds a second time, which must give the same hash (100)
  --only 1,2,3      with --seed: leaves all other operations out
  --trace           with --seed: prints each operation
  --coverage        fails where a cell of the coverage is empty: for thousands of seeds
Exit code 1: a seed failed. Its output says what, and the command that repeats it.`

const values = commandLine(USAGE, {
  seed: { type: 'string' },
  seeds: { type: 'string' },
  minutes: { type: 'string' },
  from: { type: 'string', default: '1' },
  only: { type: 'string' },
  twice: { type: 'string', default: '100' },
  jobs: { type: 'string', default: '1' },
  trace: { type: 'boolean', default: false },
  coverage: { type: 'boolean', default: false },
})

const JOBS_MAX = 16
const PROGRESS_MS = 5 * 60_000

const startedMs = performance.now()
if (values.seed !== undefined && (values.only !== undefined || values.trace)) await runOne(wholeNumber('seed', values.seed))
else await runMany()

async function runOne(seed: number): Promise<void> {
  const only = values.only === undefined ? null : new Set(values.only.split(',').map((number) => wholeNumber('only', number)))
  const skipped = new Set(Array.from({ length: OPERATIONS }, (_, number) => number).filter((number) => only?.has(number) === false))
  const { hash, figures } = await runWorld({
    seed,
    skipped,
    ...(values.trace || only !== null ? { trace: (line) => console.log(line) } : {}),
  })
  console.log(`seed ${seed} holds: ${hash} ${JSON.stringify(figures)}`)
}

async function runMany(): Promise<void> {
  const from = wholeNumber('from', values.seed ?? values.from)
  const minutes = values.minutes === undefined ? null : wholeNumber('minutes', values.minutes)
  const count = values.seed === undefined ? wholeNumber('seeds', values.seeds ?? (minutes === null ? '200' : '1000000000')) : 1
  const ends = minutes === null ? {} : { endsMs: Date.now() + minutes * 60_000 }
  const jobs = wholeNumber('jobs', values.jobs, 1, JOBS_MAX)
  const options = { from, count, twice: wholeNumber('twice', values.twice), signal: interruption(), onReport: progress(), ...ends }
  const report = await (jobs === 1 ? runSeeds(options) : runJobs({ ...options, jobs }))
  print(report)
  if (values.seed === undefined)
    writeProofResult('simulate', { ...numbersOf(report.figures), seeds: report.seeds, from, 'failed seeds': report.failures.length })
  if (options.signal.aborted) console.error('interrupted')
  else for (const failure of report.failures) console.error(await failureText(failure))
  if (report.failures.length > 0 || options.signal.aborted) process.exitCode = 1
}

function print({ seeds, figures, coverage }: SeedsReport): void {
  const seconds = (performance.now() - startedMs) / 1000
  if (values.seed === undefined) console.log(`${coverage.text}\n`)
  const speed = `${Math.round(seconds)} s, ${Math.round((seeds * OPERATIONS) / seconds)} operations/s`
  console.log(`${seeds} seeds in ${speed}: ${JSON.stringify(figures)}`)
  const empty = values.coverage ? coverage.emptyOfMany : []
  if (empty.length === 0) return
  for (const cell of empty) console.error(`nothing has filled the cell ${cell}`)
  process.exitCode = 1
}

/** Prints each failure when it comes, because a run may be ended before its end, and how far the run is now and then. */
function progress(): (report: SeedsReport) => void {
  let printedMs = performance.now()
  let printedFailures = 0
  return ({ seeds, failures }) => {
    for (const { seed, error } of failures.slice(printedFailures)) console.error(`seed ${seed} failed: ${String(error).split('\n')[0]}`)
    printedFailures = failures.length
    if (performance.now() - printedMs < PROGRESS_MS) return
    printedMs = performance.now()
    console.error(`${seeds} seeds so far, ${failures.length} failed`)
  }
}

/** Aborted by the first interruption; a second one ends the process at once. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}
