// Row 3: batches of 500 lines over HTTP, each durable as one record before its 201. Row 3b: batches of 50 over 100 connections, which is how
// Formance measures its ledger. The rates are lines, the latencies those of whole batches.
import { profileBatches } from '../cauri/profiled.ts'
import { BATCH_LINES } from '../load/population.ts'
import type { Measurement } from '../measure.ts'
import { atLeast, atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatNumber, formatSpread, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'

/** Workload of row 3. Row 16 compares with it. */
export const BATCHES: PayoutWorkload = { connections: 16, merchants: 'all', ratePerSecond: null }
const SHORT_BATCHES: PayoutWorkload = { connections: 100, merchants: 'all', ratePerSecond: null }
const SHORT_BATCH_LINES = 50
const P99_MUST_MS = atMost(75)

export const ROW_03: Row = {
  number: 3,
  title: `batches of ${BATCH_LINES} lines, ${BATCHES.connections} connections, 100 merchants, 100 000 wallets`,
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const cauri = await stand.cauri.server()
  const taken: Measurement[] = []
  const short: Measurement[] = []
  for (let round = 0; round < stand.options.repeat; round++) {
    taken.push(await stand.measureBatches(cauri, BATCHES))
    short.push(await stand.measureBatches(cauri, SHORT_BATCHES, SHORT_BATCH_LINES))
  }
  const lines = spreadOf(taken.map(({ perSecond }) => perSecond * BATCH_LINES))
  const shortLines = spreadOf(short.map(({ perSecond }) => perSecond * SHORT_BATCH_LINES))
  return {
    claims: [
      {
        what: 'lines of batches in a second',
        figure: `${formatNumber(lines.median)} lines/s`,
        value: lines,
        must: atLeast(250_000),
        aim: atLeast(400_000),
      },
      p99Claim(`ms of a batch of ${BATCH_LINES}, p99`, taken),
      {
        what: `3b: lines in a second, batches of ${SHORT_BATCH_LINES}`,
        figure: `${formatNumber(shortLines.median)} lines/s over ${SHORT_BATCHES.connections} connections`,
        value: shortLines,
        must: atLeast(100_000),
        aim: null,
      },
      p99Claim(`3b: ms of a batch of ${SHORT_BATCH_LINES}, p99`, short),
    ],
    notes: [
      ...summarize('Cauri, batches', taken),
      ...perLine(taken, BATCH_LINES),
      ...summarize(`3b: Cauri, batches of ${SHORT_BATCH_LINES} over ${SHORT_BATCHES.connections} connections`, short),
      ...perLine(short, SHORT_BATCH_LINES),
      ...(stand.options.profile ? await profileBatches(stand, BATCHES) : []),
    ],
    measurements: [...taken, ...short],
  }
}

function p99Claim(what: string, taken: readonly Measurement[]): Claim {
  const value = spreadOf(taken.map(({ latency }) => latency.p99Us / 1000))
  return { what, figure: `${formatNumber(value.median)} ms`, value, must: P99_MUST_MS, aim: null }
}

/** Returns the cost per line, which is more reliable than the rate on a shared machine. */
function perLine(taken: readonly Measurement[], lines: number): string[] {
  const cost = (cores: (measurement: Measurement) => number | null): string => {
    const values = taken.map((measurement) => {
      const busy = cores(measurement)
      return busy === null ? null : (busy * 1e6) / (measurement.perSecond * lines)
    })
    const known = values.filter((value) => value !== null)
    return known.length === 0 ? '?' : formatSpread(spreadOf(known))
  }
  return [
    `  a line costs ${cost((one) => one.serverMainThreadCores)} µs of the main thread, ${cost((one) => one.serverCores)} µs of all threads`,
  ]
}
