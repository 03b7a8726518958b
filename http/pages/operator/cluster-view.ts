// What the desk shows of a cluster. Plain data of one node: its own state, and the status board that all nodes share.

export interface ShownNode {
  readonly name: string
  readonly url: string
  readonly role: ShownRole
  readonly roleAgeMs: number
  readonly epoch: number
  readonly sequence: number
  readonly lagMs: number
  readonly appends: ShownDurations
  readonly barriers: ShownDurations
  readonly version: string
  /** Clock of the node minus PostgreSQL's; null while unknown. */
  readonly clockMs: number | null
  /** Why the node's `/healthz` answers 503; empty when it does not. */
  readonly trouble: string
  /** Time since the node reported. */
  readonly seenAgeMs: number
  /** False for a node that has not reported for NODE_GONE_MS, or that was stopped. */
  readonly isLive: boolean
}

export interface ShownDurations {
  readonly p50Ms: number | null
  readonly p99Ms: number | null
}

export type ShownRole = 'starting' | 'following' | 'taking over' | 'owning' | 'handing over' | 'stopped'

export interface ClusterView {
  /** Name of the node that answers. */
  readonly answeredBy: string
  /** By name. */
  readonly nodes: readonly ShownNode[]
  /** Name in the owner row; empty when no node owns the log. Null before the first read of the board. */
  readonly owner: string | null
  readonly epoch: number
  /** Connected synchronous standbys of PostgreSQL; null when unknown. */
  readonly standbys: number | null
  /** Age of the board; null before its first read. */
  readonly boardAgeMs: number | null
  /** Why the last read of the board failed; null when it succeeded. */
  readonly failure: string | null
}
