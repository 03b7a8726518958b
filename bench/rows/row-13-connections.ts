// Row 13: payouts a second against connections and HTTP threads. It claims nothing: it shows where each server ends.
import type { Measurement, Subject } from '../measure.ts'
import { type Plot, pointOf } from '../report/plot.ts'
import type { Row, RowResult } from '../row.ts'
import type { Stand } from '../stand.ts'
import { formatNumber, spreadOf } from '../statistics.ts'

const CONNECTIONS = [1, 4, 16, 64, 256, 1024] as const
const QUICK_CONNECTIONS = [4, 256] as const
const SECONDS_MAX = 2
/** Pool of rival P in this row. Row 1 tries several. */
const POOL_SIZE = 32

export const ROW_13: Row = {
  number: 13,
  title: 'payouts/s against connections and HTTP threads',
  run,
}

interface Contender {
  readonly name: string
  readonly subject: Subject
}

interface Seen {
  readonly name: string
  readonly connections: number
  readonly measurement: Measurement
}

async function run(stand: Stand): Promise<RowResult> {
  const { quick, repeat, seconds } = stand.options
  const contenders = await startContenders(stand, quick)
  const seen: Seen[] = []
  for (let round = 0; round < repeat; round++) {
    for (const connections of quick ? QUICK_CONNECTIONS : CONNECTIONS) {
      for (const { name, subject } of contenders) {
        const workload = { connections, merchants: 'all', ratePerSecond: null } as const
        const measurement = await stand.measurePayouts(subject, workload, Math.min(SECONDS_MAX, seconds))
        seen.push({ name, connections, measurement })
      }
    }
  }
  const plot = plotOf(contenders, seen)
  return { claims: [], notes: plot.series.map(describeSeries), measurements: seen.map(({ measurement }) => measurement), plots: [plot] }
}

async function startContenders(stand: Stand, isQuick: boolean): Promise<Contender[]> {
  const threads = isQuick ? [1] : [1, 2]
  const contenders: Contender[] = [
    { name: 'N', subject: await stand.noOp() },
    { name: 'Cauri', subject: await stand.cauri.server() },
  ]
  for (const httpThreads of threads) {
    const subject = await stand.cauri.start(await stand.cauri.freshFolder(), { httpThreads })
    contenders.push({ name: `Cauri, ${httpThreads} HTTP thread${httpThreads === 1 ? '' : 's'}`, subject })
  }
  const postgres = isQuick ? null : await stand.servePostgres(POOL_SIZE)
  if (postgres !== null) contenders.push({ name: 'P', subject: postgres })
  return contenders
}

function plotOf(contenders: readonly Contender[], seen: readonly Seen[]): Plot {
  return {
    title: 'Payouts/s against connections',
    kind: 'lines',
    xLabel: 'connections',
    yLabel: 'payouts/s; durable before the answer, except N, which stores nothing',
    yScale: 'log',
    series: contenders.map(({ name }) => {
      const own = seen.filter((one) => one.name === name)
      const counts = [...new Set(own.map(({ connections }) => connections))]
      const ratesAt = (connections: number): number[] =>
        own.filter((one) => one.connections === connections).map(({ measurement }) => measurement.perSecond)
      return { name, points: counts.map((connections) => pointOf(connections, spreadOf(ratesAt(connections)))) }
    }),
  }
}

function describeSeries({ name, points }: Plot['series'][number]): string {
  return `${name}: ${points.map(({ x, y }) => `${x} connections ${formatNumber(y)}/s`).join(', ')}`
}
