// Row 12: half of the maximum for a long time. Memory, open files and latency must stay flat. It runs only with --soak. A machine that
// becomes slower raises the latency of the last third too, so the server is then measured in pairs of windows beside a fresh one.
import { statfsSync } from 'node:fs'
import { DISK_RESERVE_MAX_BYTES } from '../../wal/limits.ts'
import { readMetrics, sampleOf } from '../cauri/metrics-text.ts'
import { interleave } from '../interleave.ts'
import { percentilesOf } from '../load/histogram.ts'
import type { Measurement } from '../measure.ts'
import { anonymousBytes, openFilesOf } from '../process/memory.ts'
import { atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatBytes, formatNumber, formatSpread, formatUs, ratios, type Spread, spreadOf } from '../statistics.ts'
import { doubts } from '../summary.ts'
import { percentileText } from './latency-point.ts'
import { costsOf } from './payout-cost.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const SHARE = 0.5
/** Ten times as long as elsewhere: the generator took half a core, and the server could not have what it has under its maximum. */
const WAKE_UP_US = 1000
/** A soak has at least as many windows, each at most this long. */
const WINDOWS_MIN = 6
/** A bound of our own: one long stall moves no median of windows. */
const SLOWEST_MUST_MS = 1000
const WINDOW_SECONDS_MAX = 30
const P50_MUST = 1.1
const P99_MUST = 1.25
const COST_MUST = 1.1
/** Windows of the old server and of the fresh one, by turns, each a third as long as those of the soak. */
const PAIRS = 10
const PAIR_WINDOW_SHARE = 1 / 3
/** Windows of the soak's length that warm the fresh server. */
const WARM_UP_WINDOWS = 2
/** Disk that a payout takes in log and archive, merges included: 920 were seen after 86 million. And the part of a window that its warm-up adds. */
const BYTES_A_PAYOUT = 950
const WARM_UP_SHARE = 0.1

export const ROW_12: Row = {
  number: 12,
  title: 'half of the maximum for the minutes of --soak',
  run,
}

/** One window, and the server's memory at its end. */
interface SoakWindow {
  readonly measurement: Measurement
  readonly heapBytes: number
  /** Typed arrays, the filters of the index among them. */
  readonly externalBytes: number
  /** Resident memory without mapped files; null without /proc. */
  readonly residentBytes: number | null
  /** Sockets included; null without /proc. */
  readonly openFiles: number | null
}

async function run(stand: Stand): Promise<RowResult> {
  const minutes = stand.options.soakMinutes
  if (minutes === null) return { claims: [], notes: ['not measured: give --soak MINUTES'], measurements: [] }
  const server = await stand.cauri.start(await stand.cauri.freshFolder())
  const most = await stand.measurePayouts(server, ALL_MERCHANTS)
  const seconds = Math.min(WINDOW_SECONDS_MAX, (minutes * 60) / WINDOWS_MIN)
  // Over the connections of the maximum: a quarter of them carries hardly more than half of it, so its queue never empties.
  const ratePerSecond = most.perSecond * SHARE
  const workload: PayoutWorkload = {
    ...ALL_MERCHANTS,
    ratePerSecond,
    openLoop: { wakeUpUs: WAKE_UP_US },
    quietSeconds: 0,
  }
  checkDisk(stand.folder, ratePerSecond * (minutes * 60 + seconds * (WARM_UP_WINDOWS + 2 * PAIRS * PAIR_WINDOW_SHARE)))
  const windows: SoakWindow[] = []
  for (let done = 0; done < (minutes * 60) / seconds; done++) {
    const measurement = await stand.measurePayouts(server, workload, seconds)
    const text = await readMetrics(server.port)
    windows.push({
      measurement,
      heapBytes: sampleOf(text, 'nodejs_heap_size_used_bytes'),
      externalBytes: sampleOf(text, 'nodejs_external_memory_bytes'),
      residentBytes: anonymousBytes(server.pids[0]),
      openFiles: openFilesOf(server.pids[0]),
    })
  }
  const fresh = await stand.cauri.start(await stand.cauri.freshFolder())
  for (let done = 0; done < WARM_UP_WINDOWS; done++) await stand.measurePayouts(fresh, workload, seconds)
  const pairs = await interleave(PAIRS, {
    old: () => stand.measurePayouts(server, workload, seconds * PAIR_WINDOW_SHARE),
    fresh: () => stand.measurePayouts(fresh, workload, seconds * PAIR_WINDOW_SHARE),
  })
  await fresh.stop()
  await server.stop()
  return {
    claims: [...claimsOf(windows), ...pairClaims(pairs)],
    notes: notesOf(windows),
    measurements: [most, ...windows.map(({ measurement }) => measurement), ...pairs.old, ...pairs.fresh],
  }
}

