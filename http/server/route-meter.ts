// Counts of one endpoint: plain numbers on the hot path. Metrics read them on request.
import { Tally } from './tally.ts'

const DURATION_BOUNDS_MS = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 25, 50, 100, 250, 1000, 5000, 15_000] as const

export class RouteMeter {
  readonly statuses = new Map<number, number>()
  readonly durationsMs = new Tally(DURATION_BOUNDS_MS)

  count(status: number, durationMs: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.durationsMs.add(durationMs)
  }
}
