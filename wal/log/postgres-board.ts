// Status board of a cluster: one row per node in PostgreSQL. Each node writes its own row at an interval and reads all rows with the
// same statement. The board is information for operators: no decision of the protocol depends on it.
import type { Client } from 'pg'
import { BOARD_KEPT_DAYS, BOARD_NODES_MAX, BOARD_STATEMENT_TIMEOUT_MS } from '../limits.ts'
import { LogError } from './log-error.ts'
import { PostgresConnection } from './postgres-connection.ts'
import type { PostgresHosts } from './postgres-hosts.ts'
import { type ClockReading, IS_FREE, nameInUse, SERVER_TIME } from './postgres-member.ts'
import type { NodeName } from './postgres-owner.ts'

/** Percentiles of recent durations, null without any. */
export interface RecentDurations {
  readonly p50Ms: number | null
  readonly p99Ms: number | null
}

export interface NodeStatus {
  readonly role: string
  /** Time since the role began. */
  readonly roleAgeMs: number
  readonly epoch: number
  readonly sequence: number
  readonly lagMs: number
  readonly appends: RecentDurations
  readonly barriers: RecentDurations
  readonly version: string
  /** Clock of the node minus PostgreSQL's; null while unknown. */
  readonly clockMs: number | null
  /** Why `/healthz` of the node answers 503; empty when it does not. */
  readonly trouble: string
}

export interface BoardNode extends NodeStatus, NodeName {
  /** Time since the node wrote its row, by the clock of PostgreSQL. */
  readonly seenAgeMs: number
}

export interface BoardView {
  /** By name. */
  readonly nodes: readonly BoardNode[]
  /** Name in the owner row; empty when the log was released. */
  readonly owner: string
  readonly ownerEpoch: number
  /** Number of connected synchronous standbys; null when PostgreSQL has none configured or does not show them to this user. */
  readonly standbys: number | null
  readonly clock: ClockReading
}

export interface NodeBoardOptions {
  readonly hosts: PostgresHosts
  readonly name: NodeName
  /** Random id of this process. */
  readonly run: string
  readonly partition?: number
  readonly status: () => NodeStatus
}

const PUT = `with put as (
    insert into cauri.node_status
      (partition, node, url, role, role_since, epoch, sequence, lag_ms, append_p50_ms, append_p99_ms, barrier_p50_ms, barrier_p99_ms, version, run, clock_ms, trouble)
    values ($1, $2, $3, $4, clock_timestamp() - $5 * interval '1 ms', $6, $7, $8, $9, $10, $11, $12, $13, $15, $16, $17)
    on conflict (partition, node) do update set (url, role, role_since, epoch, sequence, lag_ms,
      append_p50_ms, append_p99_ms, barrier_p50_ms, barrier_p99_ms, version, run, clock_ms, trouble, seen_at)
    = (excluded.url, excluded.role, excluded.role_since, excluded.epoch, excluded.sequence, excluded.lag_ms,
      excluded.append_p50_ms, excluded.append_p99_ms, excluded.barrier_p50_ms, excluded.barrier_p99_ms, excluded.version, excluded.run, excluded.clock_ms, excluded.trouble, clock_timestamp())
    where ${IS_FREE} returning 1
  ), standby as (
    select count(*) filter (where sync_state in ('sync', 'quorum')) as synchronous, count(*) filter (where sync_state is null) as hidden
    from pg_stat_replication
  )
  select ${SERVER_TIME} as now_ms, (select count(*) from put) as written, coalesce(o.node, '') as owner, coalesce(o.epoch, 0) as owner_epoch,
    case when current_setting('synchronous_standby_names') <> '' and (s.synchronous > 0 or s.hidden = 0) then s.synchronous end as standbys,
    (select coalesce(json_agg(others), '[]') from (
      select node, url, role, epoch, sequence, lag_ms, append_p50_ms, append_p99_ms, barrier_p50_ms, barrier_p99_ms, version, clock_ms, trouble,
        1000 * extract(epoch from clock_timestamp() - role_since) as role_age_ms,
        1000 * extract(epoch from clock_timestamp() - seen_at) as seen_age_ms
      from cauri.node_status where partition = $1 and node <> $2 order by seen_at desc limit $14
    ) others) as nodes
  from standby s left join cauri.owner o on o.partition = $1`
