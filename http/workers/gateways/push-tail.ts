// Follows the log for pushes: which ones have not had a recorded first attempt, and how far all have. The log itself is
// the queue. Memory holds a bounded part of it.
import { type LogRecord, MESSAGE_LIFETIMES_MS, type PushProgress } from '../../../engine/api.ts'
import { type Position, positionOf, sequenceOf } from '../../../engine/kernel/position.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { PUSHES_AHEAD_MAX } from './gateway-limits.ts'
import type { PlannedPush, PushSelection } from './push.ts'

export interface WaitingPush extends PlannedPush {
  readonly position: Position
  readonly record: LogRecord
  /** End of its lifetime: no attempt begins later. */
  readonly untilMs: TimeMs
  /** Attempts so far; more than one only where no room was left among the open messages. */
  attempts: number
}

export class PushTail {
  readonly #selection: Pick<PushSelection, 'of'>
  /** Ascending by position, because records come in order. */
  readonly #waiting = new Map<Position, WaitingPush>()
  /** Ended, while an older one waits. */
  readonly #ended = new Set<Position>()
  #readThrough: number

  /** Continues where the recorded progress ends, or at a later sequence. */
  constructor(selection: Pick<PushSelection, 'of'>, from: number, progress: PushProgress | null) {
    this.#selection = selection
    this.#readThrough = from
    for (const position of progress?.beyond ?? []) if (sequenceOf(position) > from) this.#ended.add(position)
  }

  /** Sequence of the last record that was read. */
  get readThrough(): number {
    return this.#readThrough
  }

  /** False while so many wait that the next record stays in the log. */
  get hasRoom(): boolean {
    return this.#waiting.size + this.#ended.size < PUSHES_AHEAD_MAX
  }

  /** Takes the next record and returns its pushes that have not ended. */
  read(record: LogRecord): readonly WaitingPush[] {
    this.#readThrough = record.sequence
    const pushes = this.#selection.of(record)
    if (pushes.length === 0) return NOTHING
    const fresh: WaitingPush[] = []
    for (const push of pushes) {
      const position = positionOf(record.sequence, push.frameIndex)
      if (this.#ended.has(position)) continue
      const waiting: WaitingPush = { ...push, position, record, untilMs: record.timeMs + MESSAGE_LIFETIMES_MS.push, attempts: 0 }
      this.#waiting.set(position, waiting)
      fresh.push(waiting)
    }
    return fresh
  }

  waiting(position: Position): WaitingPush | undefined {
    return this.#waiting.get(position)
  }

  /** The push has ended, or is an open message. */
  end(position: Position): void {
    this.#waiting.delete(position)
    this.#ended.add(position)
  }

  /** Returns the progress to record, and drops what it covers. */
  progress(): PushProgress {
    const [oldest] = this.#waiting.keys()
    const through = oldest === undefined ? this.#readThrough : sequenceOf(oldest) - 1
    for (const position of this.#ended) if (sequenceOf(position) <= through) this.#ended.delete(position)
    return { through, beyond: [...this.#ended] }
  }
}

const NOTHING: readonly WaitingPush[] = []
