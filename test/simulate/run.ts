// Runs seeds, shrinks the first failures, and says how to see each again.
import { execFileSync } from 'node:child_process'
import { Coverage } from './coverage.ts'
import { OPERATIONS, World, type WorldFigures, type WorldOptions, type WorldResult } from './world.ts'

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

export type RunWorld = (options: WorldOptions) => Promise<WorldResult>

export const runWorld: RunWorld = (options) => new World(options).run()

export interface RunOptions {
  readonly from: number
  readonly count: number
  /** Each of the first so many seeds runs twice: what differs is a hidden clock, randomness or order. */
  readonly twice: number
  /** Real time after which no further seed begins. */
  readonly endsMs?: number
  /** One bug usually fails many seeds. */
  readonly failuresMax?: number
  readonly run?: RunWorld
}

export async function runSeeds({
  from,
  count,
  twice,
  endsMs = Number.POSITIVE_INFINITY,
  failuresMax = 3,
  run = runWorld,
}: RunOptions): Promise<SeedsReport> {
  const failures: SeedFailure[] = []
  const coverage = new Coverage()
  const figures: Record<string, number> = {}
  let seeds = 0
  for (let seed = from; seed < from + count && failures.length < failuresMax && Date.now() < endsMs; seed++) {
    try {
      const first = await run({ seed })
      if (seed < from + twice) {
        const { hash } = await run({ seed })
        if (first.hash !== hash) throw new Error(`two runs of the same seed differ: ${first.hash} and ${hash}`)
      }
      for (const [name, value] of Object.entries(first.figures)) figures[name] = (figures[name] ?? 0) + value
      coverage.add(first.coverage)
    } catch (error) {
      failures.push({ seed, error })
    }
    seeds++
  }
  return { seeds, figures: figures as unknown as WorldFigures, coverage, failures }
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
