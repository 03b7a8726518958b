// Queue of the calls of an outbox: which ids wait for their time, which are queued or active, and when the next call begins. The
// concurrency limiter decides how many calls are active. The owner of the queue makes the calls and records their results.
import type { Clock, Scheduler } from '../../engine/api.ts'
import type { TimeMs } from '../../engine/kernel/time.ts'
import { TimerQueue } from '../../engine/kernel/timer-queue.ts'
import type { ConcurrencyLimiter, Turn } from './webhooks/concurrency-limiter.ts'

export interface CallQueueParts {
  readonly limiter: ConcurrencyLimiter
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Returns the engine's time, by which ids are due. */
  readonly nowMs: () => TimeMs
  /** False when the disk is nearly full. No call then begins, because an unrecorded attempt would repeat for ever. */
  readonly canWrite: () => boolean
  /** Time after which a full disk is looked at again. */
  readonly diskPauseMs: TimeMs
  /** Begins the call of a turn, which ends by `end` or `fail`. */
  readonly begin: (turn: Turn) => void
  /** Plans an id whose time has come. */
  readonly onDue: (id: string) => void
  /** Plans an id whose call has ended, where there is more to do for it. */
  readonly onEnded: (id: string) => void
}

const TIMER = 'call'

export class CallQueue {
  readonly #parts: CallQueueParts
  /** Due times of waiting ids. */
  readonly #timers = new TimerQueue()
  /** Queued, active or unrecorded ids, which are not planned again, with the key of their limit. */
  readonly #busy = new Map<string, string>()
  readonly #active = new Set<string>()
  #cancelWake: () => void = () => {}
  #wakeMs: TimeMs | null = null
  #pumpPlanned = false
  #stopped = false
  #onIdle: (() => void) | null = null

  constructor(parts: CallQueueParts) {
    this.#parts = parts
  }

  /** Number of active calls, including the recording of their results. */
  get running(): number {
    return this.#parts.limiter.running
  }

  /** Number of queued, active or unrecorded ids. */
  get busy(): number {
    return this.#busy.size
  }

  isBusy(id: string): boolean {
    return this.#busy.has(id)
  }

  /** Plans the id at a time. It sets the alarm itself: a caller outside of `end` would otherwise wait for the next call. */
  waitUntil(id: string, dueMs: TimeMs): void {
    this.#timers.set(TIMER, id, dueMs)
    if (this.#wakeMs === null || dueMs < this.#wakeMs) this.#planWake(dueMs)
  }

  /** Queues the id under the key of its limit. `owner` shares the slots over its keys. */
  put(key: string, id: string, owner?: string): void {
    this.#timers.cancel(TIMER, id)
    this.#busy.set(id, key)
    this.#parts.limiter.put(key, id, owner)
  }

  /** Forgets an id that ended without a call. An active call goes on. */
  drop(id: string): void {
    this.#timers.cancel(TIMER, id)
    const key = this.#busy.get(id)
    if (key === undefined || this.#active.has(id)) return
    this.#busy.delete(id)
    this.#parts.limiter.drop(key, id)
  }

  /** Keeps the id from being planned while a result without a call is recorded. */
  hold(id: string): void {
    this.#busy.set(id, '')
  }

  release(id: string): void {
    this.#busy.delete(id)
  }

  /** Called after planning: begins calls soon. */
  pumpSoon(): void {
    this.#planWake(this.#timers.nextDueMs())
    if (this.#pumpPlanned) return
    this.#pumpPlanned = true
    this.#parts.scheduler.soon(this.#pump)
  }

  /** Ends a call after its result is durable. */
  end(turn: Turn, good: boolean): void {
    this.#busy.delete(turn.id)
    this.#active.delete(turn.id)
    this.#parts.limiter.done(turn, good)
    this.#parts.onEnded(turn.id)
    if (this.#parts.limiter.running === 0) this.#onIdle?.()
    this.pumpSoon()
  }

  /** Ends a call that failed because of a bug. The id stays busy until the next start, because a retry would hit the same bug. */
  fail(turn: Turn): void {
    this.#active.delete(turn.id)
    this.#parts.limiter.done(turn, false)
    this.pumpSoon()
  }

  /** Begins no further calls. Resolves when the active ones are recorded, after at most `maxMs`. */
  async stop(maxMs: number): Promise<void> {
    this.#stopped = true
    this.#cancelWake()
    const { limiter, clock, scheduler } = this.#parts
    if (limiter.running === 0) return
    await new Promise<void>((resolve) => {
      const cancel = scheduler.at(clock.now() + maxMs, resolve)
      this.#onIdle = () => {
        cancel()
        resolve()
      }
    })
  }

  readonly #pump = (): void => {
    this.#pumpPlanned = false
    if (this.#stopped) return
    const { limiter, clock, canWrite, diskPauseMs, begin } = this.#parts
    if (!canWrite()) return this.#planWake(clock.now() + diskPauseMs)
    for (let turn = limiter.take(); turn !== null; turn = limiter.take()) {
      this.#active.add(turn.id)
      begin(turn)
    }
  }

  /** Sets one alarm. */
  #planWake(atMs: TimeMs | null): void {
    if (this.#stopped || atMs === this.#wakeMs) return
    this.#cancelWake()
    this.#wakeMs = atMs
    this.#cancelWake = atMs === null ? () => {} : this.#parts.scheduler.at(atMs, this.#wake)
  }

  readonly #wake = (): void => {
    this.#wakeMs = null
    const nowMs = this.#parts.nowMs()
    for (let timer = this.#timers.takeDue(nowMs); timer !== null; timer = this.#timers.takeDue(nowMs)) this.#parts.onDue(timer.key)
    this.pumpSoon()
  }
}
