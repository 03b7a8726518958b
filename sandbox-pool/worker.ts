// A worker thread: many runs, each in its own machine. It is compiled to a script (see scripts.ts), because a TypeScript loader
// costs 26 MB and 0.4 s of processor time per thread.
import { getPriority, setPriority } from 'node:os'
import { platform } from 'node:process'
import { workerData } from 'node:worker_threads'
import { enterIdleClass } from './idle-class.ts'
import { COMPUTING_NICE, IDLE_CLASS_AFTER_MS, NICE_MAX, THREAD_NICE } from './limits.ts'
import type { MachineParts } from './machine-parts.ts'
import { ProcessorPlace } from './processor-places.ts'
import type { ThreadTask } from './task.ts'
import { ThreadClock } from './thread-clock.ts'
import { ThreadRuns } from './thread-runs.ts'
import { VirtualMachine } from './virtual-machine.ts'

export interface ThreadData {
  /** Script that worker-entry.js runs: this file with all its imports. */
  readonly script: string
  readonly parts: MachineParts
  /** See processor-places.ts. */
  readonly places: SharedArrayBuffer
}

const { parts, places } = workerData as ThreadData

// The library copies host errors with their stack into the machine. The stack would reveal paths of this host.
Error.stackTraceLimit = 0
/** A new thread has the priority of the thread that made it. */
const childNice = getPriority()

/** Serves runs until the port closes. */
export function serve({ purpose, port, clock: shared }: ThreadTask): Promise<void> {
  lowerTo(childNice + THREAD_NICE[purpose])
  const clock = new ThreadClock(shared)
  clock.start()
  const runs = new ThreadRuns({
    port,
    clock,
    place: new ProcessorPlace(places),
    createMachine: () => VirtualMachine.create(parts),
    lowerPriority: THREAD_NICE[purpose] < COMPUTING_NICE ? () => lowerTo(childNice + COMPUTING_NICE) : undefined,
    enterIdleClass,
    idleClassAfterMs: IDLE_CLASS_AFTER_MS[purpose],
    // Defined with --expose-gc.
    collectGarbage: (globalThis as { gc?: () => void }).gc,
  })
  return runs.serve()
}

/** Sets the nice value of this thread. Only Linux has one per thread; elsewhere it is the process's. */
function lowerTo(nice: number): void {
  if (platform !== 'linux') return
  try {
    setPriority(Math.min(NICE_MAX, nice))
  } catch {
    // EPERM: the priority was lowered meanwhile, and an unprivileged process cannot raise it again.
  }
}
