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

/** Looks at the newest runs that are not larger than `size`: with enough of that size among them, up to the last of these. */
function dueOfSize(runs: readonly Run[], busy: ReadonlySet<number>, size: number): readonly Run[] | null {
  let ofSize = 0
  let newest = -1
  let at = runs.length - 1
  for (; at >= 0; at--) {
    const run = runs[at] as Run
    const itsSize = sizeClass(run.count)
    if (itsSize > size || busy.has(run.number)) break
    if (itsSize === size) {
      ofSize++
      if (newest < 0) newest = at
    }
  }
  return ofSize >= MERGE_FAN_IN ? runs.slice(at + 1, newest + 1) : null
}
