// One connection to the PostgreSQL server that takes writes, made when it is needed and made again after it broke.
import type { Client } from 'pg'
import { POSTGRES_STATEMENT_TIMEOUT_MS } from '../limits.ts'
import { LogError } from './log-error.ts'
import { connectWritable, endClient, type PostgresHosts } from './postgres-hosts.ts'

export interface PostgresConnectionOptions {
  readonly hosts: PostgresHosts
  /** Of this node, for `pg_stat_activity`. */
  readonly node: string
  readonly onWarning: (message: string) => void
  /** A statement without an answer for this long has an unknown outcome. */
  readonly statementTimeoutMs?: number
  /** Runs on each new connection before anything else does; the connection is not used when it throws. */
  readonly prepare?: (client: Client) => Promise<void>
  readonly onNotification?: () => void
}

/** `create … if not exists` of what exists. */
const EXISTS_CODES: ReadonlySet<string> = new Set(['42P06', '42P07'])

export class PostgresConnection {
  readonly #options: PostgresConnectionOptions
  #client: Client | null = null
  #connecting: Promise<Client> | null = null
  #isClosed = false
  #isWarned = false

  constructor(options: PostgresConnectionOptions) {
    this.#options = options
  }

  /** Throws LogError `log_unreachable`, `log_closed`, and what `prepare` throws. */
  async client(): Promise<Client> {
    if (this.#isClosed) throw new LogError('log_closed', 'The connection to PostgreSQL is closed.')
    if (this.#client !== null) return this.#client
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null
    })
    return this.#connecting
  }

  /**
   * Runs the statement and resolves with its result, and with whether PostgreSQL warned meanwhile: a warning of a commit says that
   * it is on this server alone, in a language that its locale decides.
   */
  async confirmed<Result>(
    statement: (client: Client) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly isWarned: boolean }> {
    const client = await this.client()
    this.#isWarned = false
    const result = await statement(client)
    return { result, isWarned: this.#isWarned }
  }

  /** Whatever is under way on the connection is rejected. */
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
    const client = await connectWritable(hosts, node, statementTimeoutMs)
    try {
      this.#watch(client)
      if (onNotification !== undefined) client.on('notification', onNotification)
      this.#isWarned = false
      await prepare?.(client)
      if (this.#isWarned) throw new LogError('log_unreachable', 'PostgreSQL has not confirmed the first commit of a connection.')
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
