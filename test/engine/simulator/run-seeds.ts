// Runs worlds by their seeds, each twice: what differs between the two runs is a hidden clock, randomness or order.
import { noFigures, type WorldFigures, type WorldResult } from './figures.ts'
import { World } from './world.ts'

export interface SeedFailure {
  readonly seed: number
  readonly error: unknown
}

export interface SeedsReport {
  readonly worlds: number
  readonly figures: WorldFigures
  readonly failures: readonly SeedFailure[]
}

export const runWorld = (seed: number): Promise<WorldResult> => new World(seed).run()

/** Stops at `failuresMax`: one bug usually fails many seeds. */
export async function runSeeds(from: number, count: number, run = runWorld, failuresMax = 3): Promise<SeedsReport> {
  const failures: SeedFailure[] = []
  const figures = noFigures()
  let worlds = 0
  for (let seed = from; seed < from + count && failures.length < failuresMax; seed++) {
    try {
      const first = await run(seed)
      const second = await run(seed)
      if (first.hash !== second.hash) throw new Error(`two runs of the same seed differ: ${first.hash} and ${second.hash}`)
      for (const name of Object.keys(figures) as (keyof WorldFigures)[]) figures[name] += first.figures[name]
    } catch (error) {
      failures.push({ seed, error })
    }
    worlds++
  }
  return { worlds, figures, failures }
}

/** What to read when a seed fails, the way to see it again first. */
export function failureText({ seed, error }: SeedFailure): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `seed ${seed} failed; again: node --import tsx test/engine/simulator/main.ts --from ${seed} --seeds 1\n${what}`
}
