// Who starts next, who waits, who is refused, in one class of runs. Pure: no clock, no process; what it decides depends on its
// calls alone. A run that has started waits for nothing but its own fetches, so most of these places cost memory alone.
import { FREE_SHARE, STARTED_MAX, STARTED_PER_MERCHANT_MAX, WAITING_MAX } from './limits.ts'

export interface Admitted {
  readonly merchantId: string
}

export class Admission<Run extends Admitted> {
  /** In the order in which merchants have their turn. No queue is empty. */
  readonly #waiting = new Map<string, Run[]>()
  readonly #started = new Map<string, number>()
  #waitingCount = 0
  #startedCount = 0

  get waiting(): number {
    return this.#waitingCount
  }

  get started(): number {
    return this.#startedCount
  }

  /** Null: it waits. Otherwise the run that is refused: this one or, when others crowd it out, the newest of the longest queue. */
  offer(run: Run): Run | null {
    const own = this.#waiting.get(run.merchantId)
    let refused: Run | null = null
    if (this.#waitingCount >= WAITING_MAX) {
      const longest = this.#longestQueue()
      if (longest.length <= (own?.length ?? 0) + 1) return run
      refused = longest.at(-1) as Run
      this.remove(refused)
    }
    if (own === undefined) this.#waiting.set(run.merchantId, [run])
    else own.push(run)
    this.#waitingCount += 1
    return refused
  }

  /** The next one, which counts as started from now on; null when none may. Merchants take turns. */
  next(): Run | null {
    for (const [merchantId, queue] of this.#waiting) {
      if (!this.#mayStart(merchantId)) continue
      const run = queue.shift() as Run
      this.#waitingCount -= 1
      this.#waiting.delete(merchantId)
      if (queue.length > 0) this.#waiting.set(merchantId, queue)
      this.#started.set(merchantId, this.#startedOf(merchantId) + 1)
      this.#startedCount += 1
      return run
    }
    return null
  }

  /** A run that `next` gave out holds nothing any more. */
  release({ merchantId }: Run): void {
    const started = this.#startedOf(merchantId) - 1
    if (started > 0) this.#started.set(merchantId, started)
    else this.#started.delete(merchantId)
    this.#startedCount -= 1
  }

  /** Out of the queue; false when it does not wait. */
  remove(run: Run): boolean {
    const queue = this.#waiting.get(run.merchantId)
    const index = queue?.indexOf(run) ?? -1
    if (queue === undefined || index === -1) return false
    queue.splice(index, 1)
    if (queue.length === 0) this.#waiting.delete(run.merchantId)
    this.#waitingCount -= 1
    return true
  }

  /** Empties the queues. */
  removeAll(): Run[] {
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    this.#waitingCount = 0
    return all
  }

  /** The less is free, the less one merchant may hold: a merchant with nothing under way finds a place longest. */
  #mayStart(merchantId: string): boolean {
    const own = this.#startedOf(merchantId)
    const free = STARTED_MAX - this.#startedCount
    return free > 0 && own < STARTED_PER_MERCHANT_MAX && own * FREE_SHARE <= free
  }

  #startedOf(merchantId: string): number {
    return this.#started.get(merchantId) ?? 0
  }

  #longestQueue(): Run[] {
    let longest: Run[] = []
    for (const queue of this.#waiting.values()) if (queue.length > longest.length) longest = queue
    return longest
  }
}
