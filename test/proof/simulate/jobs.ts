// Runs many seeds in several processes. Each gets a slice of seeds at a time; what they report is added up here.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { Coverage } from './coverage.ts'
import type { Slice, SliceReport } from './job.ts'
import { FAILURES_MAX, type RunOptions, type SeedsReport, Total } from './run.ts'

/** Seeds that a process gets at a time: what an interrupted run loses at most, by process. */
const SLICE_SEEDS = 2

export interface JobsOptions extends Omit<RunOptions, 'run'> {
  readonly jobs: number
}

export async function runJobs({ jobs, signal, onReport, ...options }: JobsOptions): Promise<SeedsReport> {
  const total = new Total()
  const slices = slicesOf(options)
  const failuresMax = options.failuresMax ?? FAILURES_MAX
  const next = (): Slice | null => {
    const isOver =
      signal?.aborted === true || total.failures.length >= failuresMax || Date.now() >= (options.endsMs ?? Number.POSITIVE_INFINITY)
    return isOver ? null : (slices.next().value ?? null)
  }
  const add = (report: SliceReport): void => {
    total.add({ ...report, coverage: Coverage.of(report.coverage), failures: report.failures.map(failureOf) })
    onReport?.(total)
  }
  await Promise.all(Array.from({ length: jobs }, () => work(next, add, signal)))
  return total
}

function* slicesOf({ from, count, twice }: Pick<RunOptions, 'from' | 'count' | 'twice'>): Generator<Slice, null> {
  for (let start = from; start < from + count; start += SLICE_SEEDS) {
    const seeds = Math.min(SLICE_SEEDS, from + count - start)
    yield { from: start, count: seeds, twice: Math.max(0, Math.min(seeds, from + twice - start)) }
  }
  return null
}

async function work(next: () => Slice | null, add: (report: SliceReport) => void, signal: AbortSignal | undefined): Promise<void> {
  const [script, ...rest] = processEntry(new URL('./job.ts', import.meta.url)).reverse()
  const child = fork(script ?? '', [], { execArgv: [...process.execArgv.filter((flag) => flag.startsWith('--max-')), ...rest.reverse()] })
  const exited = once(child, 'exit')
  const stop = (): void => void child.kill('SIGTERM')
  signal?.addEventListener('abort', stop)
  try {
    for (let slice = next(); slice !== null; slice = next()) {
      const report = await reportOf(child, slice)
      if (report !== null) add(report)
      else if (signal?.aborted !== true) throw new Error(`the process of the seeds from ${slice.from} on ended before its report`)
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
    await exited
  }
}

/** Null when the process ends first. */
function reportOf(child: ChildProcess, slice: Slice): Promise<SliceReport | null> {
  return new Promise((resolve) => {
    const onExit = (): void => resolve(null)
    child.once('exit', onExit)
    child.once('message', (report) => {
      child.removeListener('exit', onExit)
      resolve(report as SliceReport)
    })
    child.send(slice)
  })
}

function failureOf({ seed, text }: SliceReport['failures'][number]): { readonly seed: number; readonly error: string } {
  return { seed, error: text }
}
