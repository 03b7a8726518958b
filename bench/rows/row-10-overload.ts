// Row 10: twice the load that the server can take, and a merchant that sends five times its rate limit, at a fixed rate whether answers
// come or not.
import { percentilesOf } from '../load/histogram.ts'
import type { Measurement } from '../measure.ts'
import { openFilesMax } from '../process/memory.ts'
import { type WatchedMemory, whileWatching } from '../process/memory-watch.ts'
import { atLeast, atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatBytes, formatNumber, formatSpread, formatUs, ratios, spreadOf } from '../statistics.ts'
import { percentileText } from './latency-point.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const OVERLOAD = 2
/** Fewer than the mailboxes hold together: every payout waits its turn. */
const SPREAD_CONNECTIONS = 2048
/** More than one mailbox holds: payouts are refused where the log does not keep up. */
const ONE_MAILBOX_CONNECTIONS = 8192
/** Rate limit of row 10b, and how much of it one merchant sends. */
const LIMIT_PER_SECOND = 1000
const LIMIT_SHARE = 5
/** Open files of the generator beside its connections. */
const OTHER_FILES = 256
const GOODPUT_MUST = atLeast(0.9)
const REFUSAL_MUST = atMost(20)
const MEMORY_MUST = atMost(1.1)

export const ROW_10: Row = {
  number: 10,
  title: `${OVERLOAD} times the load that it can take`,
  run,
}

interface Overload {
  readonly name: string
  readonly connections: number
  readonly merchants: PayoutWorkload['merchants']
}

const OVERLOADS: readonly Overload[] = [
  { name: 'all merchants', connections: SPREAD_CONNECTIONS, merchants: 'all' },
  { name: 'one merchant, more than its mailbox holds', connections: ONE_MAILBOX_CONNECTIONS, merchants: 'one' },
]

/** One round: the maximum, the overload right after it, and rival N under the same two loads. */
interface Round {
  readonly most: Measurement
  readonly over: Measurement
  readonly memory: WatchedMemory | null
  readonly noOpMost: Measurement
  /** N at twice its own maximum. */
  readonly noOpOver: Measurement
}

async function run(stand: Stand): Promise<RowResult> {
  const claims: Claim[] = []
  const notes: string[] = [
    'A request that is due while no connection is free is given up by its client and counted as dropped. The generator shares the cores',
    'with the server: sending twice the load takes them from the server too.',
  ]
  const measurements: Measurement[] = []
  for (const overload of OVERLOADS) {
    const filesMax = openFilesMax()
    if (filesMax !== null && filesMax < overload.connections + OTHER_FILES) {
      notes.push(`${overload.name}: not measured, a process may open ${formatNumber(filesMax)} files here: ulimit -n`)
      continue
    }
    const rounds = await measureRounds(stand, overload)
    claims.push(...claimsOf(overload, rounds))
    notes.push(
      ...notesOf(
        overload,
        rounds.map(({ over }) => over),
      ),
      ...noOpNotes(rounds),
    )
    measurements.push(...rounds.flatMap(({ most, over, noOpMost, noOpOver }) => [most, over, noOpMost, noOpOver]))
  }
  const limited = await measureLimited(stand)
  claims.push(...limitedClaims(limited))
  notes.push(...notesOf({ name: '10b: beyond the rate limit', connections: ALL_MERCHANTS.connections }, limited))
  return { claims, notes, measurements: [...measurements, ...limited] }
}

/** Half of the connections are of one merchant, which sends several times its limit. The others stay within theirs. */
async function measureLimited(stand: Stand): Promise<Measurement[]> {
  const dataDir = await stand.cauri.freshFolder()
  const server = await stand.cauri.start(dataDir, { rateLimit: LIMIT_PER_SECOND })
  const workload: PayoutWorkload = {
    connections: ALL_MERCHANTS.connections,
    merchants: 'hot',
    ratePerSecond: 2 * LIMIT_SHARE * LIMIT_PER_SECOND,
    openLoop: { whenBusy: 'drop' },
    quietSeconds: 0,
  }
  const measurements: Measurement[] = []
  for (let round = 0; round < stand.options.repeat; round++) measurements.push(await stand.measurePayouts(server, workload))
  await server.stop()
  stand.cauri.remove(dataDir)
  return measurements
}

function limitedClaims(limited: readonly Measurement[]): Claim[] {
  const p99s = limited.map(({ load }) => percentilesOf([load.refusalLatency]).p99Us / 1000)
  return [
    {
      what: `10b: ms to a 429, p99, one merchant at ${LIMIT_SHARE} times its limit`,
      figure: `${formatNumber(limited.reduce((sum, { load }) => sum + (load.statuses[429] ?? 0), 0))} refusals`,
      value: spreadOf(p99s),
      must: REFUSAL_MUST,
      aim: null,
    },
  ]
}

