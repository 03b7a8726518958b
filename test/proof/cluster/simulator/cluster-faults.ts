// The faults of a simulated cluster. They come one after another at random times; each ends by itself after a while.
import type { Prng } from '../../../support/prng.ts'
import type { ClusterAudit } from './cluster-audit.ts'
import { type ClusterFigures, noClusterFigures } from './cluster-figures.ts'
import type { SimNetwork } from './sim-client.ts'
import type { SimMachine } from './sim-machine.ts'
import type { SimNode } from './sim-node.ts'
import { SimServer } from './sim-server.ts'

const FAULTS = [
  'node killed',
  'node frozen',
  'node stopped in order',
  'connections cut',
  'network path swallows',
  'standby stopped',
  'waiting commits cancelled',
  'primary killed and standby promoted',
  'primary restarted',
] as const

export type Fault = (typeof FAULTS)[number]

/** Pauses between faults, one of them in each world. */
const PAUSES_MS = [1000, 4000, 12_000]
const FREEZE_MAX_MS = 15_000
const PARTITION_MAX_MS = 12_000
const STANDBY_AWAY_MAX_MS = 12_000
const FAILOVER_MAX_MS = 4000
const REJOIN_MAX_MS = 5000

interface Parts {
  readonly machine: SimMachine
  readonly prng: Prng
  readonly network: SimNetwork
  readonly nodes: readonly SimNode[]
  readonly servers: readonly [SimServer, SimServer]
  readonly audit: ClusterAudit
}

export class FaultPlan {
  readonly counts: Pick<
    ClusterFigures,
    'kills' | 'freezes' | 'stops' | 'cuts' | 'partitions' | 'standbyStops' | 'cancelledWaits' | 'failovers' | 'primaryRestarts'
  >
  readonly #parts: Parts
  readonly #faults: readonly Fault[]
  readonly #pauseMs: number
  #isOver = false
  /** While one fault of PostgreSQL lasts, no other begins. */
  #isServerFault = false

  constructor(seed: number, parts: Parts, faults: readonly Fault[] | undefined) {
    const { kills, freezes, stops, cuts, partitions, standbyStops, cancelledWaits, failovers, primaryRestarts } = noClusterFigures()
    this.counts = { kills, freezes, stops, cuts, partitions, standbyStops, cancelledWaits, failovers, primaryRestarts }
    this.#parts = parts
    const { prng } = parts
    // Each world has its own mix, and each fault comes in every ninth world at least.
    this.#faults = faults ?? FAULTS.filter((_, index) => index === seed % FAULTS.length || prng.chance(0.4))
    this.#pauseMs = prng.pick(PAUSES_MS)
  }

  get primary(): SimServer {
    const [first, second] = this.#parts.servers
    return second.isPrimary ? second : first
  }

  get #standby(): SimServer {
    const [first, second] = this.#parts.servers
    return second.isPrimary ? first : second
  }

  begin(): void {
    const { machine, prng } = this.#parts
    const next = (): void => {
      if (this.#isOver) return
      this.#cause(prng.pick(this.#faults))
      machine.after(prng.below(2 * this.#pauseMs), null, 'fault', next)
    }
    machine.after(prng.below(2 * this.#pauseMs), null, 'fault', next)
  }

  /** Ends all faults. Those of PostgreSQL end at their own time. */
  healAll(): void {
    this.#isOver = true
    const { machine, network, nodes } = this.#parts
    for (const { name, process } of nodes) {
      network.heal(name)
      machine.thaw(process)
    }
  }

  #cause(fault: Fault): void {
    const { machine, prng } = this.#parts
    machine.note(`fault: ${fault}`)
    const node = this.#pickNode()
    switch (fault) {
      case 'node killed':
        this.counts.kills++
        return node.kill()
      case 'node frozen':
        return this.#freeze(node)
      case 'node stopped in order':
        this.counts.stops++
        return node.stop()
      case 'connections cut':
        this.counts.cuts++
        return this.#parts.network.cut(node.name)
      case 'network path swallows':
        return this.#partition(node)
      case 'waiting commits cancelled':
        return this.#cancelWaits()
      default:
        if (this.#isServerFault) return
        this.#isServerFault = true
        if (fault === 'standby stopped') this.#stopStandby()
        else if (fault === 'primary restarted') this.#restartPrimary()
        else this.#failOver(prng.below(FAILOVER_MAX_MS))
    }
  }

  /** The owner more often than the others. */
  #pickNode(): SimNode {
    const { nodes, prng } = this.#parts
    const owner = nodes.find(({ role }) => role === 'owning')
    return owner !== undefined && prng.chance(0.5) ? owner : prng.pick(nodes)
  }

  #freeze({ process }: SimNode): void {
    const { machine, prng } = this.#parts
    this.counts.freezes++
    machine.freeze(process)
    machine.after(prng.below(FREEZE_MAX_MS), null, 'thaw', () => machine.thaw(process))
  }

  #partition({ name }: SimNode): void {
    const { machine, prng, network } = this.#parts
    this.counts.partitions++
    network.swallow(name, prng.pick(['to-server', 'to-client']))
    machine.after(prng.below(PARTITION_MAX_MS), null, 'heal', () => {
      if (prng.chance(0.3)) network.cut(name)
      network.heal(name)
    })
  }

  #stopStandby(): void {
    const { machine, prng } = this.#parts
    const { primary } = this
    this.counts.standbyStops++
    primary.setStreaming(false)
    if (this.#faults.includes('waiting commits cancelled')) {
      machine.after(prng.below(STANDBY_AWAY_MAX_MS), null, 'cancels', () => this.#cancelWaits())
    }
    machine.after(prng.below(STANDBY_AWAY_MAX_MS), null, 'standby is back', () => {
      // The primary may die first: then the standby has none of the commits that waited.
      if (prng.chance(0.3)) return this.#failOver(0)
      primary.setStreaming(true)
      this.#isServerFault = false
    })
  }

  #cancelWaits(): void {
    const { primary } = this
    if (primary.waitingCommits > 0) this.counts.cancelledWaits++
    primary.cancelWaits()
  }

  #restartPrimary(): void {
    const { machine, prng } = this.#parts
    const { primary } = this
    this.counts.primaryRestarts++
    primary.stop()
    machine.after(prng.below(FAILOVER_MAX_MS), null, 'primary starts', () => {
      primary.start()
      this.#isServerFault = false
    })
  }

  #failOver(afterMs: number): void {
    const { machine, prng, audit } = this.#parts
    const [failed, next] = [this.primary, this.#standby]
    this.counts.failovers++
    failed.stop()
    machine.after(afterMs, null, 'standby is promoted', () => {
      failed.isPrimary = false
      next.promote()
      audit.checkServer(next)
      machine.after(prng.below(REJOIN_MAX_MS), null, 'former primary joins', () => {
        SimServer.join(next, failed)
        this.#isServerFault = false
      })
    })
  }
}
