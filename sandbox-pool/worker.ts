// A worker thread: one run at a time, each in a machine of its own that was made while nothing else was to do. Comes as a
// script (see scripts.ts): a TypeScript loader would cost every thread 26 MB and 0.4 s of processor time.
import { getPriority, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { GuestRun } from './guest-run.ts'
import { NICE_MAX, THREAD_NICE, VM_LIGHT_BYTES } from './limits.ts'
import type { RunOutcome } from './outcome.ts'
import { ProcessorPlace } from './processor-places.ts'
import type { RunTask } from './task.ts'
import { type MachineParts, VirtualMachine } from './virtual-machine.ts'

export interface ThreadData {
  /** What worker-entry.js runs: this file with everything that it imports. */
  readonly script: string
  readonly parts: MachineParts
  /** See processor-places.ts. */
  readonly places: SharedArrayBuffer
}

const { parts, places } = workerData as ThreadData
/** There with --expose-gc. */
const collectGarbage = (globalThis as { gc?: () => void }).gc

// The library copies errors of ours into the machine, stack and all: paths of this host would be in it.
Error.stackTraceLimit = 0
stepBack()
let prepared: Promise<VirtualMachine> | null = prepare()

/** Never rejects for what the code does. */
export async function run(task: RunTask): Promise<RunOutcome> {
  const ready = prepared ?? prepare()
  prepared = null
  const machine = await ready
  try {
    return await new GuestRun(machine, task, new ProcessorPlace(places)).run()
  } finally {
    const wasHeavy = machine.memoryBytes > VM_LIGHT_BYTES
    machine.dispose()
    setImmediate(() => {
      // Memory of a machine is freed by the collector, which does not see how large it is.
      if (wasHeavy) collectGarbage?.()
      prepared ??= prepare()
    })
  }
}

/** Behind the child, wherever that stands: on Linux this is the priority of the thread alone. */
function stepBack(): void {
  try {
    setPriority(Math.min(NICE_MAX, getPriority() + THREAD_NICE))
  } catch {
    // Somebody has taken it back meanwhile, and nobody may come forward again.
  }
}

function prepare(): Promise<VirtualMachine> {
  const machine = VirtualMachine.create(parts)
  machine.catch(() => {
    // The run that awaits it hears of a failure; until then nobody does.
  })
  return machine
}
