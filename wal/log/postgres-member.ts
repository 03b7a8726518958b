// Membership of a node: it proves CLUSTER_SECRET before it takes part, its name belongs to one living process, and it learns the clock of
// PostgreSQL. The row of the name is that of the status board. No decision about the log depends on it.
import type { Client } from 'pg'
import { MEMBER_GONE_MS, MEMBER_LOOK_MS } from '../limits.ts'
import { LogError } from './log-error.ts'
import { PostgresConnection } from './postgres-connection.ts'
import type { PostgresLogOptions } from './postgres-log.ts'
import type { NodeName } from './postgres-owner.ts'

export interface Member {
  /** Random id of this process. */
  readonly run: string
  /** Keyed hash that the nodes with the same CLUSTER_SECRET have in common. */
  readonly secretCheck: string
}

/** A reading of PostgreSQL's clock, and the monotonic times of this process around it. */
export interface ClockReading {
  readonly serverMs: number
  readonly sentMs: number
  readonly receivedMs: number
}

/** SQL of PostgreSQL's time in milliseconds. */
export const SERVER_TIME = '1000 * extract(epoch from clock_timestamp())::double precision'
/** SQL of the condition under which a process may write a row of the board that another process of the same name wrote before. */
export const IS_FREE = `(cauri.node_status.run = excluded.run or cauri.node_status.role = 'stopped'
  or cauri.node_status.seen_at < clock_timestamp() - interval '${MEMBER_GONE_MS} ms')`

/** A secret may change while no other node lives. */
const KEEP_SECRET = `update cauri.identity set secret_check = $2 where partition = $1 and secret_check <> $2 and (secret_check = '' or not exists (
    select from cauri.node_status s where s.partition = $1 and s.node <> $3 and s.role <> 'stopped'
      and s.seen_at > clock_timestamp() - interval '${MEMBER_GONE_MS} ms'
  ))`
const READ_SECRET = 'select secret_check from cauri.identity where partition = $1'
/** A process whose connections have ended is gone, also right after its last report. */
const CLAIM = `insert into cauri.node_status (partition, node, url, role, role_since, epoch, sequence, lag_ms, version, run)
  values ($1, $2, $3, 'starting', clock_timestamp(), 0, 0, 0, '', $4)
  on conflict (partition, node) do update set (url, role, role_since, run, seen_at) = ($3, 'starting', clock_timestamp(), $4, clock_timestamp())
  where ${IS_FREE} or not exists (
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name = current_setting('application_name')
  )`
const READ_CLAIM = 'select run, url, seen_at::text as seen_at from cauri.node_status where partition = $1 and node = $2'

/** Resolves with PostgreSQL's clock. Rejects with LogError: `wrong_key` for another secret, `name_in_use`. The tables must be there. */
export async function joinMembers(options: PostgresLogOptions, member: Member): Promise<ClockReading> {
  const { hosts, name, partition = 0, onWarning } = options
  const connection = new PostgresConnection({ hosts, node: name.node, onWarning })
  try {
    const client = await connection.client()
    await proveSecret(client, partition, name, member)
    await claimName(client, partition, name, member)
    return await readClock(client)
  } finally {
    await connection.close()
  }
}

async function proveSecret(client: Client, partition: number, { node }: NodeName, { secretCheck }: Member): Promise<void> {
  if ((await readSecret(client, partition)) === secretCheck) return
  await client.query(KEEP_SECRET, [partition, secretCheck, node])
  if ((await readSecret(client, partition)) === secretCheck) return
  throw new LogError('wrong_key', 'CLUSTER_SECRET is not the secret of the nodes that run: set theirs, or stop all nodes to change it.')
}

async function readSecret(client: Client, partition: number): Promise<string> {
  const { rows } = await client.query<{ secret_check: string }>(READ_SECRET, [partition])
  return rows[0]?.secret_check ?? ''
}

/** Waits for the end of a process of the same name that may have failed, and rejects when it shows life. */
async function claimName(client: Client, partition: number, { node, url }: NodeName, { run }: Member): Promise<void> {
  let seen: string | null = null
  for (const endMs = performance.now() + 2 * MEMBER_GONE_MS; ; ) {
    await client.query('begin; set local synchronous_commit = off')
    const { rowCount } = await client.query(CLAIM, [partition, node, url, run])
    await client.query('commit')
    if (rowCount === 1) return
    const { rows } = await client.query<{ run: string; url: string; seen_at: string }>(READ_CLAIM, [partition, node])
    const sign = `${rows[0]?.run} ${rows[0]?.seen_at}`
    seen ??= sign
    if (sign !== seen || performance.now() > endMs) throw nameInUse(node, rows[0]?.url ?? '')
    await new Promise((resolve) => setTimeout(resolve, MEMBER_LOOK_MS))
  }
}

export function nameInUse(node: string, url: string): LogError {
  const where = url === '' ? '' : ` (NODE_URL ${url})`
  return new LogError('name_in_use', `Another process has the NODE_NAME ${node}${where}: give each node a name of its own.`)
}

async function readClock(client: Client): Promise<ClockReading> {
  const sentMs = performance.now()
  const { rows } = await client.query<{ now_ms: number }>(`select ${SERVER_TIME} as now_ms`)
  return { serverMs: rows[0]?.now_ms ?? Date.now(), sentMs, receivedMs: performance.now() }
}
