// Wakes an open-loop generator at the due times of its requests. The generator's thread sleeps in epoll meanwhile: a timer of Node.js
// counts whole milliseconds and fires late, and a loop that spins takes a core from the server.
import { Worker } from 'node:worker_threads'
import { threadEntry } from '../../engine/kernel/script-entry.ts'

const THREAD = threadEntry(new URL('./pacer-thread.ts', import.meta.url))

export interface PacerStart {
  /** Cell that the generator sets to 1 to end the thread. */
  readonly stop: Int32Array
  readonly intervalUs: number
}

export class Pacer {
  readonly #worker: Worker
  readonly #stop: Int32Array

  private constructor(worker: Worker, stop: Int32Array) {
    this.#worker = worker
    this.#stop = stop
  }

  /** Resolves when the thread runs. It then calls `onDue` once per interval of the rate, but no more often than every `wakeUpUs`. */
  static async open(ratePerSecond: number, wakeUpUs: number, onDue: () => void): Promise<Pacer> {
    const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const workerData = { stop, intervalUs: Math.max(wakeUpUs, 1e6 / ratePerSecond) } satisfies PacerStart
    const worker = new Worker(THREAD.source, { ...THREAD.options, workerData })
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve())
      worker.once('error', reject)
    })
    worker.on('message', onDue)
    return new Pacer(worker, stop)
  }

  /** Ends the thread. Resolves when it has ended. */
  async close(): Promise<void> {
    Atomics.store(this.#stop, 0, 1)
    Atomics.notify(this.#stop, 0)
    await this.#worker.terminate()
  }
}
