// Ends bodies that take too long. The native layer closes connections that are idle for 10 s between requests or
// within a head, and bodies slower than 16 KB/s (each 10 to 14 s, its clock ticks every 4 s); what it does not bound is
// how long a body may take in all. While a response is open it has no timeout at all: whoever opens a stream keeps one.

/** Something that waits for bytes. */
export interface Waiting {
  expire(): void
}

/** All wait equally long, so the first to come is the first to expire and one timer is enough. */
export class Deadlines<Item extends Waiting> {
  readonly #afterMs: number
  readonly #waiting = new Map<Item, number>()
  #timer: NodeJS.Timeout | null = null

  constructor(afterMs: number) {
    this.#afterMs = afterMs
  }

  get count(): number {
    return this.#waiting.size
  }

  add(waiting: Item): void {
    this.#waiting.set(waiting, performance.now() + this.#afterMs)
    this.#plan(this.#afterMs)
  }

  remove(waiting: Item): void {
    this.#waiting.delete(waiting)
  }

  /** Oldest first. */
  all(): Item[] {
    return [...this.#waiting.keys()]
  }

  #plan(delayMs: number): void {
    this.#timer ??= setTimeout(this.#sweep, delayMs).unref()
  }

  readonly #sweep = (): void => {
    this.#timer = null
    const nowMs = performance.now()
    for (const [waiting, atMs] of this.#waiting) {
      if (atMs > nowMs) return this.#plan(Math.ceil(atMs - nowMs))
      this.#waiting.delete(waiting)
      waiting.expire()
    }
  }
}
