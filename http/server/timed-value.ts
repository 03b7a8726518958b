// Caches a costly value for a time. It is made on request, and concurrent callers share one attempt.

export class TimedValue<Value> {
  readonly #make: () => Promise<Value>
  readonly #keptMs: number
  readonly #now: () => number
  #value: Promise<Value> | null = null
  #madeAtMs = 0

  /** `now` is a monotonic clock in milliseconds. */
  constructor(make: () => Promise<Value>, keptMs: number, now: () => number = () => performance.now()) {
    this.#make = make
    this.#keptMs = keptMs
    this.#now = now
  }

  /** Returns the value. Rejects as `make` does; the next call then tries again. */
  get(): Promise<Value> {
    const nowMs = this.#now()
    if (this.#value !== null && nowMs - this.#madeAtMs < this.#keptMs) return this.#value
    this.#madeAtMs = nowMs
    const value = this.#make()
    this.#value = value
    value.catch(() => {
      if (this.#value === value) this.#value = null
    })
    return value
  }
}
