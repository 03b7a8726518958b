// A value that is costly to make and may be a little old: made when it is asked for, then kept for a time. Callers that
// come while it is being made share that one.

export class TimedValue<Value> {
  readonly #make: () => Promise<Value>
  readonly #keptMs: number
  readonly #now: () => number
  #value: Promise<Value> | null = null
  #madeAtMs = 0

  /** `now` is a clock that never goes back, in milliseconds. */
  constructor(make: () => Promise<Value>, keptMs: number, now: () => number = () => performance.now()) {
    this.#make = make
    this.#keptMs = keptMs
    this.#now = now
  }

  /** Rejects as `make` does; the next call makes it anew then. */
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
