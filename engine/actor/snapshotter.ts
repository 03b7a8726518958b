// Decides when a snapshot is captured, and stores one at a time once its batch is durable.
import type { State } from '../domain/state.ts'
import { SNAPSHOT_AGE_MAX_MS, SNAPSHOT_RECORDS } from '../kernel/limits.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { Archive, Scheduler } from './ports.ts'
import { type CapturedSnapshot, captureSnapshot, type SnapshotPoint, serializeSnapshot } from './snapshot.ts'

export interface SnapshotterParts {
  readonly state: State
  readonly archive: Archive
  readonly scheduler: Scheduler
  /** The snapshot that recovery began with. */
  readonly last: Pick<SnapshotPoint, 'sequence' | 'timeMs'>
  /** Called once for each stored snapshot. */
  readonly onStored: () => void
  readonly onFailure: (error: Error) => void
}

export class Snapshotter {
  readonly #parts: SnapshotterParts
  /** Sequence of the newest snapshot that was captured. */
  sequence: number
  /** Engine's time of the last capture. */
  #timeMs: TimeMs
  /** Waits for its batch to be durable. */
  #captured: CapturedSnapshot | null = null
  #isBusy = false

  constructor(parts: SnapshotterParts) {
    this.#parts = parts
    this.sequence = parts.last.sequence
    this.#timeMs = parts.last.timeMs
  }

  /** True from the capture until the snapshot is stored. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  isDue(sequence: number, nowMs: TimeMs): boolean {
    return !this.#isBusy && (sequence - this.sequence >= SNAPSHOT_RECORDS || nowMs - this.#timeMs >= SNAPSHOT_AGE_MAX_MS)
  }

  /** Call it between two batches: every record of the state is then in a closed batch. */
  capture(point: SnapshotPoint, nowMs: TimeMs): void {
    this.#isBusy = true
    this.sequence = point.sequence
    this.#timeMs = nowMs
    this.#captured = captureSnapshot(this.#parts.state, point)
  }

  /** Stores the captured snapshot when all records through it are durable. */
  store(durableSequence: number): void {
    const captured = this.#captured
    if (captured === null || captured.point.sequence > durableSequence) return
    this.#captured = null
    const { archive, scheduler, onFailure, onStored } = this.#parts
    serializeSnapshot(captured, scheduler, (delta) => {
      archive.saveSnapshot(delta, (error) => {
        if (error !== null) return onFailure(error)
        this.#isBusy = false
        onStored()
      })
    })
  }
}
