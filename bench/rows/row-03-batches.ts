// Row 3: batches of 500 lines over HTTP, each durable as one record before its 201. The figure is lines, not requests.
import { profileBatches } from '../cauri/profiled.ts'
import { BATCH_LINES } from '../load/population.ts'
import type { Measurement } from '../measure.ts'
import { atLeast, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatNumber, formatSpread, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'

const BATCHES: PayoutWorkload = { connections: 16, merchants: 'all', ratePerSecond: null }

export const ROW_03: Row = {
  number: 3,
  title: `batches of ${BATCH_LINES} lines, ${BATCHES.connections} connections, 100 merchants, 100 000 wallets`,
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const cauri = await stand.cauri.server()
  const taken: Measurement[] = []
  for (let round = 0; round < stand.options.repeat; round++) taken.push(await stand.measureBatches(cauri, BATCHES))
  const lines = spreadOf(taken.map(({ perSecond }) => perSecond * BATCH_LINES))
  return {
    claims: [
      {
        what: 'lines of batches in a second',
        figure: `${formatNumber(lines.median)} lines/s`,
        value: lines,
        must: atLeast(150_000),
        aim: atLeast(300_000),
      },
    ],
    notes: [
      ...summarize('Cauri, batches', taken),
      ...perLine(taken),
      ...(stand.options.profile ? await profileBatches(stand, BATCHES) : []),
    ],
    measurements: taken,
  }
}

/** Returns the cost per line, which is more reliable than the rate on a shared machine. */
function perLine(taken: readonly Measurement[]): string[] {
  const cost = (cores: (measurement: Measurement) => number | null): string => {
    const values = taken.map((measurement) => {
      const busy = cores(measurement)
      return busy === null ? null : (busy * 1e6) / (measurement.perSecond * BATCH_LINES)
    })
    const known = values.filter((value) => value !== null)
    return known.length === 0 ? '?' : formatSpread(spreadOf(known))
  }
  return [
    `  a line costs ${cost((one) => one.serverMainThreadCores)} µs of the main thread, ${cost((one) => one.serverCores)} µs of all threads`,
  ]
}
