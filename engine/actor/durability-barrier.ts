// Durability barrier: no outcome or read leaves before the records that it may show are on disk. They wait in order
// of the last such sequence.
import type { Outcome, Reply } from './envelope.ts'

const COMPACT_AT = 8192

/** The columns keep their length when all outcomes have left: growing them again is garbage for each flush. */
export class DurabilityBarrier {
  readonly #sequences: number[] = []
  /** Null once an outcome has left: a reference would keep the request's memory. */
  readonly #replies: (Reply | null)[] = []
  readonly #outcomes: (Outcome | null)[] = []
  #next = 0
  #end = 0
  #durable = 0

  get waiting(): number {
    return this.#end - this.#next
  }

  get durable(): number {
    return this.#durable
  }

  /** Calls `reply` when `sequence` is durable: at once, or after the flush. Sequences must ascend. */
  pass(sequence: number, reply: Reply, outcome: Outcome): void {
    if (sequence <= this.#durable && this.waiting === 0) {
      reply.settle(outcome)
      return
    }
    const at = this.#end++
    this.#sequences[at] = sequence
    this.#replies[at] = reply
    this.#outcomes[at] = outcome
  }

  /** Marks everything up to `sequence` as durable and calls the waiting replies. */
  open(sequence: number): void {
    this.#durable = sequence
    while (this.#next < this.#end && (this.#sequences[this.#next] as number) <= sequence) {
      const at = this.#next++
      const reply = this.#replies[at] as Reply
      const outcome = this.#outcomes[at] as Outcome
      this.#replies[at] = null
      this.#outcomes[at] = null
      reply.settle(outcome)
    }
    if (this.#next === this.#end) this.#clear()
    else if (this.#next >= COMPACT_AT) this.#compact()
  }

  #clear(): void {
    this.#next = 0
    this.#end = 0
    if (this.#sequences.length > COMPACT_AT) this.#cut(COMPACT_AT, this.#sequences.length)
  }

  #compact(): void {
    this.#cut(0, this.#next)
    this.#end -= this.#next
    this.#next = 0
  }

  #cut(from: number, count: number): void {
    this.#sequences.splice(from, count)
    this.#replies.splice(from, count)
    this.#outcomes.splice(from, count)
  }
}
