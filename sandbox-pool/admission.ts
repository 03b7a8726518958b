// Admission of runs of one class: which run starts, waits or is rejected. Pure: its decisions depend only on its calls. A started
// run waits only for its own fetches, so most started runs cost only memory.
import { FREE_SHARE, STARTED_MAX, STARTED_PER_MERCHANT_MAX, WAITING_MAX } from './limits.ts'

export interface Admitted {
  readonly merchantId: string
}

export class Admission<Run extends Admitted> {
  /** Queues by merchant, in round-robin order. No queue is empty. */
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

  /** Queues the run. Returns null, or the rejected run: this one or the newest of the longest queue. */
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

  /** Returns the next run and counts it as started; null when none may start. Round-robin over merchants. */
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

  /** Releases a run that `next` returned. */
  release({ merchantId }: Run): void {
    const started = this.#startedOf(merchantId) - 1
    if (started > 0) this.#started.set(merchantId, started)
    else this.#started.delete(merchantId)
    this.#startedCount -= 1
  }

  /** Removes the run from its queue. Returns false when it is not queued. */
  remove(run: Run): boolean {
    const queue = this.#waiting.get(run.merchantId)
    const index = queue?.indexOf(run) ?? -1
    if (queue === undefined || index === -1) return false
    queue.splice(index, 1)
    if (queue.length === 0) this.#waiting.delete(run.merchantId)
    this.#waitingCount -= 1
    return true
  }

  /** Removes and returns all queued runs. */
  removeAll(): Run[] {
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    this.#waitingCount = 0
    return all
  }

  /** The limit of a merchant falls with the free places, so that a merchant without runs is rejected last. */
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
