// Feeds pushes from the log to the outbox: record by record while it keeps up, else by reading the log again. So memory
// holds a bounded number of pushes, and a start continues where the last one ended.
import type { Clock, EngineApi, LogRecord, PushProgress, Scheduler } from '../../../engine/api.ts'
import type { Position } from '../../../engine/kernel/position.ts'
import { PUSH_RECORDS_UNRECORDED_MAX, RECORDS_PER_READ } from './gateway-limits.ts'
import { PushSelection } from './push.ts'
import { PushTail, type WaitingPush } from './push-tail.ts'

export interface PushFeedParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly clock: Clock
  readonly scheduler: Scheduler
  readonly onPush: (push: WaitingPush) => void
  /** Called after pushes of a read, and when progress is to be recorded without one. */
  readonly onRead: (news: 'pushes' | 'progress') => void
}

export class PushFeed {
  readonly #parts: PushFeedParts
  #tail: PushTail | null = null
  /** False while records stay in the log because too many pushes wait, or because the log is still being read. */
  #isFollowing = false
  #isReadPlanned = false
  #recordedThrough = 0
  #stopped = false

  constructor(parts: PushFeedParts) {
    this.#parts = parts
  }

  start(): void {
    const { engine, onRead } = this.#parts
    const from = engine.query('pushes.from', null)
    const progress = engine.query('pushes.progress', null)
    this.#tail = new PushTail(new PushSelection(engine, 'devices'), from, progress)
    this.#recordedThrough = from
    // Recorded before the first payment, so that no crash loses a push between this start and the first result.
    if (progress === null) onRead('progress')
    this.#readSoon()
  }

  record(record: LogRecord): void {
    const tail = this.#tail
    if (tail === null || !this.#isFollowing) return
    if (tail.hasRoom && record.sequence === tail.readThrough + 1) this.#take(tail, record)
    else this.#readSoon()
  }

  waiting(position: Position): WaitingPush | undefined {
    return this.#tail?.waiting(position)
  }

  /** The push has ended, or is about to become an open message. */
  end(position: Position): void {
    this.#tail?.end(position)
  }

  /** Returns the progress to record, which makes room for further pushes; null before the start. */
  progress(): PushProgress | null {
    if (this.#tail === null) return null
    const progress = this.#tail.progress()
    this.#recordedThrough = progress.through
    if (!this.#isFollowing) this.#readSoon()
    return progress
  }

  stop(): void {
    this.#stopped = true
  }

  #take(tail: PushTail, record: LogRecord): boolean {
    const pushes = tail.read(record)
    for (const push of pushes) this.#parts.onPush(push)
    if (tail.readThrough - this.#recordedThrough >= PUSH_RECORDS_UNRECORDED_MAX) {
      this.#recordedThrough = tail.readThrough
      this.#parts.onRead('progress')
    }
    return pushes.length > 0
  }

  #readSoon(): void {
    this.#isFollowing = false
    if (this.#isReadPlanned || this.#stopped || this.#tail?.hasRoom !== true) return
    this.#isReadPlanned = true
    const { clock, scheduler } = this.#parts
    scheduler.at(clock.now(), this.#read)
  }

  /** Reads the next records of the log. At its end, records come by `record` again. */
  readonly #read = (): void => {
    this.#isReadPlanned = false
    const tail = this.#tail
    if (this.#stopped || tail === null) return
    const records = this.#parts.engine.query('pushes.recordsAfter', { after: tail.readThrough, limit: RECORDS_PER_READ })
    let hasNews = false
    for (const record of records) {
      if (!tail.hasRoom) break
      hasNews = this.#take(tail, record) || hasNews
    }
    if (hasNews) this.#parts.onRead('pushes')
    if (records.length < RECORDS_PER_READ && tail.hasRoom) this.#isFollowing = true
    else this.#readSoon()
  }
}
