// Bytes and flushes that Cauri has written to disk, from its metrics.
import { readMetrics, sampleOf } from './metrics-text.ts'

export interface Flushes {
  readonly count: number
  readonly bytes: number
}

const COUNT = 'cauri_log_flush_duration_seconds_count'
const BYTES = 'cauri_log_flushed_bytes_total'

/** Returns the flushes since the server's start. */
export async function readFlushes(port: number): Promise<Flushes> {
  const text = await readMetrics(port)
  return { count: sampleOf(text, COUNT), bytes: sampleOf(text, BYTES) }
}

/** Returns the mean size of log batches between two readings; null without a flush. */
export function bytesPerFlush(before: Flushes, after: Flushes): number | null {
  const count = after.count - before.count
  return count === 0 ? null : (after.bytes - before.bytes) / count
}
