// Row 1: single payouts over HTTP from a hundred merchants to a hundred thousand wallets, each durable before its 201.
import { profilePayouts } from '../cauri/profiled.ts'
import { interleave, ratesOf } from '../interleave.ts'
import { payoutPlan, WALLETS } from '../load/population.ts'
import { runWrk, wrkVersion } from '../load/wrk.ts'
import type { Measurement, Subject } from '../measure.ts'
import { waitUntilQuiet } from '../quiet.ts'
import { type Plot, pointOf } from '../report/plot.ts'
import { readUrlRival } from '../rivals/url-rival.ts'
import { atLeast, atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatNumber, formatSpread, ratios, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'
import { costsOf } from './payout-cost.ts'
import { rateClaim } from './rate-claim.ts'

/** Workload of row 1. Row 2 compares with it. */
export const ALL_MERCHANTS: PayoutWorkload = { connections: 256, merchants: 'all', ratePerSecond: null }

export const ROW_01: Row = {
  number: 1,
  title: 'single payouts, 256 connections, 100 merchants, 100 000 wallets',
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const noOp = await stand.noOp()
  const cauri = await stand.cauri.server()
  const postgres = await stand.postgres(ALL_MERCHANTS)
  const grouped = await stand.postgres(ALL_MERCHANTS, 'grouped')
  const rival = stand.options.rival === null ? null : readUrlRival(stand.options.rival)
  const oneThread = await stand.cauri.start(await stand.cauri.freshFolder(), { httpThreads: 1 })
  const twoThreads = await stand.cauri.start(await stand.cauri.freshFolder(), { httpThreads: 2 })
  const taken = await interleave(stand.options.repeat, {
    noOp: () => stand.measurePayouts(noOp, ALL_MERCHANTS),
    cauri: () => stand.measurePayouts(cauri, ALL_MERCHANTS),
    oneThread: () => stand.measurePayouts(oneThread, ALL_MERCHANTS),
    twoThreads: () => stand.measurePayouts(twoThreads, ALL_MERCHANTS),
    postgres: 'unavailable' in postgres ? null : () => stand.measurePayouts(postgres.subject, ALL_MERCHANTS),
    grouped: 'unavailable' in grouped ? null : () => stand.measurePayouts(grouped.subject, ALL_MERCHANTS),
    rival: rival === null ? null : () => stand.measureRival(rival, ALL_MERCHANTS),
  })
  const against = { above: taken.cauri }
  const ofPostgres = 'unavailable' in postgres ? postgres : taken.postgres
  return {
    claims: [
      rateClaim({ ...against, what: 'payouts/s against N', below: taken.noOp, must: atLeast(0.45), aim: atLeast(0.65) }),
      rateClaim({ ...against, what: 'payouts/s against P', below: ofPostgres, must: atLeast(12), aim: atLeast(30) }),
      threadCost(taken.oneThread, taken.noOp),
    ],
    notes: [
      ...summarize('Cauri', taken.cauri),
      ...withThreads('Cauri, 1 HTTP thread', taken.oneThread),
      ...withThreads('Cauri, 2 HTTP threads', taken.twoThreads),
      ...summarize('N', taken.noOp),
      ...('unavailable' in postgres ? [`P: ${postgres.unavailable}`] : [...summarize('P', taken.postgres), postgres.note]),
      ...('unavailable' in grouped ? [] : [...againstGroups(taken.cauri, taken.grouped), grouped.note]),
      ...(rival === null ? [] : summarize(`R (${stand.options.rival?.url})`, taken.rival)),
      ...(stand.options.wrk ? [await askWrk(stand, noOp), await askWrk(stand, cauri)] : []),
      ...(stand.options.profile ? await profilePayouts(stand, ALL_MERCHANTS) : []),
    ],
    measurements: [
      ...taken.cauri,
      ...taken.oneThread,
      ...taken.twoThreads,
      ...taken.noOp,
      ...taken.postgres,
      ...taken.grouped,
      ...taken.rival,
    ],
    plots: [headline(taken)],
  }
}

/** Micro-batching is the strongest conventional server: many payouts share one commit of PostgreSQL. */
function againstGroups(cauri: readonly Measurement[], grouped: readonly Measurement[]): string[] {
  const ratio = formatSpread(ratios(ratesOf(cauri), ratesOf(grouped)))
  return [...summarize('P2, groups of waiting payouts in one transaction', grouped), `  Cauri against P2: ${ratio}`]
}

function headline(taken: Readonly<Record<string, readonly Measurement[]>>): Plot {
  const names = {
    noOp: 'N, stores nothing',
    cauri: 'Cauri',
    oneThread: 'Cauri, 1 thread',
    grouped: 'P2, grouped',
    postgres: 'P',
    rival: 'R',
  }
  const points = Object.entries(names).flatMap(([key, name]) => {
    const of = taken[key] ?? []
    return of.length === 0 ? [] : [pointOf(name, spreadOf(ratesOf(of)))]
  })
  return {
    title: 'Payouts/s over 256 connections, durable before the answer',
    kind: 'bars',
    xLabel: 'N: a server that answers the same bytes and stores nothing; P, P2: PostgreSQL behind Fastify',
    yLabel: 'payouts/s',
    yScale: 'linear',
    series: [{ name: 'payouts/s, median and range of the repeats', points }],
  }
}

/** Row 1b: what a payout costs the engine's thread when HTTP has threads, against the whole request of N. */
function threadCost(threads: readonly Measurement[], noOp: readonly Measurement[]): Claim {
  const [costs, whole] = [costsOf(threads), costsOf(noOp)]
  const [cost, other] = [costs, whole].map((values) => spreadOf(values).median.toFixed(1))
  const figure = `${cost} µs : ${other} µs`
  return {
    what: '1b: CPU of the engine thread a payout, 1 HTTP thread, against N',
    figure,
    value: ratios(costs, whole),
    must: atMost(1.2),
    aim: atMost(0.7),
  }
}

function withThreads(name: string, measurements: readonly Measurement[]): string[] {
  const costUs = spreadOf(costsOf(measurements)).median
  return [...summarize(name, measurements), `  engine thread: ${costUs.toFixed(1)} µs a payout`]
}

/** Sends the same requests with another generator, to check that the bench's generator is not the limit. */
async function askWrk(stand: Stand, subject: Subject): Promise<string> {
  const version = wrkVersion()
  if (version === null) return 'wrk: not installed (apt-get install wrk)'
  await waitUntilQuiet(stand.options.quietSeconds * 1000)
  const { seconds } = stand.options
  const plan = payoutPlan({
    ...ALL_MERCHANTS,
    port: subject.port,
    seconds,
    seed: 1,
    isFirst: false,
    merchants: stand.merchants,
    wallets: WALLETS,
  })
  const { perSecond, failures } = await runWrk(plan, stand.folder)
  return `${subject.name} by wrk ${version}: ${formatNumber(perSecond)}/s, ${failures} failures`
}
