// What a worker thread does at this moment, written by the thread and read by the child's main thread: which run computes and
// since when, how far it came, how much memory its machines hold. Costs a few stores for each step.
import { readFileSync, readlinkSync } from 'node:fs'
import { hrtime } from 'node:process'

const ENTERED_MS = 0
const RUN = 1
const TICKS = 2
const MACHINE_BYTES = 3
const THREAD_ID = 4
const FIELDS = 5

export class ThreadClock {
  readonly shared: SharedArrayBuffer
  readonly #fields: Float64Array

  constructor(shared = new SharedArrayBuffer(FIELDS * Float64Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.#fields = new Float64Array(shared)
  }

  /** By the thread, once. */
  start(): void {
    this.#fields[THREAD_ID] = ownThreadId()
  }

  /** The thread begins a step of a run, or goes on with one that another run's step had interrupted. */
  enter(run: number, sinceMs: number): void {
    this.#fields[RUN] = run
    this.#fields[ENTERED_MS] = sinceMs
    this.tick()
  }

  leave(): void {
    this.#fields[ENTERED_MS] = 0
    this.tick()
  }

  /** The thread asked whether it may go on: it is not stuck in one operation. */
  tick(): void {
    this.#fields[TICKS] = this.ticks + 1
  }

  set machineBytes(bytes: number) {
    this.#fields[MACHINE_BYTES] = bytes
  }

  get machineBytes(): number {
    return this.#field(MACHINE_BYTES)
  }

  get ticks(): number {
    return this.#field(TICKS)
  }

  /** The run whose code computes now; null between steps. */
  get computingRun(): number | null {
    return this.#field(ENTERED_MS) === 0 ? null : this.#field(RUN)
  }

  /** How long the step lasts that is under way; 0 between steps. */
  computingMs(nowMs: number): number {
    const enteredMs = this.#field(ENTERED_MS)
    return enteredMs === 0 ? 0 : nowMs - enteredMs
  }

  /** Processor time of the thread since its start; null where the system does not tell. */
  processorMs(): number | null {
    const threadId = this.#field(THREAD_ID)
    if (threadId === 0) return null
    try {
      return Number(readFileSync(`/proc/self/task/${threadId}/schedstat`, 'latin1').split(' ')[0]) / 1e6
    } catch {
      // A kernel without scheduler statistics, or a thread that has ended.
      return null
    }
  }

  #field(index: number): number {
    return this.#fields[index] ?? 0
  }
}

/** The same for all threads of a process, unlike `performance.now()`. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

/** Linux: the kernel's number of this thread; 0 elsewhere. */
function ownThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    // No such file system: nothing is known of processor time.
    return 0
  }
}
