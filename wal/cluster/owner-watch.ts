// Decides when a follower tries to take the log over: when the owner released it, or has shown no sign of life for long enough on this
// node's own clock. Clocks decide only when a node tries, never which node owns the log. Pure.
import type { OwnerRow } from '../log/postgres-owner.ts'

export class OwnerWatch {
  readonly #takeoverAfterMs: number
  #seen: OwnerRow | null = null
  #changedMs = 0

  constructor(takeoverAfterMs: number) {
    this.#takeoverAfterMs = takeoverAfterMs
  }

  /** The owner row as it was read at `nowMs` of a clock that never goes back. */
  see(row: OwnerRow, nowMs: number): void {
    const before = this.#seen
    this.#seen = row
    const isSame = before !== null && row.epoch === before.epoch && row.beat === before.beat && row.lastSequence === before.lastSequence
    if (!isSame) this.#changedMs = nowMs
  }

  /** The connection was lost: silence from here on says nothing of the owner, which may have lost it too. */
  forget(): void {
    this.#seen = null
  }

  /** The epoch to take the log over from; null while its owner lives or nothing is known. */
  takeableEpoch(nowMs: number): number | null {
    if (this.#seen === null) return null
    const isDue = this.#seen.node === '' || nowMs - this.#changedMs >= this.#takeoverAfterMs
    return isDue ? this.#seen.epoch : null
  }
}
