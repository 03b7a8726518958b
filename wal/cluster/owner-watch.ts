// Decides when a follower attempts a takeover: when the owner released the log, or when its heartbeats were missing for long enough on
// this node's clock. Clocks decide only when a node attempts it, never which node owns the log. Pure.
import type { NodeName, OwnerRow } from '../log/postgres-owner.ts'

/** Why a takeover is due. `own`: the row names this node, which owned the log before it was restarted, or whose takeover failed. */
export type TakeoverReason = 'released' | 'silent' | 'own'

export class OwnerWatch {
  readonly #takeoverAfterMs: number
  readonly #name: NodeName
  #seen: OwnerRow | null = null
  #changedMs = 0

  constructor(takeoverAfterMs: number, name: NodeName) {
    this.#takeoverAfterMs = takeoverAfterMs
    this.#name = name
  }

  /** Takes the owner row that was read at `nowMs` of a monotonic clock. */
  see(row: OwnerRow, nowMs: number): void {
    const before = this.#seen
    this.#seen = row
    if (before === null || !isUnchanged(before, row)) this.#changedMs = nowMs
  }

  /** Call it when the connection was lost: missing heartbeats then do not show that the owner is down. */
  forget(): void {
    this.#seen = null
  }

  /** Returns why the log may be taken over; null while the owner is alive or unknown. */
  due(nowMs: number): TakeoverReason | null {
    if (this.#seen === null) return null
    const { node, url } = this.#seen
    if (node === '') return 'released'
    if (node === this.#name.node && url === this.#name.url) return 'own'
    return nowMs - this.#changedMs >= this.#takeoverAfterMs ? 'silent' : null
  }

  /** Returns the time until the owner counts as silent if it shows no change. */
  leftMs(nowMs: number): number {
    return this.#seen === null ? this.#takeoverAfterMs : Math.max(0, this.#changedMs + this.#takeoverAfterMs - nowMs)
  }
}

/** Returns whether the owner has shown no sign of life between the two reads. */
export function isUnchanged(one: OwnerRow, other: OwnerRow): boolean {
  return one.epoch === other.epoch && one.beat === other.beat && one.alive === other.alive && one.lastSequence === other.lastSequence
}
