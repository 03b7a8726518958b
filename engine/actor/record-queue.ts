// Records that are not durable yet, by sequence. A queue, because a map would keep references in its old tables until
// the next full collection.
import type { LogRecord } from '../domain/record.ts'
import { assert } from '../kernel/assert.ts'

const FIRST_CAPACITY = 1024

export class RecordQueue {
  /** A ring buffer: the record of sequence s is at s modulo the length, a power of two. */
  #ring: (LogRecord | undefined)[] = new Array(FIRST_CAPACITY).fill(undefined)
  #first = 0
  #count = 0

  add(record: LogRecord): void {
    if (this.#count === 0) this.#first = record.sequence
    assert(record.sequence === this.#first + this.#count, 'records join the queue in order')
    if (this.#count === this.#ring.length) this.#grow()
    this.#ring[record.sequence & (this.#ring.length - 1)] = record
    this.#count++
  }

  get(sequence: number): LogRecord | undefined {
    if (sequence < this.#first || sequence >= this.#first + this.#count) return undefined
    return this.#ring[sequence & (this.#ring.length - 1)]
  }

  dropThrough(sequence: number): void {
    while (this.#count > 0 && this.#first <= sequence) {
      this.#ring[this.#first & (this.#ring.length - 1)] = undefined
      this.#first++
      this.#count--
    }
  }

  #grow(): void {
    const grown: (LogRecord | undefined)[] = new Array(this.#ring.length * 2).fill(undefined)
    for (let sequence = this.#first; sequence < this.#first + this.#count; sequence++) {
      grown[sequence & (grown.length - 1)] = this.#ring[sequence & (this.#ring.length - 1)]
    }
    this.#ring = grown
  }
}
