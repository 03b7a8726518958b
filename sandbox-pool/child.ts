// The child process that runs hosted code: a pool of worker threads, with pipes from and to the server. Ends with the server (see
// child-entry.js). Must write only messages to standard output.

import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Piscina } from 'piscina'
import { ChildRuns } from './child-runs.ts'
import { Frames, framed } from './frames.ts'
import { inspectLayers, type ParentTraits } from './layers.ts'
import { RUN_WALL_MS, THREAD_HEAP_MB, THREAD_STACK_MB, TO_CHILD_BYTES_MAX, WATCH_INTERVAL_MS } from './limits.ts'
import { compileParts } from './machine-parts.ts'
import { type FromChild, fromChildBytes, readToChild, type ToChild } from './messages.ts'
import { threadsMax } from './placement.ts'
import { sharedPlaces } from './processor-places.ts'
import type { Scripts } from './scripts.ts'
import type { ThreadData } from './worker.ts'

/** The first frame that the server writes. */
export interface ChildSettings {
  /** SANDBOX_THREADS; see placement.ts. */
  readonly threads: number
  readonly parent: ParentTraits
  readonly scripts: Scripts
  readonly machineFiles: Readonly<Record<string, string>>
}

/** Values that child-entry.js passes. */
interface ChildBirth {
  readonly noInheritedFiles: boolean
  /** Bytes that the server has written after its first frame. */
  readonly rest: Buffer
  readonly workerFile: URL
}

/** Starts the pool. child-entry.js calls it once. */
export async function start(settings: ChildSettings, { noInheritedFiles, rest, workerFile }: ChildBirth): Promise<void> {
  const { threads, parent, scripts, machineFiles } = settings
  const layers = inspectLayers(parent, noInheritedFiles)
  process.stdout.on('error', () => process.exit(1))
  // Lets threads call the garbage collector; see worker.ts.
  setFlagsFromString('--expose-gc')
  const parts = await compileParts(machineFiles, scripts.globals)
  const pool = new Piscina({
    filename: fileURLToPath(workerFile),
    name: 'serve',
    workerData: { script: scripts.worker, parts, places: sharedPlaces() } satisfies ThreadData,
    // child-runs.ts decides which threads exist. A thread is not reused, because its priority may be lowered.
    minThreads: 0,
    maxThreads: threadsMax(threads),
    idleTimeout: 0,
    concurrentTasksPerWorker: 1,
    // The only task of a thread lasts as long as the thread, so it must not sleep on a lock.
    atomics: 'disabled',
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB, stackSizeMb: THREAD_STACK_MB },
  })
  // A thread that fails without a run is a bug. The server starts another child.
  pool.on('error', (error: Error) => {
    throw error
  })
  let onTried: (message: FromChild) => void = () => {}
  const runs = new ChildRuns({ run: (task, options) => pool.run(task, options) }, threads, (message) =>
    'run' in message && message.run === TRIED ? onTried(message) : say(message),
  )
  await new Promise<void>((resolve, reject) => {
    onTried = (message) => {
      if (message.type !== 'done') return
      if (message.outcome.ok) resolve()
      else reject(new Error(`the first run failed: ${message.outcome.message}`))
    }
    runs.begin(TRIAL)
  })
  const frames = new Frames(TO_CHILD_BYTES_MAX)
  const readServer = (piece: Buffer): void => {
    for (const frame of frames.take(piece)) take(readToChild(frame), runs)
  }
  readServer(rest)
  process.stdin.on('data', readServer).resume()
  setInterval(() => runs.watch(), WATCH_INTERVAL_MS)
  say({ type: 'ready', layers })
}

/** Number of the trial run, which must succeed before the child reports that it is ready. */
const TRIED = 0
const TRIAL: ToChild & { type: 'run' } = {
  type: 'run',
  run: TRIED,
  merchant: '',
  purpose: 'live',
  entry: 'lookup',
  source: 'function lookup(args) { return args }',
  argument: '{}',
  wallMs: RUN_WALL_MS,
}

function take(message: ToChild, runs: ChildRuns): void {
  switch (message.type) {
    case 'run':
      return runs.begin(message)
    case 'answer':
      return runs.answer(message)
    case 'cancel':
      return runs.cancel(message.run)
    case 'ping':
      return say({ type: 'pong' })
  }
}

function say(message: FromChild): void {
  process.stdout.write(framed(fromChildBytes(message)))
}
