// Which runs are merged next. Runs of about one size wait until there are MERGE_FAN_IN of them; only neighbours are
// merged, so each run's positions stay below the next one's. An entry is rewritten once for each eightfold of the index.
import { MERGE_FAN_IN } from '../limits.ts'
import type { Run } from './manifest.ts'

/** Runs up to this many entries are of the smallest size; a little more than a segment divided by the fan-in, twice. */
const SMALLEST = 1280

/** From 0; each size is up to MERGE_FAN_IN times the one before. */
export function sizeClass(count: number): number {
  let size = 0
  for (let limit = SMALLEST; count > limit; limit *= MERGE_FAN_IN) size++
  return size
}

/** Neighbouring runs that are due, oldest first, or null. Runs in `busy` are being merged already. */
export function planMerge(runs: readonly Run[], busy: ReadonlySet<number>): readonly Run[] | null {
  const largest = runs.reduce((size, run) => Math.max(size, sizeClass(run.count)), 0)
  for (let size = 0; size <= largest; size++) {
    const due = dueOfSize(runs, busy, size)
    if (due !== null) return due
  }
  return null
}

/**
 * The oldest stretch of runs that are not larger than `size`, up to the last of MERGE_FAN_IN of that size: never more of them, or
 * the new run would be two sizes larger and keep apart what is on its both sides. Smaller ones between them go along.
 */
function dueOfSize(runs: readonly Run[], busy: ReadonlySet<number>, size: number): readonly Run[] | null {
  let from = 0
  let ofSize = 0
  for (let at = 0; at < runs.length; at++) {
    const run = runs[at] as Run
    const itsSize = sizeClass(run.count)
    if (itsSize > size || busy.has(run.number)) {
      from = at + 1
      ofSize = 0
    } else if (itsSize === size && ++ofSize === MERGE_FAN_IN) return runs.slice(from, at + 1)
  }
  return null
}
