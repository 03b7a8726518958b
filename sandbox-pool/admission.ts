// Who runs next, who waits, who is refused. Pure: no clock, no process; what it decides depends on its calls alone.
import { RUNNING_PER_MERCHANT_MAX, WAITING_MAX } from './limits.ts'

export interface Admitted {
  readonly merchantId: string
}

export class Admission<Run extends Admitted> {
  /** In the order in which merchants have their turn. No queue is empty. */
  readonly #waiting = new Map<string, Run[]>()
  readonly #running = new Map<string, number>()
  #waitingCount = 0
  #runningCount = 0

  get waiting(): number {
    return this.#waitingCount
  }

  get running(): number {
    return this.#runningCount
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

  /** The next one to start, which counts as running from now on; null when nobody may. Merchants take turns. */
  next(): Run | null {
    for (const [merchantId, queue] of this.#waiting) {
      const running = this.#running.get(merchantId) ?? 0
      if (running >= RUNNING_PER_MERCHANT_MAX) continue
      const run = queue.shift() as Run
      this.#waitingCount -= 1
      this.#waiting.delete(merchantId)
      if (queue.length > 0) this.#waiting.set(merchantId, queue)
      this.#running.set(merchantId, running + 1)
      this.#runningCount += 1
      return run
    }
    return null
  }

  /** A run that `next` gave out has left its thread. */
  release({ merchantId }: Run): void {
    const running = (this.#running.get(merchantId) ?? 0) - 1
    if (running > 0) this.#running.set(merchantId, running)
    else this.#running.delete(merchantId)
    this.#runningCount -= 1
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

  #longestQueue(): Run[] {
    let longest: Run[] = []
    for (const queue of this.#waiting.values()) if (queue.length > longest.length) longest = queue
    return longest
  }
}
