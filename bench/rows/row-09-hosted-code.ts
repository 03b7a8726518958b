// Row 9: hosted code. Duration of a warm run, precision of deadlines, and latency of payouts while code of merchants loops endlessly in
// every thread.
import { setTimeout as pause } from 'node:timers/promises'
import { type OpenSandbox, openSandbox } from '../../sandbox-pool/sandbox.ts'
import { defineSpinners, merchantsThatFill, whileSpinning } from '../cauri/hosted-spinners.ts'
import { percentilesOf } from '../load/histogram.ts'
import type { Measurement, Subject } from '../measure.ts'
import { waitUntilQuiet } from '../quiet.ts'
import { atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatNumber, formatUs, ratios, spreadOf } from '../statistics.ts'
import { doubts, summarize } from '../summary.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

/** Default of SANDBOX_THREADS. */
const THREADS = 8
const WARM_RUNS = 500
const COLD_RUNS = 50
/** Pause between two runs, as between customers. */
const PAUSE_MS = 10
const DEADLINE_MS = 10_000
/** Rate as a share of the server's maximum, as in row 4. */
const SHARE = 0.3

const HONEST = `async function lookup(args) {
  const due = args.fields.compteur.split('').reduce((sum, digit) => sum + Number(digit), 0) * 100
  return { ok: true, amount: due, currency: 'XOF', label: 'Facture', customer_name: 'Awa', biller_ref: args.request_id, line_items: [] }
}`
const QUESTION = JSON.stringify({ product: 'facture', fields: { compteur: '01234567890' }, request_id: 'r', ts: 1 })
const RUN = { purpose: 'live', entry: 'lookup', argument: QUESTION, timeoutMs: DEADLINE_MS } as const
const WAITER = 'function lookup() { return new Promise((resolve) => setTimeout(resolve, 1e9)) }'
const SPINNER = 'function lookup() { for (;;); }'

export const ROW_09: Row = {
  number: 9,
  title: `hosted code: warm runs, deadlines, payouts beside ${THREADS} spinning threads`,
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const runs = await measureRuns(stand)
  const payouts = await measurePayouts(stand)
  return {
    claims: [warmClaim(runs), deadlineClaim(runs), payouts.claim],
    notes: [...runNotes(runs), ...payouts.notes],
    measurements: payouts.measurements,
  }
}

interface RunFigures {
  /** Sorted milliseconds of each repeat. */
  readonly inARow: readonly (readonly number[])[]
  readonly nowAndThen: readonly (readonly number[])[]
  readonly firstMs: number
  /** Difference between deadline and end of each waiting run. */
  readonly offMs: readonly number[]
  readonly spinnerMs: readonly number[]
}

async function measureRuns({ options }: Stand): Promise<RunFigures> {
  const sandbox = openSandbox({ threads: THREADS, fetchBroker: () => Promise.resolve({ error: 'no network here' }), onEvent: () => {} })
  try {
    const firstMs = await timeRun(sandbox, HONEST)
    for (let count = 0; count < COLD_RUNS; count++) await timeRun(sandbox, HONEST)
    const inARow: (readonly number[])[] = []
    const nowAndThen: (readonly number[])[] = []
    const offMs: number[] = []
    const spinnerMs: number[] = []
    for (let round = 0; round < options.repeat; round++) {
      await waitUntilQuiet(options.quietSeconds * 1000)
      inARow.push(await timeRuns(sandbox, 0))
      nowAndThen.push(await timeRuns(sandbox, PAUSE_MS))
      spinnerMs.push(await timeRun(sandbox, SPINNER))
      const waiters = Array.from({ length: THREADS }, (_, index) => timeRun(sandbox, WAITER, `waiter-${index}`))
      offMs.push(...(await Promise.all(waiters)).map((ms) => Math.abs(ms - DEADLINE_MS)))
    }
    return { inARow, nowAndThen, firstMs, offMs, spinnerMs }
  } finally {
    await sandbox.close()
  }
}

async function timeRuns(sandbox: OpenSandbox, pauseMs: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let count = 0; count < WARM_RUNS; count++) {
    if (pauseMs > 0) await pause(pauseMs)
    times.push(await timeRun(sandbox, HONEST))
  }
  return times.sort((one, other) => one - other)
}

