// Threads for slow hashes and the queues in front of them. PINs of live wallets go first, then the dashboard's passwords,
// then play money; a full queue refuses at once.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Environment } from '../../engine/kernel/environment.ts'
import { threadEntry } from '../../engine/kernel/script-entry.ts'
import { SCRYPT_THREADS_MAX, SCRYPT_WAITING_MAX } from '../limits.ts'
import type { ScryptJob } from './scrypt-worker.ts'

/** Who waits: the first of these lanes that has somebody is served. */
const LANES = ['live', 'dashboard', 'test'] as const satisfies readonly (Environment | 'dashboard')[]

export type ScryptLane = (typeof LANES)[number]

interface Waiting {
  readonly job: ScryptJob
  readonly resolve: (key: Buffer | null) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  running: Waiting | null
}

const WORKER = threadEntry(new URL('./scrypt-worker.ts', import.meta.url))
const FAILURES_MAX = 3

export class ScryptThreads {
  readonly #threads: Thread[] = []
  readonly #waiting: Record<ScryptLane, Waiting[]> = { live: [], dashboard: [], test: [] }
  readonly #waitingMax: Readonly<Record<ScryptLane, number>>
  /** Threads that ended one after the other without a single result. */
  #failures = 0
  #closed = false

  /** One core is left to everything else. */
  constructor(
    count = Math.max(1, Math.min(availableParallelism() - 1, SCRYPT_THREADS_MAX)),
    waitingMax: Readonly<Record<ScryptLane, number>> = SCRYPT_WAITING_MAX,
  ) {
    this.#waitingMax = waitingMax
    for (let index = 0; index < count; index++) this.#start()
  }

  /** Hashes that wait, those in work not counted. */
  get waitingCount(): number {
    return LANES.reduce((sum, lane) => sum + this.#waiting[lane].length, 0)
  }

  /** Null when too many wait, or the house is closing: whoever asks should come back. */
  run(lane: ScryptLane, job: ScryptJob): Promise<Buffer | null> {
    const waiting = this.#waiting[lane]
    if (this.#closed || waiting.length >= this.#waitingMax[lane]) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const lane of LANES) for (const { resolve } of this.#waiting[lane].splice(0)) resolve(null)
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #next(): void {
    const thread = this.#threads.find(({ running }) => running === null)
    const lane = LANES.find((name) => this.#waiting[name].length > 0)
    const waiting = thread === undefined || lane === undefined ? undefined : this.#waiting[lane].shift()
    if (thread === undefined || waiting === undefined) return
    thread.running = waiting
    thread.worker.ref()
    thread.worker.postMessage(waiting.job)
  }

  #start(): void {
    const thread: Thread = { worker: new Worker(WORKER.source, { ...WORKER.options, name: 'scrypt' }), running: null }
    this.#threads.push(thread)
    // A thread without work keeps no process alive.
    thread.worker.unref()
    thread.worker.on('message', (key: Uint8Array) => {
      const { running } = thread
      thread.running = null
      thread.worker.unref()
      this.#failures = 0
      this.#next()
      running?.resolve(Buffer.from(key))
    })
    let cause = new Error('a hashing thread has ended')
    thread.worker.on('error', (error) => {
      cause = error
    })
    thread.worker.on('exit', () => this.#replace(thread, cause))
  }

  /** The hash that it was working on is lost and says so; the next ones go to a new thread. */
  #replace(thread: Thread, cause: Error): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1)
    if (this.#closed) return thread.running?.resolve(null)
    thread.running?.reject(cause)
    // Threads that cannot even start will not do so later: the process stops, with the reason.
    if (++this.#failures > FAILURES_MAX) throw cause
    this.#start()
    this.#next()
  }
}
