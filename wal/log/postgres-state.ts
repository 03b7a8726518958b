// State of a log in PostgreSQL for the tools: identity, end, whether it is closed, and whether nodes use it. Reads only.
import type { Client } from 'pg'
import { POSTGRES_SILENCE_MS, POSTGRES_SILENCE_POLL_MS } from '../limits.ts'
import { LogError } from './log-error.ts'
import type { ClosedLog } from './postgres-closed.ts'

export interface PostgresLogState {
  readonly epoch: number
  readonly lastSequence: number
  /** Hash of the last batch, hex. */
  readonly lastHash: string
  /** Name of the owner; empty when the log was released. */
  readonly node: string
  readonly beat: number
  /** Heartbeats of the owner. */
  readonly alive: number
  /** First sequence of the newest batch; 0 when there is none. */
  readonly newestBatch: number
  /** Empty when no node has used the log yet. */
  readonly logId: string
  readonly keyCheck: string
  readonly closed: ClosedLog | null
}

interface StateRow {
  readonly epoch: string
  readonly last_sequence: string
  readonly last_hash: string
  readonly node: string
  readonly beat: string
  readonly alive: string
  readonly newest: string | null
  readonly log_id: string | null
  readonly key_check: string | null
  readonly reason: ClosedLog['reason'] | null
  readonly place: string | null
}

/** One statement: the end of the log and its newest batch are of the same moment. */
const READ = `select o.epoch, o.last_sequence, o.last_hash, o.node, o.beat, coalesce(a.beat, 0) as alive, i.log_id, i.key_check, c.reason, c.place,
    (select max(sequence) from cauri.log where partition = $1) as newest
  from cauri.owner o left join cauri.alive a using (partition) left join cauri.identity i using (partition)
    left join cauri.closed c using (partition) where o.partition = $1`

/** Returns null for a database without this log. */
export async function readState(client: Client, partition: number): Promise<PostgresLogState | null> {
  const { rows } = await client.query<StateRow>(READ, [partition])
  const [row] = rows
  if (row === undefined) return null
  return {
    epoch: Number(row.epoch),
    lastSequence: Number(row.last_sequence),
    lastHash: row.last_hash,
    node: row.node,
    beat: Number(row.beat),
    alive: Number(row.alive),
    newestBatch: Number(row.newest ?? 0),
    logId: row.log_id ?? '',
    keyCheck: row.key_check ?? '',
    closed: row.reason === null || row.place === null ? null : { reason: row.reason, place: row.place },
  }
}

/** Names of tools are in parentheses (`toolName`). The compare-and-set of the owner row protects the log from two copies at once. */
const CONNECTED = `select distinct application_name as name from pg_stat_activity
  where datname = current_database() and application_name like 'cauri %' and application_name not like 'cauri (%'`

/** Returns the connection name of a tool, which is not counted as a node. */
export function toolName(program: string): string {
  return `(${program})`
}

/**
 * Resolves with the state when no node uses the log: none is connected, and neither the owner row nor its heartbeats change for longer than a node that
 * cannot be seen takes to write its next heartbeat. Rejects with LogError `log_in_use`, which names the nodes.
 */
export async function awaitSilence(client: Client, partition: number): Promise<PostgresLogState | null> {
  const first = await readState(client, partition)
  const silenceMs = first === null || first.node === '' ? 0 : POSTGRES_SILENCE_MS
  for (const startMs = performance.now(); ; ) {
    const { rows } = await client.query<{ name: string }>(CONNECTED)
    const state = await readState(client, partition)
    const elapsedMs = performance.now() - startMs
    if (state !== null && first !== null && hasChanged(first, state)) throw inUse([state.node === '' ? 'a node' : state.node])
    if (rows.length === 0 && elapsedMs >= silenceMs) return state
    if (elapsedMs > POSTGRES_SILENCE_MS) throw inUse(rows.map(({ name }) => name.replace(/^cauri /, '')))
    await new Promise((resolve) => setTimeout(resolve, POSTGRES_SILENCE_POLL_MS))
  }
}

function hasChanged(before: PostgresLogState, after: PostgresLogState): boolean {
  return (
    before.epoch !== after.epoch || before.beat !== after.beat || before.alive !== after.alive || before.lastSequence !== after.lastSequence
  )
}

function inUse(names: readonly string[]): LogError {
  return new LogError('log_in_use', `The log in PostgreSQL is in use by ${names.join(', ')}: stop all nodes and other copies first.`)
}
