// A plot of measured figures, as data. Rows return plots; report/plot-svg.ts draws them.

export interface PlotPoint {
  /** A number of the axis, or the name of a group of bars. */
  readonly x: number | string
  readonly y: number
  /** Range of the repeats. */
  readonly min?: number
  readonly max?: number
}

export interface PlotSeries {
  readonly name: string
  readonly points: readonly PlotPoint[]
}

export interface Plot {
  readonly title: string
  /** `bars`: groups by the names of `x`. `lines`: `x` is a number. */
  readonly kind: 'bars' | 'lines'
  readonly xLabel: string
  readonly yLabel: string
  readonly yScale: 'log' | 'linear'
  readonly series: readonly PlotSeries[]
}

/** Returns a point with the range of its repeats. */
export function pointOf(
  x: number | string,
  { median, min, max }: { readonly median: number; readonly min: number; readonly max: number },
): PlotPoint {
  return { x, y: median, min, max }
}
