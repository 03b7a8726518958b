// Connection that a follower keeps ready for its takeover, and for the synchronous commit that precedes one. A new connection with its checks took 10 to 200 ms of the pause in which no
// node accepts writes. The connection is checked at an interval, as at the start, so that a takeover does not wait on a dead one.
import { READY_CHECK_MS } from '../limits.ts'
import { noStandby, type PostgresConnection } from './postgres-connection.ts'
import { PostgresLog, type PostgresLogOptions } from './postgres-log.ts'
import type { OwnerRow } from './postgres-owner.ts'
import { checkServer, commitAsNode } from './postgres-tables.ts'

export class ReadyConnection {
  readonly #options: PostgresLogOptions
  #connection: PostgresConnection
  /** True while the last check holds. */
  #isReady = false
  #isChecking = false
  #dueMs = Number.NEGATIVE_INFINITY

  constructor(options: PostgresLogOptions) {
    this.#options = options
    this.#connection = PostgresLog.connection(options)
  }

  /** Connects, or checks the connection when that is due, in the background. Call it more often than READY_CHECK_MS. */
  keep(): void {
    const nowMs = performance.now()
    if (this.#isChecking || nowMs < this.#dueMs) return
    this.#dueMs = nowMs + READY_CHECK_MS
    void this.#check(this.#connection)
  }

  /** Makes a synchronous commit of this node. Rejects when no standby confirms it in time. */
  async commit(): Promise<void> {
    const { name, partition = 0, allowsUnsafe } = this.#options
    const connection = this.#connection
    try {
      const { result, isWarned } = await connection.confirmed((client) => commitAsNode(client, partition, name))
      if (isWarned || !(result || allowsUnsafe)) throw noStandby()
    } catch (error) {
      this.#isReady = false
      await connection.drop()
      throw error
    }
  }

  /** As `PostgresLog.take`. The log has the connection from now on. */
  take(from: OwnerRow): Promise<PostgresLog | null> {
    const [connection, isReady] = [this.#connection, this.#isReady]
    this.#isReady = false
    this.#dueMs = Number.NEGATIVE_INFINITY
    this.#connection = PostgresLog.connection(this.#options)
    if (!isReady) void connection.close()
    return PostgresLog.take(this.#options, from, isReady ? connection : PostgresLog.connection(this.#options))
  }

  /** Call it when another connection to the same server was lost. */
  drop(): void {
    this.#isReady = false
    this.#dueMs = Number.NEGATIVE_INFINITY
    void this.#connection.drop()
  }

  close(): Promise<void> {
    this.#isReady = false
    this.#dueMs = Number.POSITIVE_INFINITY
    return this.#connection.close()
  }

  /** Not ready meanwhile: a takeover would wait for the check of a dead connection. */
  async #check(connection: PostgresConnection): Promise<void> {
    this.#isChecking = true
    this.#isReady = false
    try {
      // The start has warned of an unsafe server.
      await checkServer(await connection.client(), { allowsUnsafe: this.#options.allowsUnsafe, onWarning: () => {} })
      this.#isReady = connection === this.#connection
    } catch {
      // Following reports why PostgreSQL cannot be reached. The next check connects again.
      await connection.drop()
    } finally {
      this.#isChecking = false
    }
  }
}
