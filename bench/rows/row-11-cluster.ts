// Row 11: the owner over PostgreSQL with a synchronous standby beside the embedded log, a follower's read beside the round trip of its
// barrier, and the pauses of writes in a takeover and in a handover.
import { join } from 'node:path'
import { Client } from 'pg'
import { awaitRole, type ClusterNode, type ClusterStand } from '../cauri/cluster-stand.ts'
import { interleave } from '../interleave.ts'
import { payoutShapes, WALLETS } from '../load/population.ts'
import type { Measurement, Subject } from '../measure.ts'
import { RivalUnavailable } from '../rivals/postgres-cluster.ts'
import { atLeast, atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { Stand } from '../stand.ts'
import { formatUs, type Spread, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'
import { rateClaim } from './rate-claim.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const READS = 500
const WARM_READS = 200
/** Writes go on this long after the owner was stopped. */
const PAUSE_SECONDS = 12
const TAKEOVER_AFTER_MS = 3000
const PAYOUT_MUST = atLeast(0.6)
const PAYOUT_AIM = atLeast(0.9)
const READ_MUST = atMost(2)
const TAKEOVER_MUST = atMost(TAKEOVER_AFTER_MS + 2000)
const HANDOVER_MUST = atMost(500)
/** What the barrier of a read asks PostgreSQL. */
const BARRIER = 'select epoch, last_sequence from cauri.owner where partition = 0'

export const ROW_11: Row = {
  number: 11,
  title: 'a cluster over PostgreSQL with a synchronous standby, all on this machine',
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  let cluster: ClusterStand
  try {
    cluster = await stand.cauri.cluster()
  } catch (error) {
    if (!(error instanceof RivalUnavailable)) throw error
    return { claims: [], notes: [`not measured: ${error.message}`], measurements: [] }
  }
  try {
    return await measureCluster(stand, cluster)
  } finally {
    await cluster.close()
  }
}

async function measureCluster(stand: Stand, cluster: ClusterStand): Promise<RowResult> {
  const embedded = await stand.cauri.server()
  const first = await cluster.node('first', join(stand.folder, 'cluster-first'))
  await awaitRole(first, 'owner')
  const taken = await interleave(stand.options.repeat, {
    embedded: () => stand.measurePayouts(embedded, ALL_MERCHANTS),
    owner: () => stand.measurePayouts(first, ALL_MERCHANTS),
  })
  const second = await cluster.node('second', join(stand.folder, 'cluster-second'))
  await awaitRole(second, 'follower')
  const reads = await measureReads(stand, cluster, second, embedded)
  const takeover = await longestPauseMs(stand, second, () => first.kill())
  const third = await cluster.node('third', first.dataDir)
  await awaitRole(third, 'follower')
  let stopping: Promise<void> = Promise.resolve()
  const handover = await longestPauseMs(stand, third, () => {
    stopping = second.stop()
  })
  await stopping
  return {
    claims: claimsOf(taken, reads, takeover, handover),
    notes: notesOf(taken, reads, takeover, handover),
    measurements: [...taken.embedded, ...taken.owner],
  }
}

interface Reads {
  /** Median times in microseconds, one a repeat. */
  readonly follower: readonly number[]
  /** The same read at the server with the embedded log: HTTP without a barrier. */
  readonly embedded: readonly number[]
  readonly barrier: readonly number[]
}

interface Pause {
  readonly longestMs: number
  /** Payouts that were answered with another status than 201. */
  readonly failures: number
}

function claimsOf(
  taken: Record<'embedded' | 'owner', Measurement[]>,
  { follower, barrier }: Reads,
  takeover: Pause,
  handover: Pause,
): Claim[] {
  const above = spreadOf(follower.map((us, index) => (us - (barrier[index] as number)) / 1000))
  return [
    rateClaim({
      what: 'payouts/s against the embedded log',
      above: taken.owner,
      below: taken.embedded,
      must: PAYOUT_MUST,
      aim: PAYOUT_AIM,
    }),
    {
      what: "ms of a follower's read over the barrier's round trip, p50",
      figure: `${formatUs(spreadOf(follower).median)} : ${formatUs(spreadOf(barrier).median)}`,
      value: above,
      must: READ_MUST,
      aim: null,
    },
    pauseClaim('ms without a payout after kill -9 of the owner', takeover, TAKEOVER_MUST),
    pauseClaim('ms of the slowest payout while the owner hands over', handover, HANDOVER_MUST),
  ]
}

function pauseClaim(what: string, { longestMs, failures }: Pause, must: Claim['must']): Claim {
  return { what, figure: `${Math.round(longestMs)} ms, ${failures} errors`, value: spreadOf([longestMs]), must, aim: null }
}

function notesOf(
  taken: Record<'embedded' | 'owner', Measurement[]>,
  { follower, embedded, barrier }: Reads,
  takeover: Pause,
  handover: Pause,
): string[] {
  const spread = (values: readonly number[]): string => rangeText(spreadOf(values))
  return [
    ...summarize('Embedded log', taken.embedded),
    ...summarize('Owner over PostgreSQL', taken.owner),
    '  primary and standby run beside the owner and the generator: `others` counts them',
    `A balance at a follower over one connection: p50 ${spread(follower)}; at the embedded server: p50 ${spread(embedded)}; the barrier's statement alone: p50 ${spread(barrier)}`,
    `Takeover after kill -9 (TAKEOVER_AFTER_MS ${TAKEOVER_AFTER_MS}): ${Math.round(takeover.longestMs)} ms, ${takeover.failures} answers were not 201`,
    `Handover by SIGTERM: slowest payout ${Math.round(handover.longestMs)} ms, ${handover.failures} answers were not 201`,
  ]
}

function rangeText({ median, min, max }: Spread): string {
  return `${formatUs(median)} (${formatUs(min)} to ${formatUs(max)})`
}

/** Measures reads of a balance at the node and the barrier's statement, one after the other, without other load. */
async function measureReads(stand: Stand, { url }: ClusterStand, node: ClusterNode, embedded: Subject): Promise<Reads> {
  const [keys] = stand.merchants
  if (keys === undefined) throw new Error('the stand has no merchants')
  const headers = { 'X-Api-Key': keys.publicKey, 'X-Api-Secret': keys.secretKey }
  const client = new Client({ connectionString: url })
  await client.connect()
  const read = async ({ port }: Subject): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/biz/balance`, { headers })
    if (answer.status !== 200) throw new Error(`a read was answered with ${answer.status}`)
    await answer.text()
  }
  const ask = async (): Promise<void> => void (await client.query({ name: 'barrier', text: BARRIER }))
  try {
    const [follower, barrier, alone]: [number[], number[], number[]] = [[], [], []]
    for (const subject of [node, embedded]) await medianUs(WARM_READS, () => read(subject))
    for (let round = 0; round < stand.options.repeat; round++) {
      follower.push(await medianUs(READS, () => read(node)))
      alone.push(await medianUs(READS, () => read(embedded)))
      barrier.push(await medianUs(READS, ask))
    }
    return { follower, embedded: alone, barrier }
  } finally {
    await client.end()
  }
}

async function medianUs(count: number, once: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let done = 0; done < count; done++) {
    const startMs = performance.now()
    await once()
    times.push((performance.now() - startMs) * 1000)
  }
  return spreadOf(times).median
}

/** Sends payouts one after the other to the node and stops the owner meanwhile. Repeats a payout with its key until it is answered 201. */
async function longestPauseMs(stand: Stand, node: ClusterNode, stopOwner: () => void): Promise<Pause> {
  const [shape] = payoutShapes(stand.merchants, WALLETS)
  if (shape === undefined) throw new Error('the stand has no merchants')
  const body = (shape.body ?? '').replace(/\{\{random[^}]*\}\}/, '0000001')
  let [longestMs, failures, sent] = [0, 0, 0]
  const startMs = performance.now()
  for (let isStopped = false; performance.now() - startMs < PAUSE_SECONDS * 1000; ) {
    if (!isStopped && performance.now() - startMs > 1000) {
      isStopped = true
      stopOwner()
    }
    const headers = { ...shape.headers, 'Idempotency-Key': `${node.name}-${++sent}` }
    const sentMs = performance.now()
    for (let status = 0; status !== 201; ) {
      status = await statusOf(node, headers, body)
      if (status !== 201) failures++
    }
    if (isStopped) longestMs = Math.max(longestMs, performance.now() - sentMs)
  }
  return { longestMs, failures }
}

async function statusOf({ port }: ClusterNode, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/biz/payouts`, { method: 'POST', headers, body })
  await answer.text()
  return answer.status
}
