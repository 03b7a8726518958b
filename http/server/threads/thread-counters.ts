// Counts that HTTP threads and the engine's thread share: one row of words for each thread, which that thread alone writes.
import { HTTP_THREADS_MAX } from './thread-limits.ts'

const WORDS_PER_THREAD = 16
const CONNECTIONS = 0
const REFUSED_WHEN_FULL = 1
const IS_CLOSED = 2

export class ThreadCounters {
  readonly memory: SharedArrayBuffer
  readonly #words: Int32Array

  constructor(memory = new SharedArrayBuffer(HTTP_THREADS_MAX * WORDS_PER_THREAD * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#words = new Int32Array(memory)
  }

  /** Open connections of all threads. */
  get connections(): number {
    return this.#sum(CONNECTIONS)
  }

  /** Requests that threads answered with 503 because their ring was full. */
  get refusedWhenFull(): number {
    return this.#sum(REFUSED_WHEN_FULL)
  }

  addConnections(thread: number, change: number): void {
    Atomics.add(this.#words, thread * WORDS_PER_THREAD + CONNECTIONS, change)
  }

  addRefusedWhenFull(thread: number): void {
    Atomics.add(this.#words, thread * WORDS_PER_THREAD + REFUSED_WHEN_FULL, 1)
  }

  /** Called before a thread starts, because an ended one may have left its connections. */
  begin(thread: number): void {
    Atomics.store(this.#words, thread * WORDS_PER_THREAD + CONNECTIONS, 0)
    Atomics.store(this.#words, thread * WORDS_PER_THREAD + IS_CLOSED, 0)
  }

  /** Declares that the thread has closed its sockets. */
  close(thread: number): void {
    const word = thread * WORDS_PER_THREAD + IS_CLOSED
    Atomics.store(this.#words, thread * WORDS_PER_THREAD + CONNECTIONS, 0)
    Atomics.store(this.#words, word, 1)
    Atomics.notify(this.#words, word)
  }

  /** Blocks until the thread has closed its sockets, at most `maxMs`. */
  waitClosed(thread: number, maxMs: number): void {
    Atomics.wait(this.#words, thread * WORDS_PER_THREAD + IS_CLOSED, 0, maxMs)
  }

  #sum(word: number): number {
    let sum = 0
    for (let at = word; at < this.#words.length; at += WORDS_PER_THREAD) sum += Atomics.load(this.#words, at)
    return sum
  }
}
