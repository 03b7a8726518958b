// Decides which runs are merged next. Runs of one size class are merged when there are MERGE_FAN_IN of them. Only neighbours
// are merged, so positions of a run stay below those of the next. An entry is rewritten each time the index grows eightfold.
import { MERGE_FAN_IN, MERGE_PAUSE_MAX_MS, MERGE_PAUSE_SHARE, RUNS_UNPAUSED } from '../limits.ts'
import type { Run } from './manifest.ts'

/** Maximum entries of the smallest size class: slightly more than a segment divided by the fan-in twice. */
const SMALLEST = 1280

/** Returns the size class, from 0. Each class is up to MERGE_FAN_IN times the one before. */
export function sizeClass(count: number): number {
  let size = 0
  for (let limit = SMALLEST; count > limit; limit *= MERGE_FAN_IN) size++
  return size
}

/** Returns neighbouring runs that are due, oldest first, or null. Runs in `busy` are already being merged. */
export function planMerge(runs: readonly Run[], busy: ReadonlySet<number>): readonly Run[] | null {
  const largest = runs.reduce((size, run) => Math.max(size, sizeClass(run.count)), 0)
  for (let size = 0; size <= largest; size++) {
    const due = dueOfSize(runs, busy, size)
    if (due !== null) return due
  }
  return null
}

/** Returns how long the worker pauses after a step that took `stepMs`, while the index has `runs` runs. */
export function mergePauseMs(stepMs: number, runs: number): number {
  return runs > RUNS_UNPAUSED ? 0 : Math.min(stepMs * MERGE_PAUSE_SHARE, MERGE_PAUSE_MAX_MS)
}

/**
 * Returns the oldest sequence of runs up to `size` with MERGE_FAN_IN runs of that size, smaller ones included. More of them
 * would make a run two classes larger, which prevents merges across it.
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
