// Samples the resident memory of a process during a measurement.
import { anonymousBytes } from './memory.ts'

const SAMPLE_MS = 250

export interface WatchedMemory {
  /** Mean of the last quarter against that of the second one: the first may still fill queues. */
  readonly growth: number
  readonly peakBytes: number
}

/** Watches the memory while `work` runs; null without /proc. */
export async function whileWatching<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly memory: WatchedMemory | null }> {
  const samples: number[] = []
  const sample = (): void => {
    const bytes = anonymousBytes(pid)
    if (bytes !== null) samples.push(bytes)
  }
  sample()
  const timer = setInterval(sample, SAMPLE_MS)
  try {
    const result = await work()
    sample()
    return { result, memory: watchedMemory(samples) }
  } finally {
    clearInterval(timer)
  }
}

export function watchedMemory(samples: readonly number[]): WatchedMemory | null {
  if (samples.length === 0) return null
  const quarter = (number: number): number =>
    mean(samples.slice(Math.floor((samples.length * number) / 4), Math.ceil((samples.length * (number + 1)) / 4)))
  return { growth: quarter(3) / quarter(1), peakBytes: Math.max(...samples) }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
