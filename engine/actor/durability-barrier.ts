// The durability gate: nothing that was seen or done leaves before the log has it on disk. Answers wait in order of
// the last sequence that they may show.
import type { Outcome, Reply } from './envelope.ts'

const COMPACT_AT = 8192

export class DurabilityBarrier {
  #sequences: number[] = []
  /** Null where an answer has left: what a request held must not live until the next compaction. */
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

  /** Lets the answer out when `sequence` is durable: at once, or with the flush. Sequences come in ascending order. */
  pass(sequence: number, reply: Reply, outcome: Outcome): void {
    if (sequence <= this.#durable && this.waiting === 0) {
      reply.settle(outcome)
      return
    }
    this.#sequences.push(sequence)
    this.#replies.push(reply)
    this.#outcomes.push(outcome)
  }

  /** Everything up to `sequence` is on disk: its answers leave, all in one go. */
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
