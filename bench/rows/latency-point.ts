// One point of row 4: a window of payouts, the same window at a server that does nothing, and the disk right after it.
import { bytesPerFlush, readFlushes } from '../cauri/flushes.ts'
import { measureFlush } from '../limits/disk.ts'
import { type Percentiles, percentilesOf } from '../load/histogram.ts'
import type { Measurement, Subject } from '../measure.ts'
import { type Plot, type PlotSeries, pointOf } from '../report/plot.ts'
import { atMost, type Bound, type Claim } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatBytes, formatNumber, formatSpread, formatUs, ratios, type Spread, spreadOf } from '../statistics.ts'
import { doubts } from '../summary.ts'

const FLUSH_SECONDS = 1
const QUICK_FLUSH_SECONDS = 0.3
/** Maxima of p99.9 in milliseconds. */
const P999_MUST = atMost(10)

export interface LatencyPoint {
  readonly name: string
  readonly cauri: Measurement
  readonly noOp: Measurement
  /** Mean size of the log batches in the window. */
  readonly batchBytes: number
  /** One append and fdatasync of as many bytes. */
  readonly flush: Percentiles
}

export async function measureLatency(
  stand: Stand,
  name: string,
  { cauri, noOp }: { readonly cauri: Subject; readonly noOp: Subject },
  workload: PayoutWorkload,
): Promise<LatencyPoint> {
  const ofNoOp = await stand.measurePayouts(noOp, workload)
  const before = await readFlushes(cauri.port)
  const ofCauri = await stand.measurePayouts(cauri, workload)
  const batchBytes = bytesPerFlush(before, await readFlushes(cauri.port))
  if (batchBytes === null) throw new Error('payouts were answered and nothing was flushed')
  const flush = measureFlush(stand.folder, Math.round(batchBytes), stand.options.quick ? QUICK_FLUSH_SECONDS : FLUSH_SECONDS)
  return { name, cauri: ofCauri, noOp: ofNoOp, batchBytes, flush }
}

/** Returns the claims about all rounds of one point. */
export function latencyClaims(points: readonly LatencyPoint[]): Claim[] {
  const name = points[0]?.name ?? ''
  const p999 = spreadOf(points.map(({ cauri }) => cauri.latency.p999Us / 1000))
  return [
    flushClaim(`p50 in units of F, ${name}`, points, ({ p50Us }) => p50Us, { must: atMost(3), aim: atMost(2) }),
    flushClaim(`p99 in units of F, ${name}`, points, ({ p99Us }) => p99Us, { must: atMost(10), aim: atMost(6) }),
    { what: `p99.9 in ms, ${name}`, figure: `${formatNumber(p999.median)} ms`, value: p999, must: P999_MUST, aim: null },
  ]
}

/** Returns the claim about the 99th percentile of one point in milliseconds. */
export function p99Claim(points: readonly LatencyPoint[], must: number, aim: number): Claim {
  const value = spreadOf(points.map(({ cauri }) => cauri.latency.p99Us / 1000))
  const what = `4b: p99 in ms, ${points[0]?.name ?? ''}`
  return { what, figure: `${formatNumber(value.median)} ms`, value, must: atMost(must), aim: atMost(aim) }
}

function flushClaim(
  what: string,
  points: readonly LatencyPoint[],
  pick: (latency: Percentiles) => number,
  bounds: { readonly must: Bound; readonly aim: Bound },
): Claim {
  const latencyUs = spreadOf(points.map(({ cauri }) => pick(cauri.latency))).median
  const flushUs = spreadOf(points.map(({ flush }) => flush.p50Us)).median
  return { what, figure: `${formatUs(latencyUs)} : ${formatUs(flushUs)}`, value: inFlushes(points, pick), ...bounds }
}

/** Returns latencies in units of the median flush of the same round. */
function inFlushes(points: readonly LatencyPoint[], pick: (latency: Percentiles) => number): Spread {
  return ratios(
    points.map(({ cauri }) => pick(cauri.latency)),
    points.map(({ flush }) => flush.p50Us),
  )
}

/** Returns all rounds of one point as text: Cauri, N and F, and Cauri in units of F at the same percentile. */
export function describeLatency(points: readonly LatencyPoint[]): string[] {
  const cauri = points.map((point) => point.cauri)
  const latency = percentilesOf(cauri.map(({ load }) => load.latency))
  const noOp = percentilesOf(points.map((point) => point.noOp.load.latency))
  const lag = percentilesOf(cauri.map(({ load }) => load.sendLag))
  const rate = spreadOf(cauri.map(({ perSecond }) => perSecond)).median
  const batchBytes = spreadOf(points.map((point) => point.batchBytes)).median
  const against = (pick: (percentiles: Percentiles) => number): string =>
    formatSpread(
      ratios(
        points.map((point) => pick(point.cauri.latency)),
        points.map((point) => pick(point.flush)),
      ),
    )
  const { p50Us, p99Us, p999Us } = againstFlushes(against)
  return [
    `${points[0]?.name ?? ''}, ${formatNumber(rate)}/s: ${percentileText(latency)}, max ${formatUs(latency.maxUs)}`,
    `  N with the same load: ${percentileText(noOp)}`,
    `  F of ${formatBytes(batchBytes)}: ${percentileText(flushOf(points))}; Cauri against it at the same percentile: ${p50Us}, ${p99Us}, ${p999Us}`,
    ...(lag.count === 0 ? [] : [`  the generator sent late by ${formatUs(lag.p50Us)}, p99 ${formatUs(lag.p99Us)}; counted as latency`]),
    ...doubts(cauri),
  ]
}

function againstFlushes(against: (pick: (percentiles: Percentiles) => number) => string) {
  return { p50Us: against((one) => one.p50Us), p99Us: against((one) => one.p99Us), p999Us: against((one) => one.p999Us) }
}

function flushOf(points: readonly LatencyPoint[]): Pick<Percentiles, 'p50Us' | 'p99Us' | 'p999Us'> {
  const median = (pick: (percentiles: Percentiles) => number): number => spreadOf(points.map(({ flush }) => pick(flush))).median
  return { p50Us: median((one) => one.p50Us), p99Us: median((one) => one.p99Us), p999Us: median((one) => one.p999Us) }
}

export function percentileText({ p50Us, p99Us, p999Us }: Pick<Percentiles, 'p50Us' | 'p99Us' | 'p999Us'>): string {
  return `p50 ${formatUs(p50Us)}, p99 ${formatUs(p99Us)}, p99.9 ${formatUs(p999Us)}`
}

/** Returns the percentiles of Cauri, N and F, one group of bars a point. */
export function latencyPlot(groups: readonly (readonly LatencyPoint[])[]): Plot {
  const seriesOf = (name: string, pick: (point: LatencyPoint) => number): PlotSeries => ({
    name,
    points: groups.map((points) => pointOf(points[0]?.name ?? '', spreadOf(points.map((point) => pick(point) / 1000)))),
  })
  return {
    title: 'Latency of one durable payout',
    kind: 'bars',
    xLabel: 'closed loop with connections; open loop over 256 connections at shares of the maximum',
    yLabel: 'milliseconds',
    yScale: 'log',
    series: [
      seriesOf('p50', ({ cauri }) => cauri.latency.p50Us),
      seriesOf('p99', ({ cauri }) => cauri.latency.p99Us),
      seriesOf('p99.9', ({ cauri }) => cauri.latency.p999Us),
      seriesOf('N p99', ({ noOp }) => noOp.latency.p99Us),
      seriesOf('F p50', ({ flush }) => flush.p50Us),
      seriesOf('F p99', ({ flush }) => flush.p99Us),
    ],
  }
}
