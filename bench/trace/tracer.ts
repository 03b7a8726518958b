// Stall tracer, loaded into the server's process before its program (`node --import`). It watches the event loop, the garbage
// collector and the commits of the log, and writes what it saw when the process exits. It must never keep the process alive.
import { subscribe } from 'node:diagnostics_channel'
import { openSync, readSync, writeFileSync } from 'node:fs'
import { constants, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import { type Collection, KEPT_FROM_US, KEPT_MAX, type LoopStall, PROBE_MS, TRACE_VARIABLE } from './trace-file.ts'

const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'mark-sweep',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'scavenge',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental marking',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak callbacks',
}

const path = process.env[TRACE_VARIABLE]
// Child processes must not trace.
delete process.env[TRACE_VARIABLE]
if (isMainThread && path !== undefined) trace(path)

function trace(target: string): void {
  const stalls: LoopStall[] = []
  const collections: Collection[] = []
  const commits: { fromUs: number; toUs: number }[] = []
  const offsetUs = nowUs() - performance.now() * 1000
  watchLoop(stalls)
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (collections.length >= KEPT_MAX) return
      const { startTime, duration, detail } = entry as PerformanceEntry & { readonly detail: { readonly kind: number } }
      const fromUs = offsetUs + startTime * 1000
      const kind = GC_KINDS[detail.kind] ?? 'other'
      collections.push({ fromUs, toUs: fromUs + duration * 1000, kind })
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  subscribe('cauri:log-append', (message) => {
    const { startedMs, endedMs } = message as { startedMs: number; endedMs: number }
    const fromUs = offsetUs + startedMs * 1000
    const toUs = offsetUs + endedMs * 1000
    if (toUs - fromUs >= KEPT_FROM_US && commits.length < KEPT_MAX) commits.push({ fromUs, toUs })
  })
  process.once('exit', () => writeFileSync(target, JSON.stringify({ stalls, collections, commits })))
}

function watchLoop(stalls: LoopStall[]): void {
  const readUse = threadUse()
  let lastUs = nowUs()
  let last = readUse()
  const probe = setInterval(() => {
    const toUs = nowUs()
    const use = readUse()
    if (toUs - lastUs - PROBE_MS * 1000 >= KEPT_FROM_US && stalls.length < KEPT_MAX) {
      const cpuUs = use === null || last === null ? null : use.cpuUs - last.cpuUs
      const queuedUs = use === null || last === null ? null : use.queuedUs - last.queuedUs
      stalls.push({ fromUs: lastUs, toUs, cpuUs, queuedUs })
    }
    lastUs = toUs
    last = use
  }, PROBE_MS)
  probe.unref()
}

interface ThreadUse {
  readonly cpuUs: number
  readonly queuedUs: number
}

/** Returns a reader of the main thread's schedstat (Documentation/scheduler/sched-stats.rst): nanoseconds running, then waiting. */
function threadUse(): () => ThreadUse | null {
  let file: number
  try {
    file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  } catch {
    return () => null
  }
  const buffer = Buffer.alloc(96)
  return () => {
    const text = buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0))
    const [running = 0, waiting = 0] = text.split(' ').map(Number)
    return { cpuUs: running / 1000, queuedUs: waiting / 1000 }
  }
}

function nowUs(): number {
  return Number(process.hrtime.bigint()) / 1000
}
