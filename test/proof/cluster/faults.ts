// The faults of the rounds. Each begins while clients work, lasts as long as the seed says, and is healed at its end.
import type { Prng } from '../../support/prng.ts'
import type { Direction, TcpProxy } from '../../support/tcp-proxy.ts'
import { clockOfFollower, clockOfOwner, ownerCutOff, readsGoOn, type Shown, silentHost, strayNode } from './operator-faults.ts'
import { pause } from './pause.ts'
import { NODES, type NodeName, type TestedCluster } from './tested-cluster.ts'

export interface Struck {
  /** Moment of the fault. */
  readonly atMs: number
  /** Maximum time after which writes go on; null where the fault lasts for a time of its own. */
  readonly goesOnWithinMs: number | null
  /** On an idle machine the takeover never takes longer. */
  readonly isBound?: boolean
  /** Clients that go to listed nodes see no error. */
  readonly hasNoErrors?: boolean
  /** What an operator could read meanwhile. */
  readonly shown?: Shown
  /** Nothing that is sent in this time may be acknowledged in it. */
  readonly silence?: { readonly fromMs: number; readonly toMs: number }
}

type Strike = (cluster: TestedCluster, prng: Prng) => Promise<Struck>

/** TAKEOVER_AFTER_MS and 2 s. */
const TAKEOVER_MAX_MS = 5000
const HANDOVER_MAX_MS = 500
/** A statement that was sent before the standby was killed may still be confirmed. */
const SILENCE_AFTER_MS = 50
const APPEND = Buffer.from('append\0')
const LONG_MS = 80_000
/** Time in which all nodes are connected to a promoted server. */
const RECONNECTED_MS = 6000

