// Medians, ranges and the format of figures.

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('no values to summarize')
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number): number => sorted[index] as number
  const middle = (sorted.length - 1) / 2
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, min: at(0), max: at(sorted.length - 1) }
}

/** Returns ratios repeat by repeat, so that both values of a ratio were measured close in time. */
export function ratios(above: readonly number[], below: readonly number[]): Spread {
  if (above.length !== below.length) throw new Error('a ratio needs as many repeats on both sides')
  return spreadOf(above.map((value, index) => value / (below[index] as number)))
}

export function formatSpread({ median, min, max }: Spread, format: (value: number) => string = formatNumber): string {
  return min === max ? format(median) : `${format(median)} (${format(min)}–${format(max)})`
}

/** Formats a number with three significant digits and a thousands separator. */
export function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ' ')
}

export function formatUs(microseconds: number): string {
  return microseconds < 1000 ? `${Math.round(microseconds)} µs` : `${formatNumber(microseconds / 1000)} ms`
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB']
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${formatNumber(bytes / 1024 ** power)} ${units[power]}`
}
