// Decides whether a small log batch waits a few turns of the event loop for callers that were just answered. Over few connections they send
// their next commands within 0.1 ms; a batch that is flushed with the first of them makes the others wait for two flushes.
import { GATHERED_RECORDS_MAX, GATHERING_PAUSE_MAX, GATHERING_TURNS_MAX } from '../kernel/limits.ts'

export class FlushGathering {
  /** Records that the next batch is expected to have. */
  #expected = 0
  /** Turns of the loop since the last flush ended. */
  #turns = 0
  /** Batches that are not to wait, because earlier ones waited in vain; doubled by each. */
  #pause = 1
  #pausedFor = 0

  /** Call it at the end of a flush with the records that it had and those that wait for the next. */
  flushed(flushed: number, waiting: number): void {
    this.#turns = 0
    if (this.#pausedFor > 0) {
      this.#pausedFor--
      this.#expected = 0
    } else {
      const expected = flushed + waiting
      this.#expected = expected <= GATHERED_RECORDS_MAX ? expected : 0
    }
  }

  /** Whether a batch of `gathered` records waits one more turn of the loop. */
  waits(gathered: number): boolean {
    if (gathered === 0 || this.#expected === 0) return false
    if (gathered >= this.#expected) {
      // Callers came back, or one alone did without a wait.
      if (this.#turns > 0) this.#pause = 1
      this.#expected = 0
      return false
    }
    if (this.#turns === GATHERING_TURNS_MAX) {
      this.#pausedFor = this.#pause
      this.#pause = Math.min(this.#pause * 2, GATHERING_PAUSE_MAX)
      this.#expected = 0
      return false
    }
    this.#turns++
    return true
  }
}
