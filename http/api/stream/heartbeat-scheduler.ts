// Sends the heartbeats of all streams by one timer. The interval is divided into slots, and a new stream joins the slot
// with the fewest streams. Streams opened at the same time therefore get their heartbeats at different times.
import type { Clock, Scheduler } from '../../../engine/api.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { HEARTBEAT_MS, HEARTBEAT_SLOTS } from './stream-limits.ts'

export interface HeartbeatReceiver {
  heartbeat(nowMs: TimeMs): void
  /** Slot and index within the slot. The scheduler alone writes them. */
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

  add(receiver: HeartbeatReceiver): void {
    const slot = this.#emptiest()
    receiver.slot = slot
    receiver.place = (this.#slots[slot] as HeartbeatReceiver[]).push(receiver) - 1
    this.#count++
    if (this.#cancel === null) this.#plan(this.#clock.now() + SLOT_MS)
  }

  /** Removes the receiver. Idempotent. */
  remove(receiver: HeartbeatReceiver): void {
    const slot = this.#slots[receiver.slot]
    if (slot?.[receiver.place] !== receiver) return
    const last = slot.pop() as HeartbeatReceiver
    if (last !== receiver) {
      slot[receiver.place] = last
      last.place = receiver.place
    }
    this.#count--
    if (this.#count > 0) return
    this.#cancel?.()
    this.#cancel = null
  }

  /** Returns the slot with the fewest streams. Of equal slots it is the one due last: a lone stream waits nearly an interval. */
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

  /** Runs the due slots. Slots missed while the event loop was busy run once each. */
  #tick(plannedMs: TimeMs): void {
    const nowMs = this.#clock.now()
    const due = Math.min(HEARTBEAT_SLOTS, 1 + Math.max(0, Math.floor((nowMs - plannedMs) / SLOT_MS)))
    for (let count = 0; count < due; count++) {
      const slot = this.#slots[this.#next] as HeartbeatReceiver[]
      this.#next = (this.#next + 1) % HEARTBEAT_SLOTS
      // Backwards: a stream that ends during its heartbeat is replaced by the last one of the slot, which had its heartbeat.
      for (let place = slot.length - 1; place >= 0; place--) slot[place]?.heartbeat(nowMs)
    }
    const nextMs = plannedMs + due * SLOT_MS
    // After a long pause, or when the clock was set back, the plan restarts from the present time. A timer may fire a
    // millisecond early. The tolerance of a second slot prevents that each early timer shortens the interval.
    if (this.#count > 0) this.#plan(nextMs > nowMs && nextMs <= nowMs + 2 * SLOT_MS ? nextMs : nowMs + SLOT_MS)
    else this.#cancel = null
  }
}
