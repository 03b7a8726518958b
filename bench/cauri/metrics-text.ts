// Reads the server's metrics. The server caches their text for a second, so a reading waits for a text made after its start.
import { setTimeout as delay } from 'node:timers/promises'

const MADE = 'cauri_metrics_made_timestamp_seconds'
const PAUSE_MS = 50

/** Returns the metrics of the local server on that port, made after this call. */
export async function readMetrics(port: number): Promise<string> {
  const askedAtS = Date.now() / 1000
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    const text = await response.text()
    if (sampleOf(text, MADE) >= askedAtS) return text
    await delay(PAUSE_MS)
  }
}

/** Returns a sample without labels in Prometheus's text format. */
export function sampleOf(text: string, name: string): number {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (value === undefined) throw new Error(`the server's metrics lack ${name}`)
  return Number(value)
}
