// What operators see of the cluster at this node: its role and figures, and the status board that the nodes share. The last
// board stays readable while PostgreSQL is away.
import type { Role } from '../../wal/cluster/cluster-node.ts'
import { BOARD_INTERVAL_MS } from '../../wal/limits.ts'
import { LogError } from '../../wal/log/log-error.ts'
import { type BoardNode, type BoardView, NodeBoard, type NodeStatus } from '../../wal/log/postgres-board.ts'
import type { PostgresLogOptions } from '../../wal/log/postgres-log.ts'
import type { NodeTrouble } from '../api/health/health-trouble.ts'
import type { ClusterView, ShownNode, ShownRole } from '../pages/operator/cluster-view.ts'
import { type Percentiles, RecentTimes } from '../server/recent-times.ts'
import { LAST_STATUS_MAX_MS, NODE_GONE_MS } from '../server/server-limits.ts'
import { Tally } from '../server/tally.ts'
import type { ClusterClock } from './cluster-clock.ts'
import type { KnownOwner } from './owner-calls.ts'
import { packageVersion } from './version.ts'

const BARRIER_BOUNDS_MS = [0.5, 1, 2, 3, 5, 10, 25, 50, 100, 250, 1000, 5000] as const

/** Current figures of the node. */
export interface OwnFigures {
  readonly epoch: number
  readonly sequence: number
  readonly lagMs: number
  readonly appends: Percentiles
}

export interface ClusterStatusOptions {
  readonly postgres: Pick<PostgresLogOptions, 'hosts' | 'name'>
  /** Random id of this process. */
  readonly run: string
  readonly clock: ClusterClock
  readonly own: () => OwnFigures
  readonly trouble: () => NodeTrouble | null
  /** Called after each report, also after one that failed. */
  readonly onReport: () => void
  /** Called when another process has the name of this node. */
  readonly onFatal: (error: Error) => void
}

export class ClusterStatus {
  /** Waits of reads for the barrier. */
  readonly barriersMs = new Tally(BARRIER_BOUNDS_MS)
  readonly #recentBarriers = new RecentTimes()
  readonly #options: ClusterStatusOptions
  readonly #board: NodeBoard
  #role: Role = 'starting'
  #roleSinceMs = performance.now()
  #view: BoardView | null = null
  #viewMs = 0
  #failure: string | null = null
  #timer: NodeJS.Timeout | null = null
  #putting: Promise<void> | null = null
  #isStopped = false

  constructor(options: ClusterStatusOptions) {
    this.#options = options
    const { hosts, name } = options.postgres
    this.#board = new NodeBoard({ hosts, name, run: options.run, status: () => this.#status() })
  }

  /** Nodes that reported within NODE_GONE_MS; undefined while the board is not known. */
  get liveNodes(): number | undefined {
    if (this.#view === null || this.#failure !== null) return undefined
    return this.#view.nodes.filter((node) => this.#shown(node, 0).isLive).length
  }

  /** Returns the follower that is least behind, of those that report; null without one. */
  newestFollower(): KnownOwner | null {
    const following = (this.#view?.nodes ?? []).filter(
      ({ role, node }) => role === 'following' && node !== this.#options.postgres.name.node,
    )
    const live = following.filter((node) => this.#shown(node, performance.now() - this.#viewMs).isLive)
    const [newest] = live.sort((one, other) => one.lagMs - other.lagMs)
    return newest === undefined ? null : { url: newest.url, epoch: 0 }
  }

  /** True when the node in the owner row reports. */
  get isOwnerLive(): boolean {
    const view = this.#view
    const owner = view?.nodes.find(({ node }) => node === view.owner)
    return owner !== undefined && this.#shown(owner, performance.now() - this.#viewMs).isLive
  }

  /** Time since PostgreSQL took a report of this node; 0 before the first. */
  awayMs(): number {
    return this.#view === null ? 0 : performance.now() - this.#viewMs
  }

  get standbys(): number | undefined {
    return this.#failure === null ? (this.#view?.standbys ?? undefined) : undefined
  }

  /** Starts reporting to the board, at an interval and after each change of the role. */
  start(): void {
    void this.#report()
  }

  becomes(role: Role): void {
    this.#role = role
    this.#roleSinceMs = performance.now()
    if (this.#timer !== null) void this.#report()
  }

  addBarrier(durationMs: number): void {
    this.barriersMs.add(durationMs)
    this.#recentBarriers.add(durationMs)
  }

  view(): ClusterView {
    const { name } = this.#options.postgres
    const view = this.#view
    const boardAgeMs = view === null ? null : performance.now() - this.#viewMs
    const others = (view?.nodes ?? []).filter(({ node }) => node !== name.node).map((node) => this.#shown(node, boardAgeMs ?? 0))
    const own = this.#shown({ ...name, ...this.#status(), seenAgeMs: 0 }, 0)
    return {
      answeredBy: name.node,
      nodes: [own, ...others].sort((a, b) => (a.name < b.name ? -1 : 1)),
      owner: view?.owner ?? null,
      epoch: Math.max(own.epoch, view?.ownerEpoch ?? 0),
      standbys: view?.standbys ?? null,
      boardAgeMs,
      failure: this.#failure,
    }
  }

  /** Reports the role once more, so that the other nodes show this one as stopped, and closes the connection. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#putting
    if (this.#failure === null && this.#view !== null) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_STATUS_MAX_MS)
      })
      await Promise.race([this.#put(), late])
      clearTimeout(timer)
    }
    await this.#board.close()
  }

  async #report(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#report(), BOARD_INTERVAL_MS)
    this.#timer.unref()
    if (this.#putting !== null || this.#isStopped) return
    this.#putting = this.#put()
    await this.#putting
    this.#putting = null
    if (!this.#isStopped) this.#options.onReport()
  }

  async #put(): Promise<void> {
    try {
      this.#view = await this.#board.put()
      this.#viewMs = performance.now()
      this.#options.clock.measure(this.#view.clock)
      this.#failure = null
    } catch (error) {
      if (error instanceof LogError && error.code === 'name_in_use') this.#options.onFatal(error)
      this.#failure = (error as Error).message
    }
  }

  #status(): NodeStatus {
    const { epoch, sequence, lagMs, appends } = this.#options.own()
    return {
      role: this.#role,
      roleAgeMs: performance.now() - this.#roleSinceMs,
      ...{ epoch, sequence, lagMs, appends },
      barriers: this.#recentBarriers.percentiles(),
      version: packageVersion(),
      clockMs: this.#options.clock.differenceMs,
      trouble: this.#options.trouble()?.code ?? '',
    }
  }

  #shown({ node, seenAgeMs, roleAgeMs, ...status }: BoardNode, boardAgeMs: number): ShownNode {
    const seenMs = Math.max(0, seenAgeMs) + boardAgeMs
    const role = status.role as ShownRole
    return {
      ...status,
      ...{ name: node, role, seenAgeMs: seenMs },
      roleAgeMs: roleAgeMs + boardAgeMs,
      isLive: seenMs < NODE_GONE_MS && role !== 'stopped',
    }
  }
}
