// The thread for the lines of large disbursements. It starts with the first body, reads one at a time, in turns of the accounts by size,
// and ends when it had none for a while.
import { Worker } from 'node:worker_threads'
import { FairTurns } from '../../../../engine/kernel/fair-turns.ts'
import { threadEntry } from '../../../../engine/kernel/script-entry.ts'
import type { LargeBody, LargeBodyRead } from '../../../server/body/large-body.ts'
import { costOfBytes, type WorkOwner } from '../../../server/fair-work.ts'
import { LINES_THREAD_HEAP_MB, LINES_THREAD_IDLE_MS } from './lines-limits.ts'
import type { LinesJob, LinesResult } from './lines-worker.ts'
import { itemsOf } from './packed-lines.ts'

const WORKER = new URL('./lines-worker.ts', import.meta.url)

interface Job {
  readonly cost: number
  readonly body: LargeBody
  readonly resolve: (read: LargeBodyRead) => void
  readonly reject: (error: Error) => void
}

export class LinesThread {
  readonly #turns = new FairTurns<WorkOwner, Job>()
  readonly #idleMs: number
  #worker: Worker | null = null
  #running: Job | null = null
  #idle: NodeJS.Timeout | undefined

  constructor(idleMs = LINES_THREAD_IDLE_MS) {
    this.#idleMs = idleMs
  }

  /** Rejects when the thread ends before the result, as where its heap is full. */
  read(body: LargeBody): Promise<LargeBodyRead> {
    return new Promise((resolve, reject) => {
      this.#turns.put(body.owner, { cost: costOfBytes(body.bytes.byteLength), body, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#running !== null) return
    const job = this.#turns.take()
    if (job === null) return
    clearTimeout(this.#idle)
    this.#running = job
    this.#worker ??= this.#start()
    this.#worker.ref()
    const { mediaType, bytes, currency, method, target } = job.body
    // Node.js keeps small buffers in one memory, which cannot move.
    const moved = bytes.byteLength < Buffer.poolSize ? [] : [bytes.buffer as ArrayBuffer]
    try {
      this.#worker.postMessage({ mediaType, bytes, currency, method, target } satisfies LinesJob, moved)
    } catch (error) {
      // Memory that cannot move is the fault of one body: those behind it go on.
      this.#end(({ reject }) => reject(error as Error))
    }
  }

  #start(): Worker {
    const { source, options } = threadEntry(WORKER)
    const worker = new Worker(source, { ...options, name: 'lines', resourceLimits: { maxOldGenerationSizeMb: LINES_THREAD_HEAP_MB } })
    let cause = new Error('the thread of disbursements has ended')
    worker.on('message', (result: LinesResult) => this.#end((job) => job.resolve(readOf(result))))
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = null
      this.#end((job) => job.reject(cause))
    })
    return worker
  }

  #end(settle: (job: Job) => void): void {
    const job = this.#running
    if (job === null) return
    this.#running = null
    // An idle thread must not keep the process alive.
    this.#worker?.unref()
    this.#idle = setTimeout(() => this.#stop(), this.#idleMs).unref()
    settle(job)
    this.#next()
  }

  #stop(): void {
    const worker = this.#worker
    if (this.#running !== null || worker === null) return
    this.#worker = null
    void worker.terminate()
  }
}

function readOf(result: LinesResult): LargeBodyRead {
  if ('bytes' in result) return { bytes: Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength) }
  const { rest, count, blocks, fingerprint } = result
  return { value: { ...rest, items: itemsOf(count, blocks) }, fingerprint }
}

/** One for the process, as fair-work.ts. */
export const linesThread = new LinesThread()
