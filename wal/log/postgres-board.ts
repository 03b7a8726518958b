// Status board of a cluster: one row per node in PostgreSQL. Each node writes its own row at an interval and reads all rows with the
// same statement. The board is information for operators: no decision of the protocol depends on it.
import type { Client } from 'pg'
import { BOARD_KEPT_DAYS, BOARD_NODES_MAX, BOARD_STATEMENT_TIMEOUT_MS } from '../limits.ts'
import { PostgresConnection } from './postgres-connection.ts'
import type { PostgresHosts } from './postgres-hosts.ts'
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
}

export interface NodeBoardOptions {
  readonly hosts: PostgresHosts
  readonly name: NodeName
  readonly partition?: number
  readonly status: () => NodeStatus
}

const PUT = `with put as (
    insert into cauri.node_status
      (partition, node, url, role, role_since, epoch, sequence, lag_ms, append_p50_ms, append_p99_ms, barrier_p50_ms, barrier_p99_ms, version)
    values ($1, $2, $3, $4, clock_timestamp() - $5 * interval '1 ms', $6, $7, $8, $9, $10, $11, $12, $13)
    on conflict (partition, node) do update set (url, role, role_since, epoch, sequence, lag_ms,
      append_p50_ms, append_p99_ms, barrier_p50_ms, barrier_p99_ms, version, seen_at)
    = (excluded.url, excluded.role, excluded.role_since, excluded.epoch, excluded.sequence, excluded.lag_ms,
      excluded.append_p50_ms, excluded.append_p99_ms, excluded.barrier_p50_ms, excluded.barrier_p99_ms, excluded.version, clock_timestamp())
  ), standby as (
    select count(*) filter (where sync_state in ('sync', 'quorum')) as synchronous, count(*) filter (where sync_state is null) as hidden
    from pg_stat_replication
  )
  select coalesce(o.node, '') as owner, coalesce(o.epoch, 0) as owner_epoch,
    case when current_setting('synchronous_standby_names') <> '' and (s.synchronous > 0 or s.hidden = 0) then s.synchronous end as standbys,
    (select coalesce(json_agg(others), '[]') from (
      select node, url, role, epoch, sequence, lag_ms, append_p50_ms, append_p99_ms, barrier_p50_ms, barrier_p99_ms, version,
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
  readonly role_age_ms: number
  readonly seen_age_ms: number
}

interface StoredView {
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

  /** Writes this node's row and resolves with all rows. Rejects while PostgreSQL is away. */
  async put(): Promise<BoardView> {
    const { name, partition = 0, status } = this.#options
    const { role, roleAgeMs, epoch, sequence, lagMs, appends, barriers, version } = status()
    const state = [role, roleAgeMs, epoch, sequence, lagMs, appends.p50Ms, appends.p99Ms, barriers.p50Ms, barriers.p99Ms, version]
    try {
      const client = await this.#connection.client()
      const { rows } = await client.query<StoredView>({
        name: 'board',
        text: PUT,
        values: [partition, name.node, name.url, ...state, BOARD_NODES_MAX],
      })
      const [row] = rows
      const own: BoardNode = { ...name, role, roleAgeMs, epoch, sequence, lagMs, appends, barriers, version, seenAgeMs: 0 }
      return viewOf(row, own)
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

function viewOf(row: StoredView | undefined, own: BoardNode): BoardView {
  const nodes = [own, ...(row?.nodes ?? []).map(nodeOf)].sort((a, b) => (a.node < b.node ? -1 : 1))
  const standbys = row?.standbys ?? null
  return {
    nodes,
    owner: row?.owner ?? '',
    ownerEpoch: Number(row?.owner_epoch ?? 0),
    standbys: standbys === null ? null : Number(standbys),
  }
}

function nodeOf(row: StoredNode): BoardNode {
  const { node, url, role, epoch, sequence, version } = row
  return {
    ...{ node, url, role, epoch, sequence, version },
    lagMs: row.lag_ms,
    roleAgeMs: row.role_age_ms,
    seenAgeMs: row.seen_age_ms,
    appends: { p50Ms: row.append_p50_ms, p99Ms: row.append_p99_ms },
    barriers: { p50Ms: row.barrier_p50_ms, p99Ms: row.barrier_p99_ms },
  }
}
