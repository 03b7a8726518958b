// The PostgreSQL servers of WAL_POSTGRES_URL, and a connection to the writable one. `pg` supports one host per connection; this file
// implements libpq's `target_session_attrs=read-write`.
import { Client, type ClientConfig } from 'pg'
import { POSTGRES_CONNECT_TIMEOUT_MS, POSTGRES_LOCK_TIMEOUT_SHARE } from '../limits.ts'
import { LogError } from './log-error.ts'

/** A server, and what makes its client: `pg` when absent. */
export interface PostgresHost extends ClientConfig {
  readonly newClient?: (config: ClientConfig) => Client
}

export type PostgresHosts = readonly PostgresHost[]

const DEFAULT_PORT = 5432

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

export interface ConnectOptions {
  /** Name of this node. */
  readonly name: string
  readonly statementTimeoutMs: number
  /** Index of the host that is tried first; 0 when absent. */
  readonly firstHost?: number
}

export interface ConnectedHost {
  readonly client: Client
  /** Index of the host in the list. */
  readonly host: number
}

/**
 * Connects to the first host that takes writes. Throws LogError `log_unreachable` with the reasons of all hosts. The caller ends
 * the client and listens to its errors: an error without a listener ends the process.
 */
export async function connectWritable(hosts: PostgresHosts, options: ConnectOptions): Promise<ConnectedHost> {
  const { name, statementTimeoutMs, firstHost = 0 } = options
  const reasons: string[] = []
  for (let tried = 0; tried < hosts.length; tried++) {
    const at = (firstHost + tried) % hosts.length
    const { newClient = pgClient, ...host } = hosts[at] ?? {}
    const client = newClient({
      ...host,
      application_name: `cauri ${name}`.slice(0, 63),
      connectionTimeoutMillis: POSTGRES_CONNECT_TIMEOUT_MS,
      query_timeout: statementTimeoutMs,
      keepAlive: true,
    })
    // Listens until the caller does. A broken connection rejects its pending statements.
    client.on('error', ignoreError)
    try {
      await client.connect()
      const { rows } = await client.query<{ read_only: string }>("select current_setting('transaction_read_only') as read_only")
      if (rows[0]?.read_only === 'off') return { client: await limited(client, statementTimeoutMs), host: at }
      reasons.push('a standby, which takes no writes')
    } catch (error) {
      reasons.push((error as Error).message)
    }
    await endClient(client)
  }
  throw new LogError('log_unreachable', `No PostgreSQL server of WAL_POSTGRES_URL takes writes: ${reasons.join('; ')}.`)
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
