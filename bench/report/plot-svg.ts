// Draws a plot as a self-contained SVG: no script, no font and no style from elsewhere.
import { formatNumber } from '../statistics.ts'
import type { Plot, PlotPoint, PlotSeries } from './plot.ts'

const WIDTH = 640
const HEIGHT = 374
const LEFT = 78
const RIGHT = 16
const TOP = 54
const BOTTOM = 74
const PLOT_WIDTH = WIDTH - LEFT - RIGHT
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM
/** Colours that remain distinct for readers with a colour deficiency (Okabe and Ito, 2008). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#999999']
const TICKS = 5

/** Maps a value to a coordinate. */
type Scale = (value: number) => number

export function drawPlot(plot: Plot): string {
  const y = yScaleOf(plot)
  const body = plot.kind === 'bars' ? drawBars(plot, y.scale) : drawLines(plot, y.scale)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="${escapeText(plot.title)}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="18" font-size="14" font-weight="bold">${escapeText(plot.title)}</text>`,
    text(LEFT, 33, plot.yLabel, 'start'),
    ...y.ticks.map((value) => drawTick(y.scale(value), value)),
    ...body,
    `<path d="M${LEFT} ${TOP}V${TOP + PLOT_HEIGHT}H${LEFT + PLOT_WIDTH}" fill="none" stroke="#444444"/>`,
    text(LEFT + PLOT_WIDTH / 2, TOP + PLOT_HEIGHT + 34, plot.xLabel, 'middle'),
    ...drawLegend(plot.series),
    '</svg>',
  ].join('\n')
}

function drawTick(at: number, value: number): string {
  return `<path d="M${LEFT} ${round(at)}h${PLOT_WIDTH}" stroke="#dddddd"/>${text(LEFT - 6, at + 4, formatTick(value), 'end')}`
}

function drawLines(plot: Plot, y: Scale): string[] {
  const values = [...new Set(plot.series.flatMap(({ points }) => points.map(({ x }) => Number(x))))].sort((a, b) => a - b)
  const x = xScaleOf(values)
  const marks = values.map((value) => text(x(value), TOP + PLOT_HEIGHT + 16, formatTick(value), 'middle'))
  const lines = plot.series.flatMap(({ name, points }, index) => {
    const sorted = [...points].sort((one, other) => Number(one.x) - Number(other.x))
    const path = sorted.map((point, at) => `${at === 0 ? 'M' : 'L'}${round(x(Number(point.x)))} ${round(y(point.y))}`).join('')
    return [
      `<path d="${path}" fill="none" stroke="${colour(index)}" stroke-width="2"/>`,
      ...sorted.flatMap((point) => [
        drawRange(x(Number(point.x)), point, y, colour(index)),
        drawDot(x(Number(point.x)), point, y, name, index),
      ]),
    ]
  })
  return [...marks, ...lines]
}

function drawDot(x: number, point: PlotPoint, y: Scale, name: string, index: number): string {
  const title = escapeText(`${name}, ${formatTick(Number(point.x))}: ${formatNumber(point.y)}`)
  return `<circle cx="${round(x)}" cy="${round(y(point.y))}" r="3.5" fill="${colour(index)}"><title>${title}</title></circle>`
}

function drawRange(x: number, { min, max }: PlotPoint, y: Scale, stroke: string): string {
  if (min === undefined || max === undefined || min === max) return ''
  return `<path d="M${round(x)} ${round(y(min))}V${round(y(max))}" stroke="${stroke}" stroke-width="1"/>`
}

function drawBars(plot: Plot, y: Scale): string[] {
  const groups = [...new Set(plot.series.flatMap(({ points }) => points.map(({ x }) => String(x))))]
  const groupWidth = PLOT_WIDTH / Math.max(1, groups.length)
  const barWidth = (groupWidth * 0.8) / plot.series.length
  const bottom = TOP + PLOT_HEIGHT
  const bars = plot.series.flatMap(({ name, points }, index) =>
    points.flatMap((point) => {
      const left = LEFT + groups.indexOf(String(point.x)) * groupWidth + groupWidth * 0.1 + index * barWidth
      const top = Math.min(bottom, y(point.y))
      const title = escapeText(`${name}, ${point.x}: ${formatNumber(point.y)}`)
      return [
        `<rect x="${round(left)}" y="${round(top)}" width="${round(barWidth * 0.94)}" height="${round(bottom - top)}" fill="${colour(index)}"><title>${title}</title></rect>`,
        drawRange(left + barWidth / 2, point, y, '#222222'),
        text(left + barWidth / 2, top - 4, formatTick(point.y), 'middle', plot.series.length > 3 ? 8 : 10),
      ]
    }),
  )
  return [...groups.map((name, index) => text(LEFT + (index + 0.5) * groupWidth, bottom + 16, name, 'middle', 11)), ...bars]
}

function drawLegend(series: readonly PlotSeries[]): string[] {
  let left = LEFT
  return series.map(({ name }, index) => {
    const at = left
    left += 28 + name.length * 6.6
    const y = HEIGHT - 12
    return `<rect x="${round(at)}" y="${y - 9}" width="10" height="10" fill="${colour(index)}"/>${text(at + 14, y, name, 'start')}`
  })
}

function yScaleOf({ series, yScale, kind }: Plot): { readonly scale: Scale; readonly ticks: readonly number[] } {
  const values = series.flatMap(({ points }) => points.flatMap(({ y, min, max }) => [y, min ?? y, max ?? y])).filter(Number.isFinite)
  const positive = values.filter((value) => value > 0)
  // A plot of zeros has an axis too.
  const highest = positive.length === 0 ? 1 : Math.max(...positive)
  if (yScale === 'linear') {
    const step = niceStep(highest / TICKS)
    const top = Math.ceil(highest / step) * step
    const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
    return { scale: (value) => TOP + PLOT_HEIGHT * (1 - value / top), ticks }
  }
  // A bar needs room below its value: its length then shows the order of magnitude.
  const lowest = Math.min(...positive, highest) / (kind === 'bars' ? 2 : 1)
  const [from, to] = [Math.floor(Math.log10(lowest)), Math.max(Math.floor(Math.log10(lowest)) + 1, Math.ceil(Math.log10(highest)))]
  const scale: Scale = (value) => TOP + PLOT_HEIGHT * (1 - (Math.log10(Math.max(value, 10 ** from)) - from) / (to - from))
  return { scale, ticks: Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index)) }
}

/** Returns a logarithmic scale when the values span more than a decade; zero stands at the left edge. */
function xScaleOf(values: readonly number[]): Scale {
  const [first = 0, last = 1] = [values[0], values.at(-1)]
  const inner = PLOT_WIDTH - 40
  if (first === last) return () => LEFT + PLOT_WIDTH / 2
  if (first <= 0 || last / first < 10) return (value) => LEFT + 20 + (inner * (value - first)) / (last - first)
  return (value) => LEFT + 20 + (inner * Math.log(value / first)) / Math.log(last / first)
}

/** Returns 1, 2 or 5 times a power of ten that is at least `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power
}

function formatTick(value: number): string {
  for (const [size, unit] of [
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (Math.abs(value) >= size) return `${Number((value / size).toPrecision(3))}${unit}`
  }
  return String(Number(value.toPrecision(3)))
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end', size = 12): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" font-size="${size}">${escapeText(content)}</text>`
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] as string
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

export function escapeText(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
