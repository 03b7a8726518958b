// One connection to the writable PostgreSQL server. It connects on demand and reconnects after a failure.
import type { Client } from 'pg'
import { POSTGRES_STATEMENT_TIMEOUT_MS } from '../limits.ts'
import { LogError } from './log-error.ts'
import { connectWritable, endClient, type PostgresHosts } from './postgres-hosts.ts'

export interface PostgresConnectionOptions {
  readonly hosts: PostgresHosts
  /** Name of this node, for `pg_stat_activity`. */
  readonly node: string
  readonly onWarning: (message: string) => void
  /** Maximum time of a statement; then its outcome is unknown. */
  readonly statementTimeoutMs?: number
  /** Runs first on each new connection. The connection is not used if it throws. */
  readonly prepare?: (client: Client) => Promise<void>
  readonly onNotification?: (payload: string) => void
}

/** Codes of the notices for `create … if not exists` when the object exists. */
const EXISTS_CODES: ReadonlySet<string> = new Set(['42P06', '42P07'])

const LOCK_TIMEOUT = '55P03'
const NO_STANDBY = 'no synchronous standby has confirmed a commit'

export function noStandby(): LogError {
  return new LogError('log_unreachable', `${NO_STANDBY}.`)
}

/**
 * Returns the reason of a failed statement for operators. The rows that a node writes are locked by its own commits alone, so a lock
 * timeout means that an earlier commit still waits for the standby.
 */
export function reasonOf(error: unknown): string {
  const { code, message } = error as Error & { code?: unknown }
  return code === LOCK_TIMEOUT ? `${NO_STANDBY}: an earlier one still waits for it` : message
}

/** Returns the error of a start: the tables are locked only while the node that made them waits for its commit. */
export function startError(error: unknown): unknown {
  return (error as { code?: unknown }).code === LOCK_TIMEOUT ? noStandby() : error
}

export class PostgresConnection {
  readonly #options: PostgresConnectionOptions
  #client: Client | null = null
  #connecting: Promise<Client> | null = null
  #isClosed = false
  #isWarned = false

  constructor(options: PostgresConnectionOptions) {
    this.#options = options
  }

  /** Returns a connected client. Throws LogError `log_unreachable`, `log_closed`, and errors of `prepare`. */
  async client(): Promise<Client> {
    if (this.#isClosed) throw new LogError('log_closed', 'The connection to PostgreSQL is closed.')
    if (this.#client !== null) return this.#client
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null
    })
    return this.#connecting
  }

  /**
   * Runs the statement. Resolves with its result and whether PostgreSQL sent a warning: a warning at a commit means that the standby
   * has not confirmed it. Its text depends on the server's locale, so it is not read.
   */
  async confirmed<Result>(
    statement: (client: Client) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly isWarned: boolean }> {
    const client = await this.client()
    this.#isWarned = false
    const result = await statement(client)
    return { result, isWarned: this.#isWarned }
  }

  /** Closes the connection. Its pending statements reject. */
  async drop(): Promise<void> {
    const client = this.#client
    this.#client = null
    if (client !== null) await endClient(client)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.drop()
  }

  async #connect(): Promise<Client> {
    const { hosts, node, statementTimeoutMs = POSTGRES_STATEMENT_TIMEOUT_MS, prepare, onNotification } = this.#options
    const client = await connectWritable(hosts, { name: node, statementTimeoutMs })
    try {
      this.#watch(client)
      if (onNotification !== undefined) client.on('notification', ({ payload }) => onNotification(payload ?? ''))
      await prepare?.(client)
      if (this.#isClosed) throw new LogError('log_closed', 'The connection to PostgreSQL was closed while it was made.')
    } catch (error) {
      await endClient(client)
      throw error
    }
    this.#client = client
    return client
  }

  #watch(client: Client): void {
    client.on('error', () => {
      if (this.#client === client) this.#client = null
    })
    client.on('notice', ({ message, code }) => {
      if (code !== undefined && EXISTS_CODES.has(code)) return
      this.#isWarned = true
      this.#options.onWarning(`PostgreSQL: ${message ?? 'a warning without a text'}`)
    })
  }
}
