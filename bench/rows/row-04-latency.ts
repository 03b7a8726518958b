// Row 4: latency of one payout over 64 connections, compared with one append and fdatasync.
import { bytesPerFlush, readFlushes } from '../cauri/flushes.ts'
import { measureFlush } from '../limits/disk.ts'
import { type Percentiles, percentilesOf } from '../load/histogram.ts'
import type { Measurement, Subject } from '../measure.ts'
import { atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatBytes, formatNumber, formatSpread, formatUs, type Spread, spreadOf } from '../statistics.ts'
import { doubts, summarize } from '../summary.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const CLOSED_LOOP: PayoutWorkload = { connections: 64, merchants: 'all', ratePerSecond: null }
/** Rates as shares of the server's maximum. */
const SHARES = [0.1, 0.3, 0.5, 0.7] as const
const CLAIMED_SHARE = 0.3
const FLUSH_SECONDS = 1

const WHY_OPEN_LOOP = [
  'The claims are about an open loop: requests are sent at a fixed rate over 64 connections, whether answers come or not,',
  'and each latency counts from the time at which its request was due. In a closed loop 64 requests are always under way,',
  'so the mean latency is 64 divided by the rate (2 ms at 32 000/s): it says how fast the server is, not how long one',
  'payout takes, and not even a server that does nothing stays within a few flushes of the disk.',
  'F is one append and fdatasync of as many bytes as the server flushed at a time, measured right after each window.',
]

export const ROW_04: Row = {
  number: 4,
  title: 'latency over 64 connections, beside one append and fdatasync of the same bytes',
  run,
}

/** One window at a fixed rate, and the disk right after it. */
interface Point {
  readonly share: number
  readonly measurement: Measurement
  readonly batchBytes: number
  readonly flush: Percentiles
}

async function run(stand: Stand): Promise<RowResult> {
  const cauri = await stand.cauri.server()
  const most = await stand.measurePayouts(cauri, ALL_MERCHANTS)
  const closed: Measurement[] = []
  const points: Point[] = []
  for (let round = 0; round < stand.options.repeat; round++) {
    closed.push(await stand.measurePayouts(cauri, CLOSED_LOOP))
    for (const share of SHARES) points.push(await measurePoint(stand, cauri, share, most.perSecond * share))
  }
  const claimed = points.filter(({ share }) => share === CLAIMED_SHARE)
  return {
    claims: [flushClaim('p50', claimed, ({ p50Us }) => p50Us, 3), flushClaim('p99', claimed, ({ p99Us }) => p99Us, 10)],
    notes: [
      ...WHY_OPEN_LOOP,
      ...summarize('Most, closed loop over 256 connections', [most]),
      ...SHARES.flatMap((share) => describe(points.filter((point) => point.share === share))),
      ...summarize('Closed loop over 64 connections', closed),
    ],
    measurements: [most, ...closed, ...points.map(({ measurement }) => measurement)],
  }
}

async function measurePoint(stand: Stand, subject: Subject, share: number, ratePerSecond: number): Promise<Point> {
  const before = await readFlushes(subject.port)
  const measurement = await stand.measurePayouts(subject, { ...CLOSED_LOOP, ratePerSecond })
  const batchBytes = bytesPerFlush(before, await readFlushes(subject.port))
  if (batchBytes === null) throw new Error('payouts were answered and nothing was flushed')
  return { share, measurement, batchBytes, flush: measureFlush(stand.folder, Math.round(batchBytes), FLUSH_SECONDS) }
}

function flushClaim(name: string, points: readonly Point[], pick: (latency: Percentiles) => number, most: number): Claim {
  const latencyUs = spreadOf(points.map(({ measurement }) => pick(measurement.latency))).median
  const flushUs = spreadOf(points.map(({ flush }) => flush.p50Us)).median
  return {
    what: `${name} in units of F, at ${percent(CLAIMED_SHARE)} of the maximum`,
    figure: `${formatUs(latencyUs)} : ${formatUs(flushUs)}`,
    value: inFlushes(points, pick),
    must: atMost(most),
    aim: null,
  }
}

/** Returns latencies in units of the flush that was measured in the same round. */
function inFlushes(points: readonly Point[], pick: (latency: Percentiles) => number): Spread {
  return spreadOf(points.map(({ measurement, flush }) => pick(measurement.latency) / flush.p50Us))
}

/** Returns all rounds at one rate as text. */
function describe(points: readonly Point[]): string[] {
  const measurements = points.map(({ measurement }) => measurement)
  const latency = percentilesOf(measurements.map(({ load }) => load.latency))
  const lag = percentilesOf(measurements.map(({ load }) => load.sendLag))
  const rate = spreadOf(measurements.map(({ perSecond }) => perSecond)).median
  const batchBytes = spreadOf(points.map((point) => point.batchBytes)).median
  const flushUs = spreadOf(points.map(({ flush }) => flush.p50Us)).median
  const times = (pick: (latency: Percentiles) => number): string => formatSpread(inFlushes(points, pick))
  const { p50Us, p99Us, p999Us, maxUs } = latency
  return [
    `${percent(points[0]?.share ?? 0)} of it, open loop (${formatNumber(rate)}/s): p50 ${formatUs(p50Us)}, p99 ${formatUs(p99Us)}, p99.9 ${formatUs(p999Us)}, max ${formatUs(maxUs)}`,
    `  ${formatBytes(batchBytes)} a flush, F ${formatUs(flushUs)}: p50 ${times((one) => one.p50Us)} F, p99 ${times((one) => one.p99Us)} F; the generator was late by ${formatUs(lag.p50Us)}, p99 ${formatUs(lag.p99Us)}`,
    ...doubts(measurements),
  ]
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
