// What the stall tracer writes when its server ends. Times are microseconds of the monotonic clock of `process.hrtime`.
import type { Window } from '../cpu-profile.ts'

/** Shortest stall or commit that is kept. */
export const KEPT_FROM_US = 2000
/** Maximum of kept entries of each kind. */
export const KEPT_MAX = 100_000
/** Period of the probe of the event loop. */
export const PROBE_MS = 1

/** A time in which the event loop ran no timer. */
export interface LoopStall extends Window {
  /** Processor time of the main thread in it; null without /proc. */
  readonly cpuUs: number | null
  /** Time in which the thread was ready to run and no core was free. */
  readonly queuedUs: number | null
}

export interface Collection extends Window {
  readonly kind: string
}

export interface TraceFile {
  readonly stalls: readonly LoopStall[]
  readonly collections: readonly Collection[]
  /** From the append to the callback on the loop. */
  readonly commits: readonly Window[]
}

/** Environment variable with the path of the trace. Without it the tracer does nothing. */
export const TRACE_VARIABLE = 'CAURI_BENCH_TRACE'
