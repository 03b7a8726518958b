// How much Cauri has put on disk and in how many flushes, as its own metrics say.
import { readMetrics, sampleOf } from './metrics-text.ts'

export interface Flushes {
  readonly count: number
  readonly bytes: number
}

const COUNT = 'cauri_log_flush_duration_seconds_count'
const BYTES = 'cauri_log_flushed_bytes_total'

/** Since the server's start. */
export async function readFlushes(port: number): Promise<Flushes> {
  const text = await readMetrics(port)
  return { count: sampleOf(text, COUNT), bytes: sampleOf(text, BYTES) }
}

/** Mean size of the batches between two readings; null when nothing was flushed. */
export function bytesPerFlush(before: Flushes, after: Flushes): number | null {
  const count = after.count - before.count
  return count === 0 ? null : (after.bytes - before.bytes) / count
}
