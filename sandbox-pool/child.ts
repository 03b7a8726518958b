// The process in which hosted code runs: a pool of worker threads behind a pipe from the server and a pipe back. Ends with the
// server (see child-entry.js). Must never write anything but messages to standard output.

import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { Frames, framed } from './frames.ts'
import { inspectLayers, type ParentTraits } from './layers.ts'
import {
  RUN_CPU_MS,
  RUN_WALL_MS,
  THREAD_GRACE_MS,
  THREAD_HEAP_MB,
  THREAD_IDLE_MS,
  THREADS_KEPT,
  TO_CHILD_BYTES_MAX,
  WATCH_INTERVAL_MS,
} from './limits.ts'
import { type FromChild, fromChildBytes, readToChild, type ToChild } from './messages.ts'
import { codeFault, type RunOutcome, TOO_LONG, TOO_MUCH_WORK, unavailable } from './outcome.ts'
import { sharedPlaces } from './processor-places.ts'
import { RunClock } from './run-clock.ts'
import type { Scripts } from './scripts.ts'
import type { FromThread, RunTask, ToThread } from './task.ts'
import { compileParts } from './virtual-machine.ts'
import type { ThreadData } from './worker.ts'

/** The first frame that the server writes. */
export interface ChildSettings {
  readonly threads: number
  readonly parent: ParentTraits
  readonly scripts: Scripts
  readonly machineFiles: Readonly<Record<string, string>>
}

/** What child-entry.js knows. */
interface ChildBirth {
  readonly noInheritedFiles: boolean
  /** What the server has written after its first frame. */
  readonly rest: Buffer
  readonly workerFile: URL
}

interface ActiveRun {
  readonly port: MessagePort
  readonly clock: RunClock
  readonly abort: AbortController
  /** Why its thread is being ended. */
  verdict: RunOutcome | null
}

class Child {
  readonly #pool: Piscina
  readonly #runs = new Map<number, ActiveRun>()

  constructor(pool: Piscina) {
    this.#pool = pool
    setInterval(() => this.#watch(), WATCH_INTERVAL_MS)
  }

  take(message: ToChild): void {
    switch (message.type) {
      case 'run':
        void this.run(message).then((outcome) => say({ type: 'done', run: message.run, outcome }))
        return
      case 'answer':
        this.#runs.get(message.run)?.port.postMessage({ id: message.id, answer: message.answer } satisfies ToThread)
        return
      case 'cancel':
        return this.#end(message.run, unavailable('the run was cancelled'))
      case 'ping':
        return say({ type: 'pong' })
    }
  }

  async run({ run, entry, source, argument, wallMs }: ToChild & { type: 'run' }): Promise<RunOutcome> {
    const { port1, port2 } = new MessageChannel()
    const active: ActiveRun = { port: port1, clock: new RunClock(), abort: new AbortController(), verdict: null }
    const task: RunTask = { entry, source, argument, wallMs, clock: active.clock.shared, port: port2 }
    const lastResort = setTimeout(() => this.#end(run, TOO_LONG), wallMs + THREAD_GRACE_MS)
    port1.on('message', (message: FromThread) => hear(run, message))
    this.#runs.set(run, active)
    const outcome = await this.#outcomeOf(active, task)
    // What the thread said last may still lie in the port.
    for (let left = receiveMessageOnPort(port1); left !== undefined; left = receiveMessageOnPort(port1)) hear(run, left.message)
    clearTimeout(lastResort)
    this.#runs.delete(run)
    port1.close()
    return outcome
  }

  async #outcomeOf(active: ActiveRun, task: RunTask): Promise<RunOutcome> {
    try {
      return (await this.#pool.run(task, { transferList: [task.port], signal: active.abort.signal })) as RunOutcome
    } catch (error) {
      if (active.verdict !== null) return active.verdict
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') return codeFault('out of memory')
      return unavailable(`the run lost its thread: ${message}`)
    }
  }

  /** Ends the run's thread, whatever it does; the pool makes a new one. */
  #end(run: number, verdict: RunOutcome): void {
    const active = this.#runs.get(run)
    if (active === undefined || active.verdict !== null) return
    active.verdict = verdict
    active.abort.abort()
  }

  /** For code that does not come to where its machine would ask whether it may go on. */
  #watch(): void {
    for (const [run, { clock }] of this.#runs) if (clock.hasUsed(RUN_CPU_MS + THREAD_GRACE_MS)) this.#end(run, TOO_MUCH_WORK)
  }
}

function hear(run: number, message: FromThread): void {
  if (message.type === 'fetch') say({ type: 'fetch', run, id: message.id, request: message.request })
  else say({ type: 'log', run, lines: message.lines })
}

function say(message: FromChild): void {
  process.stdout.write(framed(fromChildBytes(message)))
}

/** Called by child-entry.js, once. */
export async function start(settings: ChildSettings, { noInheritedFiles, rest, workerFile }: ChildBirth): Promise<void> {
  const { threads, parent, scripts, machineFiles } = settings
  const layers = inspectLayers(parent, noInheritedFiles)
  process.stdout.on('error', () => process.exit(1))
  // Gives the threads a collector to call; see worker.ts.
  setFlagsFromString('--expose-gc')
  const parts = await compileParts(machineFiles, scripts.globals)
  const pool = new Piscina({
    filename: fileURLToPath(workerFile),
    name: 'run',
    workerData: { script: scripts.worker, parts, places: sharedPlaces() } satisfies ThreadData,
    minThreads: Math.min(THREADS_KEPT, threads),
    maxThreads: threads,
    idleTimeout: THREAD_IDLE_MS,
    concurrentTasksPerWorker: 1,
    // Threads make their next machine while they wait for work, so they must not sleep on a lock.
    atomics: 'disabled',
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  })
  // A thread that fails without a run is a bug of ours; the server starts another child.
  pool.on('error', (error: Error) => {
    throw error
  })
  const child = new Child(pool)
  const source = 'function lookup(args) { return args }'
  const outcome = await child.run({ type: 'run', run: 0, entry: 'lookup', source, argument: '{}', wallMs: RUN_WALL_MS })
  if (!outcome.ok) throw new Error(`the first run failed: ${outcome.message}`)
  const frames = new Frames(TO_CHILD_BYTES_MAX)
  const hearServer = (piece: Buffer): void => {
    for (const frame of frames.take(piece)) child.take(readToChild(frame))
  }
  hearServer(rest)
  process.stdin.on('data', hearServer).resume()
  say({ type: 'ready', layers })
}
