// One question at a time on behalf of many: each asker gets an answer whose question was asked after it came. Pure.

export class SharedQuestion<Answer> {
  readonly #ask: () => Promise<Answer>
  #current: Promise<Answer> | null = null
  /** For those who came after `#current` was asked. */
  #next: Promise<Answer> | null = null

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask
  }

  /** Rejects as the question does. */
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
