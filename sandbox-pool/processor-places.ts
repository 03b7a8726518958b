// Threads that compute for long share a few places between them, so that a core stays free for the server whatever merchants'
// code does: priorities alone let every spinning thread have its slice, and payouts wait behind all of them. Live customers
// go first. Threads of one process; a place is a lease, so a thread that is ended takes none with it.
import { availableParallelism } from 'node:os'
import { PLACE_LEASE_MS, PLACE_PATIENCE_MS, PLACE_SHARE_MS } from './limits.ts'
import { monotonicMs } from './thread-clock.ts'

/** Word 0 counts places that came free: what waits for one sleeps on it. Word 1 never changes: for short sleeps. */
const FREED = 0
const ASLEEP = 1
/** Word 2: until when a live run waits for a place, which it says again and again; 0 when none ever did. */
const LIVE_UNTIL = 2
const FIRST_PLACE = 3
/** The other words are places: 0 when free, else when the lease ends, in ms of the monotonic clock. */
const FREE = 0
/** Long enough for a sleeping thread to take the place that another has just left. */
const HAND_OVER_MS = 2
/** How long nobody looks whether a lease has ended. */
const LOOK_AGAIN_MS = 50
const TIME_MASK = 0x3fff_ffff

/** One less than the machine has cores, and at least one. */
export function sharedPlaces(count = Math.max(1, availableParallelism() - 1)): SharedArrayBuffer {
  return new SharedArrayBuffer((FIRST_PLACE + count) * Int32Array.BYTES_PER_ELEMENT)
}

/** A thread's place, or its wait for one. */
export class ProcessorPlace {
  readonly #words: Int32Array
  readonly #leaseMs: number
  /** Index of the place that is held; 0 for none. */
  #place = 0
  #leaseEnd = FREE
  #sinceMs = 0
  /** Of the wait that is under way; 0 for none. */
  #waitingSinceMs = 0

  constructor(shared: SharedArrayBuffer, leaseMs = PLACE_LEASE_MS) {
    this.#words = new Int32Array(shared)
    this.#leaseMs = leaseMs
  }

  get isHeld(): boolean {
    return this.#place !== 0
  }

  /** None is held, or one for so long that others should have their share: at once where a live run waits. */
  isDue(isLive: boolean): boolean {
    if (this.#place === 0) return true
    const nowMs = monotonicMs()
    return nowMs - this.#sinceMs >= PLACE_SHARE_MS || (!isLive && this.#isWantedLive(nowMs))
  }

  /**
   * Takes a place, or waits for one at most until `untilMs` of the monotonic clock; answers whether one is held. One that was
   * held goes first to those who wait. A run that is not live leaves places to live ones, but not for ever.
   */
  take(isLive: boolean, untilMs: number): boolean {
    if (this.#place !== 0) {
      this.leave()
      Atomics.wait(this.#words, ASLEEP, 0, HAND_OVER_MS)
    }
    if (this.#waitingSinceMs === 0) this.#waitingSinceMs = monotonicMs()
    for (;;) {
      const freed = Atomics.load(this.#words, FREED)
      const nowMs = monotonicMs()
      if (isLive) Atomics.store(this.#words, LIVE_UNTIL, timeWord(nowMs + LOOK_AGAIN_MS))
      const mayTake = isLive || !this.#isWantedLive(nowMs) || nowMs - this.#waitingSinceMs >= PLACE_PATIENCE_MS
      if (mayTake && this.#tryAll(nowMs)) {
        this.#waitingSinceMs = 0
        return true
      }
      if (nowMs >= untilMs) return false
      Atomics.wait(this.#words, FREED, freed, Math.min(LOOK_AGAIN_MS, untilMs - nowMs))
    }
  }

  #isWantedLive(nowMs: number): boolean {
    const until = Atomics.load(this.#words, LIVE_UNTIL)
    return until !== 0 && !isOver(until, nowMs)
  }

  leave(): void {
    if (this.#place === 0) return
    const wasOurs = Atomics.compareExchange(this.#words, this.#place, this.#leaseEnd, FREE) === this.#leaseEnd
    this.#place = 0
    if (!wasOurs) return
    Atomics.add(this.#words, FREED, 1)
    Atomics.notify(this.#words, FREED, 1)
  }

  #tryAll(nowMs: number): boolean {
    const leaseEnd = timeWord(nowMs + this.#leaseMs)
    for (let place = FIRST_PLACE; place < this.#words.length; place++) {
      const held = Atomics.load(this.#words, place)
      if (held !== FREE && !isOver(held, nowMs)) continue
      if (Atomics.compareExchange(this.#words, place, held, leaseEnd) !== held) continue
      this.#place = place
      this.#leaseEnd = leaseEnd
      this.#sinceMs = nowMs
      return true
    }
    return false
  }
}

/** Never 0, and starts again after twelve days. */
function timeWord(ms: number): number {
  return (Math.floor(ms) & TIME_MASK) | 1
}

function isOver(leaseEnd: number, nowMs: number): boolean {
  return ((timeWord(nowMs) - leaseEnd) & TIME_MASK) < TIME_MASK / 2
}
