// One worker thread on the child's main thread: a long task of the pool, a port to its runs, and its clock. It ends once, by `end` or
// by a crash.
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { SandboxPurpose } from '../engine/actor/ports.ts'
import { HEAVY_STEP_MS } from './limits.ts'
import type { FromThread, ThreadTask, ToThread } from './task.ts'
import { monotonicMs, ThreadClock } from './thread-clock.ts'

/** Starts a task of the pool that lasts as long as its thread. Aborting its signal ends the thread. */
export interface ThreadPool {
  readonly run: (task: ThreadTask, options: { readonly transferList: MessagePort[]; readonly signal: AbortSignal }) => Promise<unknown>
}

export interface ThreadListener {
  readonly onMessage: (thread: PoolThread, message: FromThread) => void
  /** Called once, as the last call. */
  readonly onEnd: (thread: PoolThread, error: Error | null) => void
  readonly merchantOf: (run: number) => string | null
}

export class PoolThread {
  readonly purpose: SandboxPurpose
  readonly clock = new ThreadClock()
  readonly #port: MessagePort
  readonly #listener: ThreadListener
  readonly #abort = new AbortController()
  #stuckTicks = -1
  #stuckSinceProcessorMs = 0
  #endedRun: number | null = null
  #endedSinceMs = 0

  constructor(pool: ThreadPool, purpose: SandboxPurpose, listener: ThreadListener) {
    const { port1, port2 } = new MessageChannel()
    this.purpose = purpose
    this.#port = port1
    this.#listener = listener
    port1.on('message', (message: FromThread) => listener.onMessage(this, message))
    const task: ThreadTask = { purpose, port: port2, clock: this.clock.shared }
    pool.run(task, { transferList: [port2], signal: this.#abort.signal }).then(
      () => this.#end(null),
      (error: Error) => this.#end(error),
    )
  }

  get computingMerchant(): string | null {
    const run = this.clock.computingRun
    if (run === null || this.clock.computingMs(monotonicMs()) < HEAVY_STEP_MS) return null
    return this.#listener.merchantOf(run)
  }

  post(message: ToThread): void {
    this.#port.postMessage(message)
  }

  /** Ends the thread in any state. The pool makes a new one. */
  end(): void {
    this.#abort.abort()
  }

  /** Returns the processor time since the last interrupt of the computing code; 0 if unknown. */
  stuckProcessorMs(): number {
    const { ticks, computingRun } = this.clock
    const isSame = ticks === this.#stuckTicks && computingRun !== null
    if (computingRun === null) return 0
    const processorMs = this.clock.processorMs() ?? 0
    if (!isSame) {
      this.#stuckTicks = ticks
      this.#stuckSinceProcessorMs = processorMs
    }
    return processorMs - this.#stuckSinceProcessorMs
  }

  /**
   * Returns the time for which the code of an ended run has computed here; 0 if it does not. An operation without an interrupt goes
   * on after the end of its run.
   */
  computingAfterEndMs(nowMs: number, isUnderWay: (run: number) => boolean): number {
    const run = this.clock.computingRun
    const ended = run === null || isUnderWay(run) ? null : run
    if (ended !== this.#endedRun) {
      this.#endedRun = ended
      this.#endedSinceMs = nowMs
    }
    return ended === null ? 0 : nowMs - this.#endedSinceMs
  }

  #end(error: Error | null): void {
    // Reads the last messages of the thread from the port.
    for (let left = receiveMessageOnPort(this.#port); left !== undefined; left = receiveMessageOnPort(this.#port)) {
      this.#listener.onMessage(this, left.message as FromThread)
    }
    this.#port.close()
    this.#listener.onEnd(this, error)
  }
}
