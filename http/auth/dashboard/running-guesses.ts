// Guesses at passwords that have no result yet, by the key under which wrong ones are counted. Each stands for one wrong password, so that
// guesses at once are no more than guesses one after the other.

/** One guess, and its place among the wrong ones once it is being counted. */
export interface Guess {
  place: number
}

export class RunningGuesses {
  readonly #byKey = new Map<string, Set<Guess>>()

  begin(key: string): Guess {
    const guess = { place: Number.POSITIVE_INFINITY }
    const running = this.#byKey.get(key)
    if (running === undefined) this.#byKey.set(key, new Set([guess]))
    else running.add(guess)
    return guess
  }

  /** Returns how many guesses are not among these wrong ones. The state has a wrong one from its turn on, before it is durable. */
  uncounted(key: string, failures: number): number {
    return this.#count(key, ({ place }) => place > failures)
  }

  /** The guess was wrong, and is counted behind those that are. */
  markWrong(key: string, guess: Guess, failures: number): void {
    guess.place = failures + 1 + this.#count(key, ({ place }) => place > failures && place < Number.POSITIVE_INFINITY)
  }

  end(key: string, guess: Guess): void {
    const running = this.#byKey.get(key)
    running?.delete(guess)
    if (running?.size === 0) this.#byKey.delete(key)
  }

  #count(key: string, counts: (guess: Guess) => boolean): number {
    let count = 0
    for (const guess of this.#byKey.get(key) ?? []) if (counts(guess)) count++
    return count
  }
}
