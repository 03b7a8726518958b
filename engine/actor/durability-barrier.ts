// Durability barrier: no outcome or read leaves before the records that it may show are on disk. They wait in order
// of the last such sequence.
import type { Outcome, Reply } from './envelope.ts'

const COMPACT_AT = 8192

export class DurabilityBarrier {
  #sequences: number[] = []
  /** Null once an outcome has left: a reference would keep the request's memory until the next compaction. */
  #replies: (Reply | null)[] = []
  #outcomes: (Outcome | null)[] = []
  #next = 0
  #durable = 0

  get waiting(): number {
    return this.#sequences.length - this.#next
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
    this.#sequences.push(sequence)
    this.#replies.push(reply)
    this.#outcomes.push(outcome)
  }

  /** Marks everything up to `sequence` as durable and calls the waiting replies. */
  open(sequence: number): void {
    this.#durable = sequence
    while (this.#next < this.#sequences.length && (this.#sequences[this.#next] as number) <= sequence) {
      const at = this.#next++
      const reply = this.#replies[at] as Reply
      const outcome = this.#outcomes[at] as Outcome
      this.#replies[at] = null
      this.#outcomes[at] = null
      reply.settle(outcome)
    }
    if (this.#next === this.#sequences.length) this.#clear()
    else if (this.#next >= COMPACT_AT) this.#compact()
  }

  #clear(): void {
    this.#sequences = []
    this.#replies = []
    this.#outcomes = []
    this.#next = 0
  }

  #compact(): void {
    this.#sequences.splice(0, this.#next)
    this.#replies.splice(0, this.#next)
    this.#outcomes.splice(0, this.#next)
    this.#next = 0
  }
}
