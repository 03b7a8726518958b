// Timers in a binary heap of (time, kind, key). Setting or cancelling a timer leaves its old entry in the heap as stale; a
// stale entry is dropped when it reaches the top. The caller passes the time in.
import type { TimeMs } from './time.ts'

export interface DueTimer {
  readonly kind: string
  readonly key: string
  readonly dueMs: TimeMs
}

/** Number of stale entries that never cause a rebuild. */
const STALE_MAX = 1024

export class TimerQueue {
  readonly #heap: DueTimer[] = []
  readonly #current = new Map<string, DueTimer>()

  get size(): number {
    return this.#current.size
  }

  /** Number of entries, stale ones included. */
  get heapSize(): number {
    return this.#heap.length
  }

  /** Sets the timer of a kind and key. It replaces the earlier timer of both. */
  set(kind: string, key: string, dueMs: TimeMs): void {
    const timer: DueTimer = { kind, key, dueMs }
    this.#current.set(`${kind}:${key}`, timer)
    this.#push(timer)
    this.#rebuildWhenStale()
  }

  cancel(kind: string, key: string): void {
    this.#current.delete(`${kind}:${key}`)
    this.#rebuildWhenStale()
  }

  /** Returns the time of the earliest timer, null when there is none. */
  nextDueMs(): TimeMs | null {
    return this.next()?.dueMs ?? null
  }

  /** Returns the earliest timer, null when there is none. The order of timers with equal times is undefined. */
  next(): DueTimer | null {
    this.#dropStale()
    return this.#heap[0] ?? null
  }

  /** Removes and returns the earliest timer if it is due at `nowMs`, else null. */
  takeDue(nowMs: TimeMs): DueTimer | null {
    this.#dropStale()
    const first = this.#heap[0]
    if (first === undefined || first.dueMs > nowMs) return null
    this.#pop()
    this.#current.delete(`${first.kind}:${first.key}`)
    return first
  }

  #dropStale(): void {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (this.#current.get(`${first.kind}:${first.key}`) === first) return
      this.#pop()
    }
  }

  /** Keeps the heap within twice the number of current timers. */
  #rebuildWhenStale(): void {
    if (this.#heap.length <= 2 * this.#current.size + STALE_MAX) return
    this.#heap.length = 0
    for (const timer of this.#current.values()) this.#push(timer)
  }

  #push(timer: DueTimer): void {
    const heap = this.#heap
    let at = heap.push(timer) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent] as DueTimer
      if (above.dueMs <= timer.dueMs) break
      heap[at] = above
      at = parent
    }
    heap[at] = timer
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && (heap[child + 1] as DueTimer).dueMs < (heap[child] as DueTimer).dueMs) child++
      const below = heap[child] as DueTimer
      if (below.dueMs >= last.dueMs) break
      heap[at] = below
      at = child
    }
    heap[at] = last
  }
}
