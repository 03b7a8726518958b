// Latency of the log alone: callers that wait for their record to be durable and then send the next one, gathered into batches as the
// engine gathers them. No HTTP, no turn.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DurableLog } from '../../engine/actor/ports.ts'
import { FIRST_EPOCH } from '../../wal/log/append-rule.ts'
import { LmdbLog } from '../../wal/log/lmdb-log.ts'
import { encodeHistogram, type Histogram, newHistogram, percentilesOf, recordMs } from '../load/histogram.ts'
import type { Stand } from '../stand.ts'
import { formatNumber, formatUs } from '../statistics.ts'
import { PlainFileLog } from './plain-file-log.ts'

/** Bytes of one payout's record in the log. */
const RECORD_BYTES = 600
const CALLERS = [1, 4, 16, 64] as const
const WARMUP_SHARE = 0.2

/** Ways to keep the log, by the names of the notes. */
const LOGS: Readonly<Record<string, (folder: string) => Promise<DurableLog>>> = {
  LMDB: (folder) => LmdbLog.open({ path: join(folder, 'lmdb') }),
  'file, write and fdatasync': (folder) => plainFile(folder, 'fdatasync', false),
  'file, write with O_DSYNC': (folder) => plainFile(folder, 'dsync', false),
  'preallocated file, write and fdatasync': (folder) => plainFile(folder, 'fdatasync', true),
  'preallocated file, write with O_DSYNC': (folder) => plainFile(folder, 'dsync', true),
}

function plainFile(folder: string, sync: 'fdatasync' | 'dsync', isPreallocated: boolean): Promise<PlainFileLog> {
  return PlainFileLog.create({ path: join(folder, 'log'), sync, isPreallocated })
}

/** Returns the latencies of each way with each number of callers as lines of text, all repeats together. */
export async function compareLogs({ folder, options }: Stand): Promise<string[]> {
  const taken = new Map<string, string[]>()
  for (let round = 0; round < options.repeat; round++) {
    for (const callers of CALLERS) {
      for (const [name, open] of Object.entries(LOGS)) {
        const own = join(folder, 'log-latency')
        mkdirSync(own)
        const log = await open(own)
        const histogram = await measureLog(log, callers, options.seconds)
        await log.close()
        rmSync(own, { recursive: true })
        const key = `${callers} callers, ${name}`
        taken.set(key, [...(taken.get(key) ?? []), encodeHistogram(histogram)])
      }
    }
  }
  return [
    `The log alone, records of ${RECORD_BYTES} bytes, callers that wait for theirs:`,
    ...[...taken].map(([key, histograms]) => {
      const { count, p50Us, p99Us, p999Us, maxUs } = percentilesOf(histograms)
      const rate = formatNumber(count / (options.seconds * options.repeat))
      return `  ${key}: p50 ${formatUs(p50Us)}, p99 ${formatUs(p99Us)}, p99.9 ${formatUs(p999Us)}, max ${formatUs(maxUs)}; ${rate}/s`
    }),
  ]
}

/** Returns the time from a caller's request to its callback, after a warm-up. */
export function measureLog(log: DurableLog, callers: number, seconds: number): Promise<Histogram> {
  const histogram = newHistogram()
  const startMs = performance.now()
  const fromMs = startMs + seconds * 1000 * WARMUP_SHARE
  const toMs = fromMs + seconds * 1000
  const bytes = new Uint8Array(RECORD_BYTES * callers).fill(0x5a)
  return new Promise((resolve, reject) => {
    // All callers send in one turn of the loop, as over connections whose answers left together.
    const flush = (sentMs: number): void => {
      const batch = { partition: log.partition, epoch: FIRST_EPOCH, expectedSequence: log.durableSequence + 1, recordCount: callers, bytes }
      log.append([batch], (error) => {
        if (error !== null) return reject(error)
        const nowMs = performance.now()
        if (sentMs >= fromMs) recordMany(histogram, nowMs - sentMs, callers)
        if (nowMs >= toMs) resolve(histogram)
        else setImmediate(flush, nowMs)
      })
    }
    flush(startMs)
  })
}

function recordMany(histogram: Histogram, milliseconds: number, count: number): void {
  for (let recorded = 0; recorded < count; recorded++) recordMs(histogram, milliseconds)
}
