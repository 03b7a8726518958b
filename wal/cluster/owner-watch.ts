// Decides when a follower attempts a takeover: when the owner released the log, or when its heartbeats were missing for long enough on
// this node's clock. Clocks decide only when a node attempts it, never which node owns the log. Pure.
import type { OwnerRow } from '../log/postgres-owner.ts'

export class OwnerWatch {
  readonly #takeoverAfterMs: number
  #seen: OwnerRow | null = null
  #changedMs = 0

  constructor(takeoverAfterMs: number) {
    this.#takeoverAfterMs = takeoverAfterMs
  }

  /** Takes the owner row that was read at `nowMs` of a monotonic clock. */
  see(row: OwnerRow, nowMs: number): void {
    const before = this.#seen
    this.#seen = row
    const isSame = before !== null && row.epoch === before.epoch && row.beat === before.beat && row.lastSequence === before.lastSequence
    if (!isSame) this.#changedMs = nowMs
  }

  /** Call it when the connection was lost: missing heartbeats then do not show that the owner is down. */
  forget(): void {
    this.#seen = null
  }

  /** Returns the epoch to take the log over from; null while the owner is alive or unknown. */
  takeableEpoch(nowMs: number): number | null {
    if (this.#seen === null) return null
    const isDue = this.#seen.node === '' || nowMs - this.#changedMs >= this.#takeoverAfterMs
    return isDue ? this.#seen.epoch : null
  }
}
