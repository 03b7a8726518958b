// Starts our own files in other threads and processes. Newer Node versions strip types by themselves, which takes half the
// time; older ones need tsx, and Node 20 does not hand a loader on to worker threads.
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** True from Node 22.18 on. */
const STRIPS_TYPES = (process.features as { typescript?: unknown }).typescript === 'strip'

/** Arguments for `process.execPath` to run `script`. */
export function argumentsFor(script: URL): string[] {
  const loader = STRIPS_TYPES ? [] : ['--import', import.meta.resolve('tsx')]
  return [...loader, fileURLToPath(script)]
}

export function startThread(entry: URL, name: string, workerData: object): Worker {
  if (STRIPS_TYPES) return new Worker(entry, { execArgv: [], workerData, name })
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  const script = `import(${loader}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}) })`
  return new Worker(script, { eval: true, execArgv: [], workerData, name })
}
