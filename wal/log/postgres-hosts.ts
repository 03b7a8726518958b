// The PostgreSQL servers of WAL_POSTGRES_URL, and a connection to the writable one. `pg` supports one host per connection; this file
// implements libpq's `target_session_attrs=read-write`.
import { Client, type ClientConfig } from 'pg'
import { HOSTS_COMPARE_MS, POSTGRES_CONNECT_TIMEOUT_MS, POSTGRES_LOCK_TIMEOUT_SHARE } from '../limits.ts'
import { LogError } from './log-error.ts'

/** A server, and what makes its client: `pg` when absent. */
export interface PostgresHost extends ClientConfig {
  readonly newClient?: (config: ClientConfig) => Client
}

export type PostgresHosts = readonly PostgresHost[]

const DEFAULT_PORT = 5432
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Reads `postgres://user:password@a:5432,b:5433/database?option=value`: each host gets the rest of the URL. Throws TypeError
 * for anything else.
 */
export function parsePostgresUrl(url: string): PostgresHosts {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#]+)(\/[^?#]*)?(\?[^#]*)?$/.exec(url)
  const [, head, hosts, path = '', query = ''] = parts ?? []
  if (head === undefined || hosts === undefined) throw new TypeError('not a PostgreSQL URL: postgres://user:password@host:5432/database')
  return hosts.split(',').map((host) => {
    const single = new URL(`${head}${host}${path}${query}`)
    if (single.hostname === '') throw new TypeError('a PostgreSQL URL has an empty host')
    return { connectionString: single.href, port: single.port === '' ? DEFAULT_PORT : Number(single.port) }
  })
}

/** `plain`: without TLS. `unverified`: TLS that accepts any certificate. `local`: on this machine. */
export type ConnectionSafety = 'verified' | 'unverified' | 'plain' | 'local'

const PLAIN_MODES: ReadonlySet<string> = new Set(['', 'disable'])

/** Returns the safety of connections to the least safe host. `pg` verifies certificate and name for every `sslmode` but two. */
export function safetyOf(hosts: PostgresHosts): ConnectionSafety {
  const safeties = hosts.map(({ connectionString = '' }) => {
    const { hostname, searchParams } = new URL(connectionString)
    if (LOOPBACK.test(hostname)) return 'local'
    const mode = searchParams.get('sslmode') ?? ''
    if (PLAIN_MODES.has(mode) && searchParams.get('ssl') !== 'true') return 'plain'
    return mode === 'no-verify' ? 'unverified' : 'verified'
  })
  return (['plain', 'unverified', 'verified'] as const).find((safety) => safeties.includes(safety)) ?? 'local'
}

export interface ConnectOptions {
  /** Name of this node. */
  readonly name: string
  readonly statementTimeoutMs: number
}

/** A connected server that takes writes. */
interface WritableServer {
  readonly client: Client
  /** Raised by each promotion. */
  readonly timeline: number
}

/** SQL of the server's timeline. It fails on a server in recovery. */
export const TIMELINE = "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer"
const READ_SERVER = `select current_setting('transaction_read_only') as read_only,
  case when pg_is_in_recovery() then 0 else ${TIMELINE} end as timeline`

/**
 * Connects to the server that takes writes: asks all hosts at once, so that a silent one delays nothing. Of two that take writes, as
 * when a former primary was started again, the one that was promoted later counts. Throws LogError `log_unreachable` with the reasons
 * of all hosts. The caller ends the client and listens to its errors: an error without a listener ends the process.
 */
export async function connectWritable(hosts: PostgresHosts, options: ConnectOptions): Promise<Client> {
  const found: WritableServer[] = []
  const reasons: string[] = hosts.map(() => '')
  let isChosen = false
  const attempts = hosts.map(async (host, at) => {
    const answer = await ask(host, options)
    if (typeof answer === 'string') reasons[at] = answer
    else if (isChosen) await endClient(answer.client)
    else found.push(answer)
  })
  await Promise.race([Promise.all(attempts), firstOf(attempts, found).then(() => pause(HOSTS_COMPARE_MS))])
  isChosen = true
  const [newest, ...others] = found.sort((one, other) => other.timeline - one.timeline)
  await Promise.all(others.map(({ client }) => endClient(client)))
  if (newest === undefined)
    throw new LogError('log_unreachable', `No PostgreSQL server of WAL_POSTGRES_URL takes writes: ${reasons.join('; ')}.`)
  return limited(newest.client, options.statementTimeoutMs).catch(async (error: Error) => {
    await endClient(newest.client)
    throw new LogError('log_unreachable', `The PostgreSQL server does not answer: ${error.message}.`)
  })
}

/** Resolves when a host that takes writes has answered; never when none does. */
function firstOf(attempts: readonly Promise<void>[], found: readonly WritableServer[]): Promise<void> {
  return new Promise((resolve) => {
    for (const attempt of attempts) void attempt.then(() => (found.length > 0 ? resolve() : undefined))
  })
}

/** Resolves with the connected server, or with the reason why it cannot be used. Never rejects. */
async function ask(
  { newClient = pgClient, ...host }: PostgresHost,
  { name, statementTimeoutMs }: ConnectOptions,
): Promise<WritableServer | string> {
  const client = newClient({
    ...host,
    application_name: `cauri ${name}`.slice(0, 63),
    connectionTimeoutMillis: POSTGRES_CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs,
    keepAlive: true,
  })
  // Listens until the caller does. A broken connection rejects its pending statements.
  client.on('error', ignoreError)
  let reason = 'a standby, which takes no writes'
  try {
    await client.connect()
    const { rows } = await client.query<{ read_only: string; timeline: number }>(READ_SERVER)
    if (rows[0]?.read_only === 'off') return { client, timeline: rows[0].timeline }
  } catch (error) {
    reason = (error as Error).message
  }
  await endClient(client)
  return reason
}

function pause(timeMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeMs))
}

function pgClient(config: ClientConfig): Client {
  return new Client(config)
}

/**
 * Sets a lock timeout below the statement timeout, so that the server ends a waiting statement first. Otherwise each attempt while a
 * standby is down leaves a server process that waits for the one before. PostgreSQL's own statement timeout would also end the wait
 * for the standby and leave a commit on the primary only.
 */
async function limited(client: Client, statementTimeoutMs: number): Promise<Client> {
  const lockTimeoutMs = Math.floor(statementTimeoutMs * POSTGRES_LOCK_TIMEOUT_SHARE)
  await client.query(`set lock_timeout = ${lockTimeoutMs}; set statement_timeout = 0`)
  return client
}

/** Ends the connection in any state. Never waits for a server that does not answer. */
export async function endClient(client: Client): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, POSTGRES_CONNECT_TIMEOUT_MS)
  })
  await Promise.race([client.end().catch(ignoreError), late])
  clearTimeout(timer)
}

/** Ignores an error that also rejects the query or the connection attempt. */
function ignoreError(_error: Error): void {}
