// Activity of a worker thread in shared memory, written by the thread and read by the child's main thread: the computing run and its
// start, a tick counter, and the memory of its machines. It costs a few stores per step.
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

  /** Called once by the thread. */
  start(): void {
    this.#fields[THREAD_ID] = ownThreadId()
  }

  /** Called by the thread when it begins a step, or resumes one after another run's step. */
  enter(run: number, sinceMs: number): void {
    this.#fields[RUN] = run
    this.#fields[ENTERED_MS] = sinceMs
    this.tick()
  }

  leave(): void {
    this.#fields[ENTERED_MS] = 0
    this.tick()
  }

  /** Called by the thread at each interrupt: it is not stuck in one operation. */
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

  /** Returns the run whose code computes now; null between steps. */
  get computingRun(): number | null {
    return this.#field(ENTERED_MS) === 0 ? null : this.#field(RUN)
  }

  /** Returns the duration of the current step so far; 0 between steps. */
  computingMs(nowMs: number): number {
    const enteredMs = this.#field(ENTERED_MS)
    return enteredMs === 0 ? 0 : nowMs - enteredMs
  }

  /** Returns the processor time of the thread since its start; null if the system does not report it. */
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

/** Returns a monotonic time that is the same for all threads of a process, unlike `performance.now()`. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

/** Returns the kernel's id of this thread on Linux; 0 elsewhere. */
function ownThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    // No /proc: the processor time is unknown.
    return 0
  }
}
