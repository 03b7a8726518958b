// What a simulated world takes and what comes of it.
import type { Coverage } from './coverage.ts'
import type { TrafficFigures } from './traffic.ts'

export interface WorldOptions {
  readonly seed: number
  readonly operations?: number
  /** Operations that are left out. */
  readonly skipped?: ReadonlySet<number>
  /** Gets one line for each operation. */
  readonly trace?: (line: string) => void
}

export interface WorldFigures extends TrafficFigures {
  operations: number
  records: number
  crashes: number
  failures: number
  ownerChanges: number
  snapshots: number
  timersFired: number
  streamReturns: number
}

export interface WorldResult {
  readonly hash: string
  readonly figures: WorldFigures
  readonly coverage: Coverage
}
