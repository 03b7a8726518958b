// Coalesces queries: one runs at a time, and each caller gets the answer of a query that began after the call. Pure.

export class SharedQuestion<Answer> {
  readonly #ask: () => Promise<Answer>
  #current: Promise<Answer> | null = null
  /** Answer for callers that arrived after `#current` began. */
  #next: Promise<Answer> | null = null

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask
  }

  /** Resolves with the answer. Rejects when the query rejects. */
  answer(): Promise<Answer> {
    if (this.#next !== null) return this.#next
    if (this.#current === null) return this.#begin()
    const begin = (): Promise<Answer> => {
      this.#next = null
      return this.#begin()
    }
    this.#next = this.#current.then(begin, begin)
    return this.#next
  }

  #begin(): Promise<Answer> {
    const current = this.#ask().finally(() => {
      if (this.#current === current) this.#current = null
    })
    this.#current = current
    return current
  }
}