export const FAULTS = {
  'owner killed': async (cluster) => {
    const owner = await cluster.owner()
    const atMs = performance.now()
    await cluster.kill(owner)
    return { atMs, goesOnWithinMs: TAKEOVER_MAX_MS, isBound: true }
  },
  'owner frozen': async (cluster, prng) => frozen(cluster, await cluster.owner(), 2000 + prng.below(18_000), TAKEOVER_MAX_MS),
  'owner frozen shortly': async (cluster, prng) => frozen(cluster, await cluster.owner(), 2000 + prng.below(3000), TAKEOVER_MAX_MS),
  'owner stopped in order': async (cluster) => stopped(cluster, await cluster.owner()),
  'all nodes stopped in turn': async (cluster) => {
    const owner = await cluster.owner()
    const first = await stopped(cluster, owner)
    for (const name of NODES.filter((other) => other !== owner)) {
      await cluster.untilAllAnswer()
      await stopped(cluster, name)
    }
    return first
  },
  'follower killed': async (cluster, prng) => {
    const name = await follower(cluster, prng)
    const atMs = performance.now()
    await cluster.kill(name)
    return { atMs, goesOnWithinMs: HANDOVER_MAX_MS }
  },
  'follower frozen': async (cluster, prng) => frozen(cluster, await follower(cluster, prng), 2000 + prng.below(18_000), HANDOVER_MAX_MS),
  'follower stopped in order': async (cluster, prng) => stopped(cluster, await follower(cluster, prng)),
  'all nodes killed': async (cluster) => {
    const atMs = performance.now()
    await Promise.all(NODES.map((name) => cluster.kill(name)))
    return { atMs, goesOnWithinMs: null }
  },
  'primary killed and standby promoted': async (cluster) => {
    const atMs = performance.now()
    await cluster.failOver()
    return { atMs, goesOnWithinMs: null }
  },
  'standby killed': (cluster, prng) => withoutStandby(cluster, 1000 + prng.below(9000), async () => {}),
  'standby killed and connections cut': async (cluster, prng) => {
    const proxies = cluster.proxies(await cluster.owner())
    return withoutStandby(cluster, 3000 + prng.below(5000), async () => cut(proxies))
  },
  // A commit that waits for the standby and is ended by the server stays on the primary, visible to all.
  'standby killed and waiting commits ended': (cluster, prng) => {
    const end = prng.chance(0.5) ? 'pg_cancel_backend' : 'pg_terminate_backend'
    return withoutStandby(cluster, 6000 + prng.below(4000), async () => {
      await cluster.primary.run(`select ${end}(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
    })
  },
  'connection cut before an append': (cluster, prng) => cutAt(cluster, prng, { at: 'to-server', isPassed: false }),
  'connection cut during an append': (cluster, prng) => cutAt(cluster, prng, { at: 'to-server', isPassed: true }),
  'connection cut before the answer of an append': (cluster, prng) => cutAt(cluster, prng, { at: 'to-client', isPassed: false }),
  'requests to PostgreSQL lost': async (cluster, prng) => swallowed(cluster, prng, 'to-server'),
  'answers of PostgreSQL lost': async (cluster, prng) => swallowed(cluster, prng, 'to-client'),
  'standby away for long': async (cluster) => {
    const reading = readsGoOn(cluster, LONG_MS)
    const struck = await withoutStandby(cluster, LONG_MS, async () => {})
    await reading
    return struck
  },
  'primary killed and no standby for a while': async (cluster, prng) => {
    const atMs = performance.now()
    let silence = { fromMs: 0, toMs: 0 }
    await cluster.failOver(async () => {
      // Until then the owner acknowledges what the promoted server has from the former primary.
      await pause(RECONNECTED_MS)
      const fromMs = performance.now()
      await readsGoOn(cluster, 5000 + prng.below(15_000))
      silence = { fromMs, toMs: performance.now() }
    })
    return { atMs, goesOnWithinMs: null, silence }
  },
  'clock of the owner set by 4 h': shown(clockOfOwner),
  'clock of a follower set by 4 h': shown(clockOfFollower),
  'owner cut off from the nodes': shown(ownerCutOff),
  'node with another secret': shown((cluster) => strayNode(cluster, 'secret')),
  'node with the name of another': shown((cluster) => strayNode(cluster, 'twin')),
  'host of PostgreSQL silent': shown(silentHost),
  'connections delayed': async (cluster, prng) => {
    const proxies = NODES.flatMap((name) => cluster.proxies(name))
    const atMs = performance.now()
    for (const proxy of proxies) proxy.delayMs = 20 + prng.below(300)
    await pause(2000 + prng.below(4000))
    for (const proxy of proxies) proxy.delayMs = 0
    return { atMs, goesOnWithinMs: null }
  },
  'all connections cut': async (cluster, prng) => {
    const atMs = performance.now()
    for (let count = 0; count < 3; count++) {
      for (const name of NODES) cut(cluster.proxies(name))
      await pause(prng.below(1000))
    }
    return { atMs, goesOnWithinMs: null }
  },
} as const satisfies Record<string, Strike>

export type Fault = keyof typeof FAULTS

export const FAULT_NAMES = Object.keys(FAULTS) as readonly Fault[]

/** A wrong clock moves the ledger's time by up to CLOCK_DIFFERENCE_MAX_MS. */
export const CLOCK_FAULTS: ReadonlySet<Fault> = new Set(['clock of the owner set by 4 h', 'clock of a follower set by 4 h'])

function shown(fault: (cluster: TestedCluster, prng: Prng) => Promise<Shown>): Strike {
  return async (cluster, prng) => {
    const atMs = performance.now()
    return { atMs, goesOnWithinMs: null, shown: await fault(cluster, prng) }
  }
}

async function follower(cluster: TestedCluster, prng: Prng): Promise<NodeName> {
  const owner = await cluster.owner()
  return prng.pick(NODES.filter((name) => name !== owner))
}

async function frozen(cluster: TestedCluster, name: NodeName, timeMs: number, goesOnWithinMs: number): Promise<Struck> {
  const atMs = performance.now()
  cluster.freeze(name)
  await pause(timeMs)
  cluster.resume(name)
  return { atMs, goesOnWithinMs, isBound: goesOnWithinMs === TAKEOVER_MAX_MS }
}

async function stopped(cluster: TestedCluster, name: NodeName): Promise<Struck> {
  const atMs = performance.now()
  await cluster.terminate(name)
  await cluster.restart(name)
  return { atMs, goesOnWithinMs: HANDOVER_MAX_MS, hasNoErrors: true }
}

/** Commits wait while the standby is away, so nothing is acknowledged. */
async function withoutStandby(cluster: TestedCluster, timeMs: number, meanwhile: () => Promise<void>): Promise<Struck> {
  const atMs = performance.now()
  await cluster.standby.kill()
  const fromMs = performance.now() + SILENCE_AFTER_MS
  await pause(timeMs / 2)
  await meanwhile()
  await pause(timeMs / 2)
  const toMs = performance.now()
  await cluster.standby.startAgain()
  return { atMs, goesOnWithinMs: null, silence: { fromMs, toMs } }
}

/** Cuts the owner's connection at some appends: at the chunk with the request, or at the chunk after it with the answer. */
async function cutAt(
  cluster: TestedCluster,
  prng: Prng,
  { at, isPassed }: { readonly at: Direction; readonly isPassed: boolean },
): Promise<Struck> {
  const proxies = cluster.proxies(await cluster.owner())
  const atMs = performance.now()
  for (let count = 1 + prng.below(4); count > 0; count--) {
    await Promise.race([once(proxies, at, isPassed), pause(3000)])
    await pause(prng.below(500))
  }
  for (const proxy of proxies) [proxy.cutAfter, proxy.cutBefore] = [null, null]
  return { atMs, goesOnWithinMs: null }
}

function once(proxies: readonly TcpProxy[], at: Direction, isPassed: boolean): Promise<void> {
  return new Promise((resolve) => {
    let isAppending = false
    const isDue = (direction: Direction, chunk: Buffer): boolean => {
      if (direction === 'to-server' && chunk.includes(APPEND)) isAppending = true
      if (!isAppending || direction !== at) return false
      isAppending = false
      for (const proxy of proxies) [proxy.cutAfter, proxy.cutBefore] = [null, null]
      resolve()
      return true
    }
    for (const proxy of proxies) proxy[isPassed ? 'cutAfter' : 'cutBefore'] = isDue
  })
}

/** One direction of a node's connections goes nowhere for a while, without being closed. */
async function swallowed(cluster: TestedCluster, prng: Prng, direction: Direction): Promise<Struck> {
  const proxies = cluster.proxies(prng.chance(0.7) ? await cluster.owner() : await follower(cluster, prng))
  const atMs = performance.now()
  for (const proxy of proxies) proxy.swallow = direction
  await pause(1000 + prng.below(9000))
  cut(proxies)
  for (const proxy of proxies) proxy.swallow = null
  return { atMs, goesOnWithinMs: null }
}

function cut(proxies: readonly TcpProxy[]): void {
  for (const proxy of proxies) proxy.cut()
}
