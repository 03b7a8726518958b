// Row 8: fifteen thousand open streams with a heartbeat every five seconds, during the payouts of row 1.
import { setTimeout as pause } from 'node:timers/promises'
import type { CauriServer } from '../cauri/cauri-server.ts'
import { grownBytes, sweptMemory } from '../cauri/heap.ts'
import { readLoopStallMs } from '../cauri/loop-stall.ts'
import { percentilesOf } from '../load/histogram.ts'
import { WALLETS } from '../load/population.ts'
import type { Measurement } from '../measure.ts'
import { openFilesMax } from '../process/memory.ts'
import { atLeast, atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { Stand } from '../stand.ts'
import { formatBytes, formatNumber, formatSpread, formatUs, spreadOf } from '../statistics.ts'
import { Crowd } from '../streams/crowd.ts'
import type { ListenPlan, Received } from '../streams/plan.ts'
import { summarize } from '../summary.ts'
import { rateClaim } from './rate-claim.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const STREAMS = 15_000
const QUICK_STREAMS = 3000
/** Shares of the streams at which memory is read. */
const MEMORY_STEPS = 3
/** Open files of the server beside its streams: log, archive, the generator's connections. */
const OTHER_FILES = 1024
const HEARTBEAT_MS = 5_000

export const ROW_08: Row = {
  number: 8,
  title: `${formatNumber(STREAMS)} streams with a heartbeat every 5 s, payouts running`,
  run,
}

/** One round with all streams open. */
interface Round {
  readonly measurement: Measurement
  readonly received: Received
  readonly stallMs: number
}

async function run(stand: Stand): Promise<RowResult> {
  const filesMax = openFilesMax()
  const streams = stand.options.quick ? QUICK_STREAMS : STREAMS
  if (filesMax !== null && filesMax < streams + OTHER_FILES) return notMeasured(filesMax)
  const { dataDir, tokens } = await stand.cauri.folderWithSessions(streams)
  const memory = await measureMemory(stand, dataDir, tokens)
  const server = await stand.cauri.start(dataDir)
  const plan = { port: server.port, tokens }
  const alone: Measurement[] = []
  const stallsAlone: number[] = []
  const rounds: Round[] = []
  for (let round = 0; round < stand.options.repeat; round++) {
    await readLoopStallMs(server.port)
    alone.push(await stand.measurePayouts(server, ALL_MERCHANTS))
    stallsAlone.push(await readLoopStallMs(server.port))
    rounds.push(await measureListening(stand, server, plan))
  }
  await server.stop()
  return resultOf({ memory, alone, stallsAlone, rounds })
}

/**
 * Measures the memory of streams on an idle server. Each token is used once before, because the server caches tokens
 * also without streams.
 */
async function measureMemory(stand: Stand, dataDir: string, tokens: readonly string[]): Promise<MemoryStep[]> {
  const server = await stand.cauri.start(dataDir, { isInspected: true })
  const crowds: Crowd[] = []
  const nextCrowd = (): Crowd => {
    const crowd = new Crowd()
    crowds.push(crowd)
    return crowd
  }
  try {
    await nextCrowd().call({ port: server.port, tokens })
    const before = await sweptMemory(server)
    const steps = stand.options.quick ? 1 : MEMORY_STEPS
    const taken: MemoryStep[] = []
    for (let step = 1; step <= steps; step++) {
      const [from, to] = [step - 1, step].map((at) => Math.floor((tokens.length * at) / steps)) as [number, number]
      await nextCrowd().open({ port: server.port, tokens: tokens.slice(from, to) })
      // Waits until every stream has had a heartbeat.
      await pause(HEARTBEAT_MS)
      taken.push({ streams: to, bytes: grownBytes(before, await sweptMemory(server)) })
    }
    return taken
  } finally {
    for (const crowd of crowds) await crowd.stop()
    await server.stop()
  }
}

/** What the first streams added to the memory of the server. */
interface MemoryStep {
  readonly streams: number
  readonly bytes: number
}

async function measureListening(stand: Stand, server: CauriServer, plan: ListenPlan): Promise<Round> {
  const crowd = new Crowd()
  try {
    await crowd.open(plan)
    // Waits until every stream has had a heartbeat: the work of opening them is done.
    await pause(HEARTBEAT_MS)
    await readLoopStallMs(server.port)
    await crowd.windowOpens()
    const measurement = await stand.measurePayouts(server, { ...ALL_MERCHANTS, quietSeconds: 0 })
    const received = await crowd.windowCloses()
    const stallMs = await readLoopStallMs(server.port)
    console.error(`  ${describeRound({ measurement, received, stallMs })}`)
    return { measurement, received, stallMs }
  } finally {
    await crowd.stop()
  }
}

interface Taken {
  readonly memory: readonly MemoryStep[]
  readonly alone: readonly Measurement[]
  readonly stallsAlone: readonly number[]
  readonly rounds: readonly Round[]
}

function resultOf({ memory, alone, stallsAlone, rounds }: Taken): RowResult {
  const all = memory.at(-1) ?? { streams: 1, bytes: 0 }
  const listening = rounds.map(({ measurement }) => measurement)
  const events = percentilesOf(rounds.map(({ received }) => received.latency))
  const late = spreadOf(rounds.map(({ received }) => percentilesOf([received.latency]).p99Us / 1000))
  const stalls = spreadOf(rounds.map(({ stallMs }) => stallMs))
  const sum = (count: (received: Received) => number): number => rounds.reduce((total, { received }) => total + count(received), 0)
  return {
    claims: [
      memoryClaim(all),
      {
        what: 'ms from a turn to its frame, p99',
        figure: `p50 ${formatUs(events.p50Us)}, max ${formatUs(events.maxUs)}`,
        value: late,
        must: atMost(50),
        aim: null,
      },
      rateClaim({ what: 'payouts/s against those without streams', above: listening, below: alone, must: atLeast(0.85), aim: null }),
      {
        what: 'ms that the event loop stood still at worst',
        figure: `${formatSpread(spreadOf(stallsAlone))} without streams`,
        value: stalls,
        must: atMost(25),
        aim: null,
      },
    ],
    notes: [
      ...summarize('Cauri, streams open', listening),
      ...summarize('Cauri, no stream', alone),
      `Received: ${formatNumber(sum(({ frames }) => frames))} frames, ${formatNumber(sum(({ gaps }) => gaps))} of them out of order; ${formatNumber(sum(({ heartbeats }) => heartbeats))} heartbeats, at most ${formatNumber(Math.max(...rounds.map(({ received }) => received.heartbeatGapMs)))} ms apart.`,
      `One payout in ${formatNumber(WALLETS / all.streams)} goes to a wallet that listens. A frame’s time counts from the turn that decided the payout, the disk included.`,
      'Memory is what opening all streams added to a server that had looked at each token once, garbage swept before and after: resident without mapped files, or V8’s heap where that grew more.',
    ],
    measurements: [...alone, ...listening],
    plots: [
      {
        title: 'Memory against open streams',
        kind: 'lines',
        xLabel: 'streams',
        yLabel: 'MiB',
        yScale: 'linear',
        series: [{ name: 'added by the streams', points: memory.map(({ streams, bytes }) => ({ x: streams, y: bytes / 2 ** 20 })) }],
      },
    ],
  }
}

function memoryClaim({ streams, bytes }: MemoryStep): Claim {
  const what = 'bytes of memory a stream'
  const must = atMost(2048)
  return { what, figure: `${formatBytes(bytes)} in all`, value: spreadOf([bytes / streams]), must, aim: null }
}

function describeRound({ received, stallMs }: Round): string {
  const { p50Us, p99Us } = percentilesOf([received.latency])
  return [
    `${formatNumber(received.frames)} frames`,
    `p50 ${formatUs(p50Us)}`,
    `p99 ${formatUs(p99Us)}`,
    `loop stall ${formatNumber(stallMs)} ms`,
    `listener ${formatNumber(received.cpuSeconds)} s of CPU`,
  ].join(', ')
}

function notMeasured(filesMax: number): RowResult {
  const figure = `a process may open ${formatNumber(filesMax)} files here, ${formatNumber(STREAMS + OTHER_FILES)} are needed: ulimit -n`
  const claims = [
    { what: 'bytes of memory a stream', must: atMost(2048) },
    { what: 'ms from a turn to its frame, p99', must: atMost(50) },
    { what: 'payouts/s against those without streams', must: atLeast(0.85) },
    { what: 'ms that the event loop stood still at worst', must: atMost(25) },
  ]
  return { claims: claims.map((claim) => ({ ...claim, figure, value: null, aim: null })), notes: [], measurements: [] }
}
