// How long a run has been inside its virtual machine, written by its thread and read by whoever watches the thread. Costs a
// few stores; the operating system is asked only when the clock on the wall says that the limit may have been reached.
import { readFileSync, readlinkSync } from 'node:fs'
import { hrtime } from 'node:process'

const ENTERED_MS = 0
const INSIDE_MS = 1
const THREAD_ID = 2
const CPU_AT_START_MS = 3
const FIELDS = 4

export class RunClock {
  readonly shared: SharedArrayBuffer
  readonly #fields: Float64Array

  constructor(shared = new SharedArrayBuffer(FIELDS * Float64Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.#fields = new Float64Array(shared)
  }

  /** By the run's thread, at its start. */
  start(): void {
    const thread = ownThreadId()
    this.#fields[THREAD_ID] = thread
    this.#fields[CPU_AT_START_MS] = threadCpuMs(thread) ?? 0
  }

  enter(): void {
    this.#fields[ENTERED_MS] = monotonicMs()
  }

  leave(): void {
    this.#fields[INSIDE_MS] = this.insideMs()
    this.#fields[ENTERED_MS] = 0
  }

  /** On the wall: what a thread that shares its core got less of. */
  insideMs(): number {
    const enteredMs = this.#field(ENTERED_MS)
    return this.#field(INSIDE_MS) + (enteredMs === 0 ? 0 : monotonicMs() - enteredMs)
  }

  /** Whether the run used more processor time than this. Where the system does not tell, time on the wall stands for it. */
  hasUsed(limitMs: number): boolean {
    if (this.insideMs() <= limitMs) return false
    const cpuMs = threadCpuMs(this.#field(THREAD_ID))
    return cpuMs === null || cpuMs - this.#field(CPU_AT_START_MS) > limitMs
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
    // No such file system: time on the wall has to do.
    return 0
  }
}

/** Processor time of a thread of this process; null where the system does not tell. */
function threadCpuMs(threadId: number): number | null {
  if (threadId === 0) return null
  try {
    return Number(readFileSync(`/proc/self/task/${threadId}/schedstat`, 'latin1').split(' ')[0]) / 1e6
  } catch {
    // A kernel without scheduler statistics.
    return null
  }
}