async function measureRounds(stand: Stand, { connections, merchants }: Overload): Promise<Round[]> {
  const dataDir = await stand.cauri.freshFolder()
  const server = await stand.cauri.start(dataDir)
  const noOp = await stand.noOp()
  const twice = ({ perSecond }: Measurement): PayoutWorkload => ({
    connections,
    merchants,
    ratePerSecond: perSecond * OVERLOAD,
    openLoop: { whenBusy: 'drop' },
    quietSeconds: 0,
  })
  const rounds: Round[] = []
  for (let round = 0; round < stand.options.repeat; round++) {
    const most = await stand.measurePayouts(server, { ...ALL_MERCHANTS, merchants })
    const { result, memory } = await whileWatching(server.pids[0], () => stand.measurePayouts(server, twice(most)))
    const noOpMost = await stand.measurePayouts(noOp, { ...ALL_MERCHANTS, merchants })
    const noOpOver = await stand.measurePayouts(noOp, twice(noOpMost))
    rounds.push({ most, over: result, memory, noOpMost, noOpOver })
  }
  await server.stop()
  stand.cauri.remove(dataDir)
  return rounds
}

function claimsOf({ name }: Overload, rounds: readonly Round[]): Claim[] {
  const [done, most] = [rounds.map(({ over }) => over.perSecond), rounds.map((round) => round.most.perSecond)]
  const growths = rounds.flatMap(({ memory }) => (memory === null ? [] : [memory.growth]))
  const refusals = rounds.map(({ over }) => percentilesOf([over.load.refusalLatency])).filter(({ count }) => count > 0)
  const refusal: Claim = {
    what: `ms to a refusal, p99, ${name}`,
    figure: refusals.length === 0 ? 'nothing was refused' : `${formatNumber(refusals.reduce((sum, { count }) => sum + count, 0))} refusals`,
    value: refusals.length === 0 ? null : spreadOf(refusals.map(({ p99Us }) => p99Us / 1000)),
    must: REFUSAL_MUST,
    aim: null,
  }
  return [
    {
      what: `paid/s against the maximum, ${name}`,
      figure: `${formatNumber(spreadOf(done).median)}/s : ${formatNumber(spreadOf(most).median)}/s`,
      value: ratios(done, most),
      must: GOODPUT_MUST,
      aim: null,
    },
    ...(refusals.length === 0 ? [] : [refusal]),
    {
      what: `memory in the last quarter against the second, ${name}`,
      figure: `peak ${formatBytes(Math.max(0, ...rounds.map(({ memory }) => memory?.peakBytes ?? 0)))}`,
      value: growths.length === 0 ? null : spreadOf(growths),
      must: MEMORY_MUST,
      aim: null,
    },
  ]
}

/** What the same overload does to a server without any work: it refuses nothing, so each answer is as fast as a refusal could be. */
function noOpNotes(rounds: readonly Round[]): string[] {
  const answers = percentilesOf(rounds.map(({ noOpOver }) => noOpOver.load.latency))
  const share = ratios(
    rounds.map(({ noOpOver }) => noOpOver.perSecond),
    rounds.map(({ noOpMost }) => noOpMost.perSecond),
  )
  return [`  N at ${OVERLOAD} times its own maximum: ${formatSpread(share)} of it, answers after ${percentileText(answers)}`]
}

function notesOf({ name, connections }: Pick<Overload, 'name' | 'connections'>, over: readonly Measurement[]): string[] {
  const paid = percentilesOf(over.map(({ load }) => load.latency))
  const refused = percentilesOf(over.map(({ load }) => load.refusalLatency))
  const lag = percentilesOf(over.map(({ load }) => load.sendLag))
  const dropped = spreadOf(over.map(({ load }) => load.dropped / load.seconds)).median
  const statuses = JSON.stringify(over.map(({ load }) => load.statuses))
  const generator = spreadOf(over.map(({ generatorCores }) => generatorCores)).median
  return [
    `${name}, ${formatNumber(connections)} connections: paid after ${percentileText(paid)}; ${formatNumber(refused.count)} refused after ${percentileText(refused)}, max ${formatUs(refused.maxUs)}`,
    `  statuses ${statuses}; ${formatNumber(dropped)}/s dropped by the client; generator ${generator.toFixed(2)} cores`,
    `  sent after they were due, which these times include: ${percentileText(lag)}`,
  ]
}