/** Throws when the disk has no room for so many payouts: else the server refuses them at the end of a long run. */
function checkDisk(folder: string, payouts: number): void {
  const needed = payouts * (1 + WARM_UP_SHARE) * BYTES_A_PAYOUT + DISK_RESERVE_MAX_BYTES
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize >= needed) return
  throw new Error(
    `--soak would write up to ${formatBytes(needed)}, and the disk of ${folder} has ${formatBytes(bavail * bsize)}: free some space, choose another with --dir, or fewer minutes`,
  )
}

interface Pairs {
  readonly old: readonly Measurement[]
  readonly fresh: readonly Measurement[]
}

function pairClaims({ old, fresh }: Pairs): Claim[] {
  const claim = (what: string, of: (measurements: readonly Measurement[]) => number[], must: number): Claim => ({
    what: `${what}, after the soak beside a fresh server`,
    figure: [old, fresh].map((measurements) => formatSpread(spreadOf(of(measurements)), formatUs)).join(' : '),
    value: ratios(of(old), of(fresh)),
    must: atMost(must),
    aim: null,
  })
  return [
    claim('p50', (measurements) => measurements.map(({ latency }) => latency.p50Us), P50_MUST),
    claim('p99', (measurements) => measurements.map(({ latency }) => latency.p99Us), P99_MUST),
    claim('main thread a payout', costsOf, COST_MUST),
  ]
}

function claimsOf(windows: readonly SoakWindow[]): Claim[] {
  const growth = (what: string, pick: (window: SoakWindow) => number, must: number, format: (value: number) => string): Claim => {
    const [first, last] = [firstThird(windows).map(pick), lastThird(windows).map(pick)].map(spreadOf) as [Spread, Spread]
    return {
      what: `${what}, last third against the first`,
      figure: `${format(last.median)} : ${format(first.median)}`,
      value: spreadOf([last.median / first.median]),
      must: atMost(must),
      aim: null,
    }
  }
  const slowestMs = percentilesOf(windows.map(({ measurement }) => measurement.load.latency)).maxUs / 1000
  return [
    {
      what: 'slowest answer of all, in ms',
      figure: `${windows.length} windows`,
      value: spreadOf([slowestMs]),
      must: atMost(SLOWEST_MUST_MS),
      aim: null,
    },
    growth('p50', ({ measurement }) => measurement.latency.p50Us, P50_MUST, formatUs),
    growth('p99', ({ measurement }) => measurement.latency.p99Us, P99_MUST, formatUs),
    growth('memory without typed arrays', (window) => (window.residentBytes ?? window.heapBytes) - arraysOf(window), 1.1, formatBytes),
    growth('open files', ({ openFiles }) => openFiles ?? 1, 1.1, formatNumber),
  ]
}

/** Without /proc the heap is the memory, which has no typed arrays. */
function arraysOf({ residentBytes, externalBytes }: SoakWindow): number {
  return residentBytes === null ? 0 : externalBytes
}

function notesOf(windows: readonly SoakWindow[]): string[] {
  const measurements = windows.map(({ measurement }) => measurement)
  const payouts = measurements.reduce((sum, { load }) => sum + load.done, 0)
  return [
    `${formatNumber(payouts)} payouts in ${windows.length} windows: ${percentileText(percentilesOf(measurements.map(({ load }) => load.latency)))}`,
    ...[firstThird(windows), lastThird(windows)].flatMap((third, index) => {
      const last = third.at(-1)
      if (last === undefined) return []
      const { p50Us, p99Us, p999Us } = percentilesOf(third.map(({ measurement }) => measurement.load.latency))
      const resident = last.residentBytes === null ? '?' : formatBytes(last.residentBytes)
      return [
        `${index === 0 ? 'First' : 'Last'} third: ${percentileText({ p50Us, p99Us, p999Us })}; resident ${resident}, objects ${formatBytes(last.heapBytes)}, typed arrays ${formatBytes(last.externalBytes)}; ${costText(third)}`,
      ]
    }),
    'The generator does the same work all the time: where its cost grows at the same rate, the machine became slower.',
    'Typed arrays hold the filters of the index, which grow with the history up to their own maximum.',
    ...doubts(measurements),
  ]
}

function costText(windows: readonly SoakWindow[]): string {
  const measurements = windows.map(({ measurement }) => measurement)
  const ofGenerator = spreadOf(measurements.map(({ generatorCores, perSecond }) => (generatorCores * 1e6) / perSecond))
  const ofMainThread = spreadOf(costsOf(measurements))
  return `main thread ${formatNumber(ofMainThread.median)} µs a payout, generator ${formatNumber(ofGenerator.median)} µs`
}

function firstThird<Value>(values: readonly Value[]): readonly Value[] {
  return values.slice(0, Math.ceil(values.length / 3))
}

function lastThird<Value>(values: readonly Value[]): readonly Value[] {
  return values.slice(-Math.ceil(values.length / 3))
}
