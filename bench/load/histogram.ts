// Latency histograms: HdrHistogram in microseconds with three significant digits, up to one minute.
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'

export type { Histogram }

const HIGHEST_US = 60_000_000

export interface Percentiles {
  readonly count: number
  readonly p50Us: number
  readonly p90Us: number
  readonly p99Us: number
  readonly p999Us: number
  readonly maxUs: number
}

export function newHistogram(): Histogram {
  return build({ lowestDiscernibleValue: 1, highestTrackableValue: HIGHEST_US, numberOfSignificantValueDigits: 3, bitBucketSize: 32 })
}

export function recordMs(histogram: Histogram, milliseconds: number): void {
  histogram.recordValue(Math.min(HIGHEST_US, Math.max(0, Math.round(milliseconds * 1000))))
}

export function encodeHistogram(histogram: Histogram): string {
  return encodeIntoCompressedBase64(histogram)
}

/** Returns the percentiles of all runs together. Percentiles of single runs must not be averaged. */
export function percentilesOf(encoded: readonly string[]): Percentiles {
  const all = newHistogram()
  for (const text of encoded) all.add(decodeFromCompressedBase64(text, 32))
  return {
    count: all.totalCount,
    p50Us: all.getValueAtPercentile(50),
    p90Us: all.getValueAtPercentile(90),
    p99Us: all.getValueAtPercentile(99),
    p999Us: all.getValueAtPercentile(99.9),
    maxUs: all.maxValue,
  }
}
