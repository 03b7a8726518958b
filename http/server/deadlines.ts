// Ends bodies and answers that take too long. The native layer closes idle connections after 10 s and bodies slower than 16 KB/s.
// It does not bound the total time of a body; this file does. An open response has no timeout, so streams stay open.

/** All items wait equally long, so they expire in order of arrival and one timer is enough. */
export class Deadlines<Item> {
  readonly #afterMs: number
  readonly #expire: (item: Item) => void
  readonly #waiting = new Map<Item, number>()
  #timer: NodeJS.Timeout | null = null

  constructor(afterMs: number, expire: (item: Item) => void) {
    this.#afterMs = afterMs
    this.#expire = expire
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

  /** Returns the items, oldest first. */
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
      this.#expire(waiting)
    }
  }
}
