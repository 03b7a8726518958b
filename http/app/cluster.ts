// A node of a cluster: its first contact with PostgreSQL, its following engine, its role, and forwarding to the
// owner.
import { Engine } from '../../engine/actor/engine.ts'
import type { FollowerPorts } from '../../engine/actor/engine-ports.ts'
import { ClusterNode, type Role } from '../../wal/cluster/cluster-node.ts'
import { LocalCopy } from '../../wal/cluster/local-copy.ts'
import type { OpenDataFolder } from '../../wal/folder/open-folder.ts'
import type { PostgresLogOptions } from '../../wal/log/postgres-log.ts'
import type { OwnerRow } from '../../wal/log/postgres-owner.ts'
import type { NodeHealth } from '../api/health/health-routes.ts'
import type { NodeTrouble } from '../api/health/health-trouble.ts'
import { NodeSeals } from '../crypto/node-seal.ts'
import { type NodeAnswer, NodeCalls } from '../outbound/node-calls.ts'
import type { ClusterView } from '../pages/operator/cluster-view.ts'
import type { ClusterRole, ForwardedRequest, Sender } from '../server/cluster-role.ts'
import { HAND_OVER_POLL_MS, NODE_GONE_MS } from '../server/server-limits.ts'
import type { ClusterClock } from './cluster-clock.ts'
import { type JoinedCluster, joinLog } from './cluster-join.ts'
import type { ClusterFigures } from './cluster-metrics.ts'
import type { ClusterSettings } from './cluster-settings.ts'
import { ClusterStatus, type OwnFigures } from './cluster-status.ts'
import { ClusterWarnings, clockText } from './cluster-warnings.ts'
import type { Logger } from './logging.ts'
import type { MeteredLog } from './metered-log.ts'
import { type KnownOwner, OwnerCalls } from './owner-calls.ts'
import { type ApplicationTime, schedulerOn } from './scheduler.ts'

export class Cluster implements ClusterRole {
  /** Id of the log in PostgreSQL, which the local copy carries too. */
  readonly logId: string
  /** Key ring of the log in PostgreSQL. */
  readonly keyRing: string
  /** Clock of this node, within a bound of PostgreSQL's, and its scheduler. */
  readonly time: ApplicationTime
  readonly #clock: ClusterClock
  readonly #run: string
  /** Owner row at the first connection to PostgreSQL. */
  readonly #firstOwner: OwnerRow
  readonly #settings: ClusterSettings
  readonly #postgres: PostgresLogOptions
  readonly #logger: Logger
  readonly #warnings: ClusterWarnings
  readonly #calls = new NodeCalls()
  readonly #seals: NodeSeals
  readonly #ownerCalls: OwnerCalls
  /** Reads that wait at this owner, at a follower. */
  readonly #followerCalls: OwnerCalls
  #engine: Engine | null = null
  #copy: LocalCopy | null = null
  #node: ClusterNode | null = null
  #status: ClusterStatus | null = null
  #withoutOwner = 0
  #onOwning: () => void = () => {}
  #onUnfit: (reason: string) => void = () => {}