async function timeRun(sandbox: OpenSandbox, source: string, merchantId = 'merchant'): Promise<number> {
  const startedMs = performance.now()
  const result = await sandbox.run({ merchantId, ...RUN, source })
  if (result.ok !== (source === HONEST)) throw new Error(`a run of hosted code had an unexpected result: ${JSON.stringify(result)}`)
  return performance.now() - startedMs
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}

function warmClaim({ nowAndThen }: RunFigures): Claim {
  const p50 = spreadOf(nowAndThen.map((times) => at(times, 0.5)))
  const p99 = spreadOf(nowAndThen.map((times) => at(times, 0.99)))
  return {
    what: 'ms for a warm run, p50',
    figure: `p50 ${formatNumber(p50.median)} ms, p99 ${formatNumber(p99.median)} ms`,
    value: p50,
    must: atMost(5),
    aim: null,
  }
}

function deadlineClaim({ offMs }: RunFigures): Claim {
  const off = spreadOf(offMs)
  return {
    what: 'ms off its 10 s, for a waiting run',
    figure: `${offMs.length} runs, at most ${formatNumber(off.max)} ms`,
    value: { median: off.max, min: off.min, max: off.max },
    must: atMost(100),
    aim: null,
  }
}

function runNotes({ inARow, firstMs, spinnerMs }: RunFigures): string[] {
  const p50 = spreadOf(inARow.map((times) => at(times, 0.5)))
  const p99 = spreadOf(inARow.map((times) => at(times, 0.99)))
  const spinner = spreadOf(spinnerMs)
  return [
    `A run is one call of the sandbox, to the child process and back, every ${PAUSE_MS} ms; without a pause p50 ${formatNumber(p50.median)} ms, p99 ${formatNumber(p99.median)} ms.`,
    `The very first, with the start of the child process: ${formatNumber(firstMs)} ms.`,
    `A run that spins, alone, is ended at its deadline after ${formatNumber(spinner.median)} ms (${formatNumber(spinner.min)}–${formatNumber(spinner.max)}).`,
  ]
}

interface PayoutFigures {
  readonly claim: Claim
  readonly notes: readonly string[]
  readonly measurements: readonly Measurement[]
}

/** Measures an open loop as in row 4, alternately with and without spinners, at the same rate. */
async function measurePayouts(stand: Stand): Promise<PayoutFigures> {
  const cauri = await stand.cauri.server()
  const merchants = stand.merchants.slice(0, merchantsThatFill(THREADS))
  await defineSpinners(cauri, merchants)
  const most = await stand.measurePayouts(cauri, ALL_MERCHANTS)
  const workload: PayoutWorkload = { connections: 64, merchants: 'all', ratePerSecond: most.perSecond * SHARE }
  const alone: Measurement[] = []
  const beside: Measurement[] = []
  let ended = 0
  const others: string[] = []
  for (let round = 0; round < stand.options.repeat; round++) {
    alone.push(await stand.measurePayouts(cauri, workload))
    const { result, figures } = await besideSpinners(stand, cauri, workload)
    beside.push(result)
    ended += figures.ended
    others.push(...figures.others)
  }
  const [aloneUs, besideUs] = [alone, beside].map((all) => percentilesOf(all.map(({ load }) => load.latency)).p99Us) as [number, number]
  const p99s = (all: readonly Measurement[]): number[] => all.map(({ latency }) => latency.p99Us)
  return {
    claim: {
      what: `p99 of payouts beside ${THREADS} spinning threads, against without`,
      figure: `${formatUs(besideUs)} : ${formatUs(aloneUs)}`,
      value: ratios(p99s(beside), p99s(alone)),
      must: atMost(2),
      aim: null,
    },
    notes: [
      ...summarize(`Payouts at ${Math.round(SHARE * 100)} % of the maximum, open loop over 64 connections`, alone),
      ...summarize('The same beside spinners', beside).filter((line) => !doubts(beside).includes(line)),
      `${ended} runs of spinners were ended meanwhile${others.length === 0 ? '' : `; ${others.length} ended otherwise: ${others[0]}`}`,
    ],
    measurements: [most, ...alone, ...beside],
  }
}

function besideSpinners(stand: Stand, cauri: Subject, workload: PayoutWorkload) {
  const merchants = stand.merchants.slice(0, merchantsThatFill(THREADS))
  return whileSpinning(cauri, merchants, () => stand.measurePayouts(cauri, { ...workload, quietSeconds: 0 }))
}
