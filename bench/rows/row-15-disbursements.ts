// Row 15, named 3c beside the batches: a disbursement of 100 000 lines as JSON and as CSV, and the single payouts of another merchant
// beside disbursements that follow each other.
import {
  DISBURSEMENT_LINES,
  type DisbursementBody,
  type DisbursementFormat,
  type DisbursementTimes,
  disbursementBody,
  runDisbursement,
} from '../load/disbursement-run.ts'
import type { MerchantKeys } from '../load/population.ts'
import type { Measurement, Subject } from '../measure.ts'
import { whileWatching } from '../process/memory-watch.ts'
import { atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatNumber, formatSpread, ratios, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'
import { tracePayouts } from '../trace/traced.ts'

const FORMATS: readonly DisbursementFormat[] = ['json', 'csv']
/** Another merchant at a fixed rate, far below the maximum: its latency shows what stands in its way. */
const OTHERS: PayoutWorkload = { connections: 16, merchants: 'one', ratePerSecond: 1000 }
const BESIDE: PayoutWorkload = { ...OTHERS, quietSeconds: 0 }
const TAKEN_MUST_MS = atMost(2000)
const PAID_MUST_MS = atMost(2000)
const P99_MUST = atMost(1.5)
const MEMORY_MUST = atMost(1.1)

export const ROW_15: Row = {
  number: 15,
  title: `3c: disbursements of ${formatNumber(DISBURSEMENT_LINES)} lines, JSON and CSV`,
  run,
}

export interface DisbursementRound {
  readonly times: Readonly<Record<DisbursementFormat, DisbursementTimes>>
  /** Peak of the resident memory while both were taken and paid; null without /proc. */
  readonly peakBytes: number | null
  readonly alone: Measurement
  readonly beside: Measurement
  /** Disbursements that were paid in the window of `beside`. */
  readonly paidBeside: number
}

async function run(stand: Stand): Promise<RowResult> {
  const cauri = await stand.cauri.server()
  const payer = stand.merchants.at(-1)
  if (payer === undefined) throw new Error('a merchant pays')
  const bodies = { json: disbursementBody('json', DISBURSEMENT_LINES), csv: disbursementBody('csv', DISBURSEMENT_LINES) }
  // V8 compiles the code.
  for (const format of FORMATS) await runDisbursement(cauri.port, payer, bodies[format])
  const rounds: DisbursementRound[] = []
  for (let round = 0; round < Math.max(2, stand.options.repeat); round++) rounds.push(await measureRound(stand, cauri, payer, bodies))
  const measurements = rounds.flatMap(({ alone, beside }) => [alone, beside])
  const traced = {
    name: 'single payouts beside disbursements',
    workload: BESIDE,
    beside: (server: Subject) => disburse(server, payer, bodies.csv),
  }
  const notes = [
    ...summarize('Cauri, single payouts of another merchant', measurements),
    ...(stand.options.trace ? await tracePayouts(stand, [traced]) : []),
  ]
  return { claims: disbursementClaims(rounds), notes, measurements }
}

type Bodies = Readonly<Record<DisbursementFormat, DisbursementBody>>

async function measureRound(stand: Stand, cauri: Subject, payer: MerchantKeys, bodies: Bodies): Promise<DisbursementRound> {
  const { result: times, memory } = await whileWatching(cauri.pids[0] ?? 0, async () => ({
    json: await runDisbursement(cauri.port, payer, bodies.json),
    csv: await runDisbursement(cauri.port, payer, bodies.csv),
  }))
  const alone = await stand.measurePayouts(cauri, OTHERS)
  const end = disburse(cauri, payer, bodies.csv)
  const beside = await stand.measurePayouts(cauri, BESIDE)
  return { times, peakBytes: memory?.peakBytes ?? null, alone, beside, paidBeside: await end() }
}

/** Makes and pays disbursements one after another. The returned function ends it and returns how many were paid. */
function disburse(cauri: Subject, payer: MerchantKeys, body: DisbursementBody): () => Promise<number> {
  let isOver = false
  const disbursing = (async () => {
    let paid = 0
    for (; !isOver; paid++) await runDisbursement(cauri.port, payer, body)
    return paid
  })()
  disbursing.catch(() => {
    // A failure while the window is measured is thrown behind it, where the result is awaited.
  })
  return () => {
    isOver = true
    return disbursing
  }
}

export function disbursementClaims(rounds: readonly DisbursementRound[]): readonly Claim[] {
  const claims = FORMATS.flatMap((format): Claim[] => {
    const taken = spreadOf(rounds.map(({ times }) => times[format].takenMs))
    const paid = spreadOf(rounds.map(({ times }) => times[format].paidMs))
    const name = format.toUpperCase()
    return [
      {
        what: `3c: ms until ${name} is taken, checked and answered`,
        figure: `${formatSpread(taken)} ms`,
        value: taken,
        must: TAKEN_MUST_MS,
        aim: null,
      },
      {
        what: `3c: ms from the start of ${name} to its last payment`,
        figure: `${formatSpread(paid)} ms`,
        value: paid,
        must: PAID_MUST_MS,
        aim: null,
      },
    ]
  })
  return [...claims, p99Claim(rounds), memoryClaim(rounds)]
}

function p99Claim(rounds: readonly DisbursementRound[]): Claim {
  const value = ratios(
    rounds.map(({ beside }) => beside.latency.p99Us),
    rounds.map(({ alone }) => alone.latency.p99Us),
  )
  const paid = rounds.reduce((sum, { paidBeside }) => sum + paidBeside, 0)
  const figure = `${formatSpread(value)} × with ${paid} disbursements beside`
  return { what: '3c: p99 of single payouts of another merchant, beside against without', figure, value, must: P99_MUST, aim: null }
}

/** Each round against the one before it: what a disbursement leaves would add up. */
function memoryClaim(rounds: readonly DisbursementRound[]): Claim {
  const what = '3c: peak of memory against the round before'
  const peaks = rounds.map(({ peakBytes }) => peakBytes).filter((bytes) => bytes !== null)
  if (peaks.length < 2 || peaks.length < rounds.length) return { what, figure: 'no /proc here', value: null, must: MEMORY_MUST, aim: null }
  const value = ratios(peaks.slice(1), peaks.slice(0, -1))
  return { what, figure: `${formatSpread(value)} ×`, value, must: MEMORY_MUST, aim: null }
}
