// Threads for slow hashes, with bounded queues. Queues are served by weight, and networks within each in turn, so
// that no caller delays the others.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Environment } from '../../engine/kernel/environment.ts'
import { threadEntry } from '../../engine/kernel/script-entry.ts'
import { SCRYPT_THREADS_MAX, SCRYPT_WAITING_MAX } from './crypto-limits.ts'
import { FairQueue } from './fair-queue.ts'
import type { ScryptJob } from './scrypt-worker.ts'

/** Queues: PINs by environment, passwords from browsers, sessions and addresses that their account knows, and other passwords. */
export type ScryptQueue = Environment | 'remembered' | 'dashboard'

/** Weighted round-robin: PINs of live wallets get half of the turns. An empty queue passes its turn on. */
const TURNS = ['live', 'remembered', 'live', 'dashboard', 'live', 'test'] as const satisfies readonly ScryptQueue[]

/** Queues of passwords. One thread never takes them, so that a flood of logins (97 ms each) does not delay payments. */
const PASSWORDS: ReadonlySet<ScryptQueue> = new Set(['remembered', 'dashboard'])
const THREADS_MIN = 2

interface Waiting {
  readonly queue: ScryptQueue
  readonly job: ScryptJob
  readonly resolve: (key: Buffer | null) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  running: Waiting | null
}

const WORKER = new URL('./scrypt-worker.ts', import.meta.url)
const FAILURES_MAX = 3

export class ScryptThreads {
  readonly #threads: Thread[] = []
  readonly #waiting: Readonly<Record<ScryptQueue, FairQueue<Waiting>>>
  /** Index in TURNS of the queue that is next. */
  #turn = 0
  /** Consecutive threads that ended without a result. */
  #failures = 0
  #closed = false

  /** By default one core stays free when there are more than two. */
  constructor(
    count = Math.max(THREADS_MIN, Math.min(availableParallelism() - 1, SCRYPT_THREADS_MAX)),
    waitingMax: Readonly<Record<ScryptQueue, number>> = SCRYPT_WAITING_MAX,
  ) {
    const { live, remembered, dashboard, test } = waitingMax
    this.#waiting = {
      live: new FairQueue(live),
      remembered: new FairQueue(remembered),
      dashboard: new FairQueue(dashboard),
      test: new FairQueue(test),
    }
    for (let index = 0; index < count; index++) this.#start()
  }

  /** Number of waiting hashes, without the running ones. */
  get waitingCount(): number {
    return Object.values(this.#waiting).reduce((sum, { size }) => sum + size, 0)
  }

  /**
   * Runs a job. Null when the threads are closing, or when the queue is full and the caller's network has the most
   * hashes in it. `address` is the caller's, or the id of the account.
   */
  run(queue: ScryptQueue, job: ScryptJob, address = ''): Promise<Buffer | null> {
    if (this.#closed) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      this.#waiting[queue].push(address, { queue, job, resolve, reject })?.resolve(null)
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const queue of Object.values(this.#waiting)) for (const { resolve } of queue.takeAll()) resolve(null)
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #next(): void {
    const thread = this.#threads.find(({ running }) => running === null)
    const waiting = thread === undefined ? undefined : this.#takeNext()
    if (thread === undefined || waiting === undefined) return
    thread.running = waiting
    thread.worker.ref()
    thread.worker.postMessage(waiting.job)
  }

  #takeNext(): Waiting | undefined {
    const passwords = this.#threads.filter(({ running }) => running !== null && PASSWORDS.has(running.queue)).length
    const mayTakePassword = passwords < Math.max(1, this.#threads.length - 1)
    for (let tries = 0; tries < TURNS.length; tries++) {
      const queue = TURNS[this.#turn] as ScryptQueue
      this.#turn = (this.#turn + 1) % TURNS.length
      if (!mayTakePassword && PASSWORDS.has(queue)) continue
      const waiting = this.#waiting[queue].shift()
      if (waiting !== undefined) return waiting
    }
    return undefined
  }

  #start(): void {
    const { source, options } = threadEntry(WORKER)
    const thread: Thread = { worker: new Worker(source, { ...options, name: 'scrypt' }), running: null }
    this.#threads.push(thread)
    // An idle thread must not keep the process alive.
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

  /** Replaces an ended thread. Its running hash is rejected. */
  #replace(thread: Thread, cause: Error): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1)
    if (this.#closed) return thread.running?.resolve(null)
    thread.running?.reject(cause)
    // Threads that repeatedly fail to start stop the process, with the reason.
    if (++this.#failures > FAILURES_MAX) throw cause
    this.#start()
    this.#next()
  }
}