  private constructor({ found, run, clock, postgres }: JoinedCluster, settings: ClusterSettings, logger: Logger) {
    this.#run = run
    this.#clock = clock
    this.time = { clock, scheduler: schedulerOn({ nowMs: () => clock.now(), runningMs: () => performance.now() }) }
    this.logId = found.logId
    this.keyRing = found.keyCheck
    this.#firstOwner = found.owner
    this.#settings = settings
    this.#postgres = postgres
    this.#logger = logger
    this.#warnings = new ClusterWarnings(logger, () => this.#node?.owner?.node ?? null)
    const seals = new NodeSeals({ secret: settings.clusterSecret, url: settings.nodeUrl, nowMs: () => clock.serverMs() })
    this.#seals = seals
    const common = { seals, calls: this.#calls, onBadSignature: () => this.#warnings.badSignature() }
    this.#ownerCalls = new OwnerCalls({ ...common, owner: () => this.#owner() })
    this.#followerCalls = new OwnerCalls({ ...common, owner: () => this.#status?.newestFollower() ?? null })
  }

  /** As `joinLog`. */
  static async join(settings: ClusterSettings, masterKey: Uint8Array, logger: Logger): Promise<Cluster> {
    return new Cluster(await joinLog(settings, masterKey, logger), settings, logger)
  }

  /** Recovers from the local copy. Nothing is fetched before `start`. */
  async follow(folder: OpenDataFolder, ports: Omit<FollowerPorts, 'localLog'>, log: MeteredLog): Promise<Engine> {
    const { onFatal } = ports
    const copy = new LocalCopy({ log: folder.log, onStored: () => this.#engine?.copied(), onFailure: onFatal })
    this.#copy = copy
    const engine = await Engine.follow({ ...ports, localLog: copy }, copy)
    this.#engine = engine
    const own = (): OwnFigures => ({ ...figuresOf(this.#node, engine), appends: log.recent.percentiles() })
    const clock = this.#clock
    this.#status = new ClusterStatus({
      ...{ postgres: this.#postgres, run: this.#run, clock, own, onFatal },
      trouble: () => this.trouble(),
      onReport: () => this.#afterReport(),
    })
    this.#node = new ClusterNode({
      postgres: this.#postgres,
      takeoverAfterMs: this.#settings.takeoverAfterMs,
      copy,
      replica: engine,
      onRole: (role) => this.#onRole(role),
      onOwner: () => this.#ownerCalls.ownerChanged(),
      mayOwn: () => !clock.isWrong,
      onFatal,
      metered: (copied) => {
        log.use(copied)
        return log
      },
    })
    return engine
  }

  /**
   * Resolves when this node has caught up. `onOwning` runs when it owns the log, possibly earlier; `onUnfit` when this owner has to give
   * the log away: the process must hand it over and end.
   */
  async start(onOwning: () => void, onUnfit: (reason: string) => void): Promise<void> {
    this.#onOwning = onOwning
    this.#onUnfit = onUnfit
    this.#status?.start()
    await this.#node?.start()
  }

  isOwner(): boolean {
    return this.#node?.role === 'owning'
  }

  /** True until the log is released: records that become durable here are published by this node. */
  ownsLog(): boolean {
    return this.isOwner() || this.#node?.role === 'handing over'
  }

  isFormerOwner(): boolean {
    return this.#node?.role === 'handed over'
  }

  mark(): number {
    return this.#node?.proof?.mark() ?? 0
  }

  isProven(mark: number): boolean {
    return this.#node?.proof?.isProven(mark) === true
  }

  whenProven(mark: number): Promise<void> {
    return this.#node?.proof?.whenProven(mark) ?? Promise.reject(new Error('This node does not own the log.'))
  }

  async barrier(): Promise<void> {
    const startedMs = performance.now()
    try {
      await this.#node?.barrier()
    } catch (error) {
      this.#warnings.readRefused(error)
      throw error
    }
    this.#status?.addBarrier(performance.now() - startedMs)
  }

  senderOf(header: string, method: string, path: string): Sender | null {
    return this.#seals.read(header, method, path)
  }

  async passOn(request: ForwardedRequest): Promise<NodeAnswer | null> {
    const startedMs = performance.now()
    const answer = await this.#ownerCalls.passOn(request)
    if (answer === null) {
      this.#withoutOwner++
      this.#warnings.writeRefused(performance.now() - startedMs)
    }
    return answer
  }

  readElsewhere(request: ForwardedRequest): Promise<NodeAnswer | null> {
    return this.#followerCalls.passOn(request)
  }

  /** What the operator's desk shows of the cluster; null until the log is recovered. */
  view(): ClusterView | null {
    return this.#status?.view() ?? null
  }

  /** Returns the figures for metrics; null until the log is recovered. */
  figures(): ClusterFigures | null {
    const [node, engine, status] = [this.#node, this.#engine, this.#status]
    if (node === null || engine === null || status === null) return null
    const { barriersMs, liveNodes, standbys } = status
    const { takeovers, settled } = node
    const behindRecords = node.proof === null ? Math.max(0, (node.owner?.lastSequence ?? 0) - engine.lastSequence) : 0
    const own = { isOwner: this.isOwner(), ...figuresOf(node, engine), settled, withoutOwner: this.#withoutOwner, behindRecords }
    const copyWaitingBytes = this.#copy?.waitingBytes ?? 0
    const clockMs = this.#clock.differenceMs
    const reachesOwner = this.trouble()?.code !== 'owner_unreachable'
    return {
      ...own,
      takeovers,
      clockMs,
      reachesOwner,
      forwarded: this.#ownerCalls.outcomes,
      copyWaitingBytes,
      barriersMs,
      liveNodes,
      standbys,
    }
  }

  /** Returns why this node of the cluster must get no requests; null when it may. From memory. */
  trouble(): NodeTrouble | null {
    if (this.#clock.isWrong) return { code: 'clock_wrong', measuredMs: Math.abs(this.#clock.differenceMs) }
    const awayMs = this.#status?.awayMs() ?? 0
    if (this.isOwner() && awayMs > NODE_GONE_MS) return { code: 'postgres_away', measuredMs: awayMs }
    return this.isOwner() || this.#status?.isOwnerLive !== true ? null : this.#ownerCalls.trouble
  }

  /** Returns the health; null before the first read of the log. */
  health(): NodeHealth | null {
    const [node, engine] = [this.#node, this.#engine]
    if (node === null || engine === null) return null
    const role = this.isOwner() ? 'owner' : 'follower'
    return { role, epoch: node.epoch, sequence: engine.durableSequence, lagMs: Math.floor(node.lagMs()), owner: this.#ownerName() }
  }

  #ownerName(): string {
    return this.isOwner() ? this.#settings.nodeName : (this.#node?.owner?.node ?? '')
  }

  /**
   * At an owner: finishes the queued commands, releases the log, and forwards requests from then on. `closeEngine` ends the acceptance
   * of commands. Does nothing at a follower.
   */
  async handOver(closeEngine: () => Promise<void>): Promise<void> {
    const node = this.#node
    if (node === null || !this.isOwner()) return
    const startedMs = performance.now()
    await node.prepareStop()
    await this.#release(closeEngine())
    this.#logger.info({ duration_ms: Math.round(performance.now() - startedMs) }, 'log handed over')
  }

  /** Ends following. */
  async prepareStop(): Promise<void> {
    await this.#node?.prepareStop()
  }

  /** After `prepareStop`: releases the log if that is not done. */
  async close(closing: Promise<void> | undefined): Promise<void> {
    await this.#release(closing)
    await this.#node?.stop()
    await this.#status?.stop()
    await closing
    await this.#calls.close()
  }

  /** Releases the log when everything is in it. Index and snapshot are stored meanwhile. */
  async #release(closing: Promise<void> | undefined): Promise<void> {
    const [engine, node] = [this.#engine, this.#node]
    if (engine === null || node === null || engine.isFollower || node.role !== 'handing over') return
    let isClosed = false
    // A failure of the engine is reported by `close`.
    closing?.catch(() => {
      isClosed = true
    })
    while (!isClosed && (engine.waitingCommands > 0 || engine.durableSequence < engine.lastSequence)) {
      await new Promise((resolve) => setTimeout(resolve, HAND_OVER_POLL_MS))
    }
    await node.release()
  }

  /** Returns the owner, which may be this node. */
  #owner(): KnownOwner | null {
    const node = this.#node
    if (node !== null && this.isOwner()) return { url: this.#settings.nodeUrl, epoch: node.epoch }
    // A node that still recovers has no newer row.
    const { url = '', epoch = 0 } = (node === null || node.role === 'starting' ? this.#firstOwner : node.owner) ?? {}
    if (url === this.#settings.nodeUrl) return null
    return url === '' ? null : { url, epoch }
  }

  /** Runs at an interval: looks at the clock, and whether the owner can be reached. */
  #afterReport(): void {
    const clock = this.#clock
    if (this.isOwner() && clock.isWrong) this.#onUnfit(clockText(clock))
    if (clock.isSuspect) this.#warnings.suspectClock(clock)
    if (!this.isOwner()) void this.#ownerCalls.probe()
  }

  #onRole(role: Role): void {
    this.#logger.info({ role, epoch: this.#node?.epoch }, 'role in the cluster')
    this.#status?.becomes(role)
    if (role !== 'owning') return
    this.#ownerCalls.ownerChanged()
    this.#onOwning()
  }
}

function figuresOf(node: ClusterNode | null, engine: Engine): Omit<OwnFigures, 'appends'> {
  return { epoch: node?.epoch ?? 0, sequence: engine.durableSequence, lagMs: node?.lagMs() ?? 0 }
}
