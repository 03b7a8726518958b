// Heartbeats of all streams by one timer: the interval is cut into slots, each stream beats in one of them, and the
// emptiest slot takes the next, so that streams that were opened together do not beat together.
import type { Clock, Scheduler } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { HEARTBEAT_MS, HEARTBEAT_SLOTS } from './stream-limits.ts'

export interface HeartbeatReceiver {
  beat(nowMs: TimeMs): void
  /** Where it stands; the wheel's own. */
  slot: number
  place: number
}

const SLOT_MS = HEARTBEAT_MS / HEARTBEAT_SLOTS

export class HeartbeatScheduler {
  readonly #slots: HeartbeatReceiver[][] = Array.from({ length: HEARTBEAT_SLOTS }, () => [])
  readonly #clock: Clock
  readonly #scheduler: Scheduler
  #count = 0
  #next = 0
  #cancel: (() => void) | null = null

  constructor(clock: Clock, scheduler: Scheduler) {
    this.#clock = clock
    this.#scheduler = scheduler
  }

  get count(): number {
    return this.#count
  }

  add(beating: HeartbeatReceiver): void {
    const slot = this.#emptiest()
    beating.slot = slot
    beating.place = (this.#slots[slot] as HeartbeatReceiver[]).push(beating) - 1
    this.#count++
    if (this.#cancel === null) this.#plan(this.#clock.now() + SLOT_MS)
  }

  /** Harmless when called again. */
  remove(beating: HeartbeatReceiver): void {
    const slot = this.#slots[beating.slot]
    if (slot?.[beating.place] !== beating) return
    const last = slot.pop() as HeartbeatReceiver
    if (last !== beating) {
      slot[beating.place] = last
      last.place = beating.place
    }
    this.#count--
    if (this.#count > 0) return
    this.#cancel?.()
    this.#cancel = null
  }

  /** The first of those with the fewest, from the one that beats last on: a lone stream waits nearly a whole interval. */
  #emptiest(): number {
    let best = (this.#next + HEARTBEAT_SLOTS - 1) % HEARTBEAT_SLOTS
    for (let step = 2; step <= HEARTBEAT_SLOTS; step++) {
      const slot = (this.#next + HEARTBEAT_SLOTS - step) % HEARTBEAT_SLOTS
      if ((this.#slots[slot] as HeartbeatReceiver[]).length < (this.#slots[best] as HeartbeatReceiver[]).length) best = slot
    }
    return best
  }

  #plan(atMs: TimeMs): void {
    this.#cancel = this.#scheduler.at(atMs, () => this.#tick(atMs))
  }

  /** Slots that were missed while the loop was busy are made up for, each once. */
  #tick(plannedMs: TimeMs): void {
    const nowMs = this.#clock.now()
    const due = Math.min(HEARTBEAT_SLOTS, 1 + Math.max(0, Math.floor((nowMs - plannedMs) / SLOT_MS)))
    for (let count = 0; count < due; count++) {
      const slot = this.#slots[this.#next] as HeartbeatReceiver[]
      this.#next = (this.#next + 1) % HEARTBEAT_SLOTS
      // From the back: a stream that ends in its own beat is replaced by one that has beaten already.
      for (let place = slot.length - 1; place >= 0; place--) slot[place]?.beat(nowMs)
    }
    const nextMs = plannedMs + due * SLOT_MS
    // After a long pause, or with a clock that was set back, the wheel begins anew instead of waiting for its time. A timer
    // may ring a millisecond early, which must not shorten the interval two hundred times over: hence the second slot.
    if (this.#count > 0) this.#plan(nextMs > nowMs && nextMs <= nowMs + 2 * SLOT_MS ? nextMs : nowMs + SLOT_MS)
    else this.#cancel = null
  }
}