const FORGET = `delete from cauri.node_status where partition = $1 and seen_at < clock_timestamp() - $2 * interval '1 day'`

interface StoredNode {
  readonly node: string
  readonly url: string
  readonly role: string
  readonly epoch: number
  readonly sequence: number
  readonly lag_ms: number
  readonly append_p50_ms: number | null
  readonly append_p99_ms: number | null
  readonly barrier_p50_ms: number | null
  readonly barrier_p99_ms: number | null
  readonly version: string
  readonly clock_ms: number | null
  readonly trouble: string
  readonly role_age_ms: number
  readonly seen_age_ms: number
}

interface StoredView {
  readonly now_ms: number
  readonly written: string
  readonly owner: string
  readonly owner_epoch: string
  readonly standbys: string | null
  readonly nodes: readonly StoredNode[]
}

export class NodeBoard {
  readonly #options: NodeBoardOptions
  readonly #connection: PostgresConnection

  constructor(options: NodeBoardOptions) {
    this.#options = options
    const { hosts, name, partition = 0 } = options
    this.#connection = new PostgresConnection({
      hosts,
      node: name.node,
      statementTimeoutMs: BOARD_STATEMENT_TIMEOUT_MS,
      // Other connections of the node report the same warnings.
      onWarning: () => {},
      prepare: (client) => prepare(client, partition),
    })
  }

  /**
   * Writes this node's row and resolves with all rows. Rejects while PostgreSQL is away, and with LogError `name_in_use` when another
   * process writes the row.
   */
  async put(): Promise<BoardView> {
    const { name, run, partition = 0, status } = this.#options
    const own = status()
    const { role, roleAgeMs, epoch, sequence, lagMs, appends, barriers, version, clockMs, trouble } = own
    const state = [role, roleAgeMs, epoch, sequence, lagMs, appends.p50Ms, appends.p99Ms, barriers.p50Ms, barriers.p99Ms, version]
    try {
      const client = await this.#connection.client()
      const sentMs = performance.now()
      const { rows } = await client.query<StoredView>({
        name: 'board',
        text: PUT,
        values: [partition, name.node, name.url, ...state, BOARD_NODES_MAX, run, clockMs, trouble],
      })
      const [row] = rows
      if (row === undefined) throw new LogError('log_unreachable', 'PostgreSQL did not answer the status board.')
      if (row.written === '0') throw nameInUse(name.node, '')
      return viewOf(row, { ...name, ...own, seenAgeMs: 0 }, { serverMs: row.now_ms, sentMs, receivedMs: performance.now() })
    } catch (error) {
      await this.#connection.drop()
      throw error
    }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}

/** Commits of the board wait neither for the disk nor for a standby, so they cost an append nothing. */
async function prepare(client: Client, partition: number): Promise<void> {
  await client.query('set synchronous_commit = off')
  await client.query(FORGET, [partition, BOARD_KEPT_DAYS])
}

function viewOf({ nodes: others, owner, owner_epoch, standbys }: StoredView, own: BoardNode, clock: ClockReading): BoardView {
  const nodes = [own, ...others.map(nodeOf)].sort((a, b) => (a.node < b.node ? -1 : 1))
  return { nodes, owner, ownerEpoch: Number(owner_epoch), standbys: standbys === null ? null : Number(standbys), clock }
}

function nodeOf(row: StoredNode): BoardNode {
  const { node, url, role, epoch, sequence, version, trouble } = row
  return {
    ...{ node, url, role, epoch, sequence, version, trouble },
    clockMs: row.clock_ms,
    lagMs: row.lag_ms,
    roleAgeMs: row.role_age_ms,
    seenAgeMs: row.seen_age_ms,
    appends: { p50Ms: row.append_p50_ms, p99Ms: row.append_p99_ms },
    barriers: { p50Ms: row.barrier_p50_ms, p99Ms: row.barrier_p99_ms },
  }
}
