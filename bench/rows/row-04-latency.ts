// Row 4: latency of one payout over few connections and at a fixed rate, compared with one append and fdatasync. Row 4b: its 99th percentile
// in milliseconds at shares of the maximum.
import type { CauriServer } from '../cauri/cauri-server.ts'
import { compareLogs } from '../cauri/log-latency.ts'
import { percentilesOf } from '../load/histogram.ts'
import type { OpenLoop } from '../load/plan.ts'
import type { Measurement, Subject } from '../measure.ts'
import type { Row, RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatNumber, formatUs, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'
import { tracePayouts } from '../trace/traced.ts'
import {
  describeLatency,
  type LatencyPoint,
  latencyClaims,
  latencyPlot,
  measureLatency,
  p99Claim,
  percentileText,
} from './latency-point.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const CONNECTIONS = [1, 4, 16] as const
const TRACED_CONNECTIONS = 64
/** As many as the maximum is measured over: 64 carry 0.85 of it, so behind each stall a request that was due waited for a free connection. */
const OPEN_CONNECTIONS = ALL_MERCHANTS.connections
/** Rates of the open loop as shares of the server's maximum. */
const SHARES = [0.1, 0.3, 0.5, 0.7] as const
const CLAIMED_SHARE = 0.3
const TRACED_SHARES = [0.3, 0.5]
/** Maxima of row 4b in milliseconds. */
const SHARE_BOUNDS = [
  { share: 0.3, must: 5, aim: 3 },
  { share: 0.5, must: 10, aim: 5 },
  { share: 0.7, must: 20, aim: 10 },
]

const WHAT_IS_MEASURED = [
  'With 1, 4 and 16 connections in a closed loop each connection sends its next payout as soon as it has its answer.',
  'In the open loop requests are sent at a fixed rate over 256 connections, whether answers come or not, and each latency counts from',
  'the time at which its request was due. F is one append and fdatasync of as many bytes as the server flushed at a time, measured',
  'right after each window. The claims are in units of the median F; the notes have F at each percentile.',
]

export const ROW_04: Row = {
  number: 4,
  title: 'latency, beside one append and fdatasync of the same bytes',
  run,
}

interface Subjects {
  readonly cauri: CauriServer
  readonly noOp: Subject
}

async function run(stand: Stand): Promise<RowResult> {
  const subjects = { cauri: await stand.cauri.server(), noOp: await stand.noOp() }
  const most = await stand.measurePayouts(subjects.cauri, ALL_MERCHANTS)
  const shares: readonly number[] = stand.options.quick ? [CLAIMED_SHARE] : SHARES
  const points: LatencyPoint[] = []
  const pacings: PacingCost[] = []
  for (let round = 0; round < stand.options.repeat; round++) {
    for (const connections of CONNECTIONS) points.push(await measureClosed(stand, subjects, connections))
    for (const share of shares) points.push(await measureOpen(stand, subjects, share, most))
    if (!stand.options.quick) pacings.push(await measurePacing(stand, subjects.noOp, most.perSecond * CLAIMED_SHARE))
  }
  const names = [...CONNECTIONS.map(closedName), ...shares.map(openName)]
  const rounds = (name: string): LatencyPoint[] => points.filter((point) => point.name === name)
  const claimed = [...CONNECTIONS.map(closedName), openName(CLAIMED_SHARE)]
  return {
    claims: [
      ...claimed.flatMap((name) => latencyClaims(rounds(name))),
      ...SHARE_BOUNDS.filter(({ share }) => shares.includes(share)).map(({ share, must, aim }) =>
        p99Claim(rounds(openName(share)), must, aim),
      ),
    ],
    notes: [
      ...WHAT_IS_MEASURED,
      ...summarize('Maximum, closed loop over 256 connections', [most]),
      ...names.flatMap((name) => describeLatency(rounds(name))),
      ...describePacing(pacings),
      ...(stand.options.plainFileLog ? await compareLogs(stand) : []),
      ...(stand.options.trace ? await tracePayouts(stand, tracedWorkloads(most.perSecond)) : []),
    ],
    measurements: [most, ...points.flatMap(({ cauri, noOp }) => [cauri, noOp]), ...pacings.flatMap(({ sleep, spin }) => [sleep, spin])],
    plots: [latencyPlot(names.map(rounds))],
  }
}

function measureClosed(stand: Stand, subjects: Subjects, connections: number): Promise<LatencyPoint> {
  return measureLatency(stand, closedName(connections), subjects, closedWorkload(connections))
}

function closedWorkload(connections: number): PayoutWorkload {
  return { connections, merchants: 'all', ratePerSecond: null }
}

function measureOpen(stand: Stand, subjects: Subjects, share: number, most: Measurement): Promise<LatencyPoint> {
  return measureLatency(stand, openName(share), subjects, openWorkload(most.perSecond * share))
}

function openWorkload(ratePerSecond: number, openLoop: Partial<OpenLoop> = {}): PayoutWorkload {
  return { connections: OPEN_CONNECTIONS, merchants: 'all', ratePerSecond, openLoop }
}

function closedName(connections: number): string {
  return connections === 1 ? '1 connection' : `${connections} connections`
}

function openName(share: number): string {
  return `${Math.round(share * 100)} % of the maximum`
}

function tracedWorkloads(perSecond: number) {
  const closed = [...CONNECTIONS, TRACED_CONNECTIONS].map((connections) => ({
    name: closedName(connections),
    workload: closedWorkload(connections),
  }))
  const open = TRACED_SHARES.map((share) => ({ name: openName(share), workload: openWorkload(perSecond * share) }))
  return [...closed, ...open]
}

/** The same rate at N by a generator that sleeps and by one that spins. */
interface PacingCost {
  readonly sleep: Measurement
  readonly spin: Measurement
}

async function measurePacing(stand: Stand, noOp: Subject, ratePerSecond: number): Promise<PacingCost> {
  const sleep = await stand.measurePayouts(noOp, openWorkload(ratePerSecond))
  const spin = await stand.measurePayouts(noOp, openWorkload(ratePerSecond, { pacing: 'spin' }))
  return { sleep, spin }
}

/** Returns what the sleep of the generator adds to a latency, as text. */
function describePacing(pacings: readonly PacingCost[]): string[] {
  if (pacings.length === 0) return []
  const text = (name: string, all: readonly Measurement[]): string => {
    const latency = percentilesOf(all.map(({ load }) => load.latency))
    const lag = percentilesOf(all.map(({ load }) => load.sendLag))
    const cores = spreadOf(all.map(({ generatorCores }) => generatorCores)).median
    return `  ${name}: ${percentileText(latency)}; sent late by ${formatUs(lag.p50Us)}, p99 ${formatUs(lag.p99Us)}; ${formatNumber(cores)} cores`
  }
  const sleep = pacings.map((pacing) => pacing.sleep)
  const spin = pacings.map((pacing) => pacing.spin)
  const added = spreadOf(pacings.map((pacing) => pacing.sleep.latency.p50Us - pacing.spin.latency.p50Us)).median
  return [
    `The generator sleeps in epoll between two requests. At N, at the rate of ${openName(CLAIMED_SHARE)}, this adds ${formatUs(Math.max(0, added))} to the median:`,
    text('sleeping', sleep),
    text('spinning', spin),
  ]
}
