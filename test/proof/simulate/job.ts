// A process of a long run: runs the slices of seeds that the run sends, one after the other, and reports each.
import type { CoverageCounts } from './coverage.ts'
import { runSeeds } from './run.ts'
import type { WorldFigures } from './world-result.ts'

export interface Slice {
  readonly from: number
  readonly count: number
  /** The first so many seeds of the slice run twice. */
  readonly twice: number
}

export interface SliceReport {
  readonly seeds: number
  readonly figures: Partial<WorldFigures>
  readonly coverage: CoverageCounts
  readonly failures: readonly { readonly seed: number; readonly text: string }[]
}

// A terminal interrupts all processes of the run at once; the run ends this one.
process.on('SIGINT', () => {})
process.on('message', async (slice: Slice) => {
  const { seeds, figures, coverage, failures } = await runSeeds(slice)
  const texts = failures.map(({ seed, error }) => ({ seed, text: error instanceof Error ? (error.stack ?? error.message) : String(error) }))
  const report: SliceReport = { seeds, figures, coverage: coverage.counts, failures: texts }
  process.send?.(report)
})
process.on('disconnect', () => process.exit())
