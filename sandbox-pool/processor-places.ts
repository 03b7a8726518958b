// Semaphore of processor places for threads that compute for long, so that one core stays free for the server. Priorities alone are
// not enough: payouts would wait for the time slices of all spinning threads. Live customers go first. A place is a lease, so it
// becomes free when its thread is ended. Shared by the threads of one process.
import { availableParallelism } from 'node:os'
import { PLACE_LEASE_MS, PLACE_PATIENCE_MS, PLACE_SHARE_MS } from './limits.ts'
import { monotonicMs } from './thread-clock.ts'

/** Word 0 counts released places; waiting threads sleep on it. Word 1 never changes, for short sleeps. */
const FREED = 0
const ASLEEP = 1
/** Word 2: time until which a live run waits for a place, renewed while it waits; 0 if none ever did. */
const LIVE_UNTIL = 2
const FIRST_PLACE = 3
/** The other words are places: 0 when free, else when the lease ends, in ms of the monotonic clock. */
const FREE = 0
/** Pause after releasing a place, long enough for a sleeping thread to take it. */
const HAND_OVER_MS = 2
/** Interval at which a waiting thread checks for expired leases. */
const LOOK_AGAIN_MS = 50
const TIME_MASK = 0x3fff_ffff

/** Returns shared places: one less than the cores of the machine, at least one. */
export function sharedPlaces(count = Math.max(1, availableParallelism() - 1)): SharedArrayBuffer {
  return new SharedArrayBuffer((FIRST_PLACE + count) * Int32Array.BYTES_PER_ELEMENT)
}

/** Place of a thread, or its wait for one. */
export class ProcessorPlace {
  readonly #words: Int32Array
  readonly #leaseMs: number
  /** Index of the held place; 0 for none. */
  #place = 0
  #leaseEnd = FREE
  #sinceMs = 0
  /** Start of the current wait; 0 for none. */
  #waitingSinceMs = 0

  constructor(shared: SharedArrayBuffer, leaseMs = PLACE_LEASE_MS) {
    this.#words = new Int32Array(shared)
    this.#leaseMs = leaseMs
  }

  get isHeld(): boolean {
    return this.#place !== 0
  }

  /** Whether to call `take`: no place is held, the share of time is used up, or a live run waits. */
  isDue(isLive: boolean): boolean {
    if (this.#place === 0) return true
    const nowMs = monotonicMs()
    return nowMs - this.#sinceMs >= PLACE_SHARE_MS || (!isLive && this.#isWantedLive(nowMs))
  }

  /**
   * Takes a place, or waits for one until `untilMs` of the monotonic clock. Returns whether a place is held. A held place is
   * released first to waiting threads. A run that is not live lets live runs go first, for a limited time.
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
    const wasHeld = Atomics.compareExchange(this.#words, this.#place, this.#leaseEnd, FREE) === this.#leaseEnd
    this.#place = 0
    if (!wasHeld) return
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

/** Returns a time as a word: never 0, with an overflow after twelve days. */
function timeWord(ms: number): number {
  return (Math.floor(ms) & TIME_MASK) | 1
}

function isOver(leaseEnd: number, nowMs: number): boolean {
  return ((timeWord(nowMs) - leaseEnd) & TIME_MASK) < TIME_MASK / 2
}
