// Runs seeds, shrinks the first failures, and says how to see each again.
import { execFileSync } from 'node:child_process'
import { Coverage } from './coverage.ts'
import { OPERATIONS, World } from './world.ts'
import type { WorldFigures, WorldOptions, WorldResult } from './world-result.ts'

export interface SeedFailure {
  readonly seed: number
  readonly error: unknown
}

export interface SeedsReport {
  readonly seeds: number
  readonly figures: WorldFigures
  readonly coverage: Coverage
  readonly failures: readonly SeedFailure[]
}

/** One bug usually fails many seeds. */
export const FAILURES_MAX = 3

export type RunWorld = (options: WorldOptions) => Promise<WorldResult>

export const runWorld: RunWorld = (options) => new World(options).run()

export interface RunOptions {
  readonly from: number
  readonly count: number
  /** Each of the first so many seeds runs twice: what differs is a hidden clock, randomness or order. */
  readonly twice: number
  /** Real time after which no further seed begins. */
  readonly endsMs?: number
  /** No further seed begins once it is aborted. */
  readonly signal?: AbortSignal
  /** Called with what is done so far, after a seed or a few of them. */
  readonly onReport?: (report: SeedsReport) => void
  readonly failuresMax?: number
  readonly run?: RunWorld
}

export async function runSeeds({
  from,
  count,
  twice,
  endsMs = Number.POSITIVE_INFINITY,
  signal,
  onReport,
  failuresMax = FAILURES_MAX,
  run = runWorld,
}: RunOptions): Promise<SeedsReport> {
  const total = new Total()
  const { failures } = total
  for (let seed = from; seed < from + count && failures.length < failuresMax && Date.now() < endsMs; seed++) {
    if (signal?.aborted === true) break
    try {
      const first = await run({ seed })
      if (seed < from + twice) {
        const { hash } = await run({ seed })
        if (first.hash !== hash) throw new Error(`two runs of the same seed differ: ${first.hash} and ${hash}`)
      }
      total.add({ seeds: 1, figures: first.figures, coverage: first.coverage, failures: [] })
    } catch (error) {
      total.add({ seeds: 1, figures: {}, coverage: null, failures: [{ seed, error }] })
    }
    onReport?.(total)
  }
  return total
}

/** What several runs of seeds found together. */
export class Total implements SeedsReport {
  seeds = 0
  readonly coverage = new Coverage()
  readonly failures: SeedFailure[] = []
  readonly #figures: Record<string, number> = {}

  get figures(): WorldFigures {
    return this.#figures as unknown as WorldFigures
  }

  add({ seeds, figures, coverage, failures }: Part): void {
    this.seeds += seeds
    for (const [name, value] of Object.entries(figures)) this.#figures[name] = (this.#figures[name] ?? 0) + value
    if (coverage !== null) this.coverage.add(coverage.counts)
    this.failures.push(...failures)
  }
}

interface Part {
  readonly seeds: number
  readonly figures: object
  readonly coverage: Coverage | null
  readonly failures: readonly SeedFailure[]
}

/** Runs that shrinking may take. */
const SHRINK_RUNS_MAX = 120

/** The operations that still fail when all others are left out, as far as the runs reach. */
export async function shrink(seed: number, run: RunWorld = runWorld, operations = OPERATIONS): Promise<number[]> {
  let kept = Array.from({ length: operations }, (_, number) => number)
  let runs = 0
  const fails = async (numbers: readonly number[]): Promise<boolean> => {
    runs++
    const wanted = new Set(numbers)
    const skipped = new Set(Array.from({ length: operations }, (_, number) => number).filter((number) => !wanted.has(number)))
    try {
      await run({ seed, skipped, operations })
      return false
    } catch {
      return true
    }
  }
  for (let size = Math.ceil(kept.length / 2); size >= 1 && runs < SHRINK_RUNS_MAX; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = kept.length; end > 0 && runs < SHRINK_RUNS_MAX; end -= size) {
      const without = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)]
      if (await fails(without)) kept = without
    }
  }
  return kept
}

/** What to read when a seed fails: the way to see it again first. */
export async function failureText({ seed, error }: SeedFailure, run: RunWorld = runWorld): Promise<string> {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const kept = new Set(await shrink(seed, run))
  const lines: string[] = []
  const skipped = new Set(Array.from({ length: OPERATIONS }, (_, number) => number).filter((number) => !kept.has(number)))
  let shortest = ''
  try {
    await run({ seed, skipped, trace: (line) => lines.push(line) })
  } catch (shorter) {
    shortest = shorter instanceof Error ? shorter.message : String(shorter)
  }
  const again = `npm run simulate -- --seed ${seed} --only ${[...kept].join(',')}`
  return [
    `seed ${seed} failed at commit ${commit()}; again: npm run simulate -- --seed ${seed}`,
    what,
    `the shortest history found: ${again}`,
    ...lines,
    shortest,
  ].join('\n')
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return 'unknown'
  }
}
