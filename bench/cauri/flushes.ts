// How much Cauri has put on disk and in how many flushes, as its own metrics say.

export interface Flushes {
  readonly count: number
  readonly bytes: number
}

const COUNT = 'cauri_log_flush_duration_seconds_count'
const BYTES = 'cauri_log_flushed_bytes_total'

/** Since the server's start. */
export async function readFlushes(port: number): Promise<Flushes> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  const text = await response.text()
  return { count: metric(text, COUNT), bytes: metric(text, BYTES) }
}

/** Mean size of the batches between two readings; null when nothing was flushed. */
export function bytesPerFlush(before: Flushes, after: Flushes): number | null {
  const count = after.count - before.count
  return count === 0 ? null : (after.bytes - before.bytes) / count
}

/** A sample without labels in Prometheus's text format. */
function metric(text: string, name: string): number {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (value === undefined) throw new Error(`the server's metrics lack ${name}`)
  return Number(value)
}
