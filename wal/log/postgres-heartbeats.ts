// Heartbeats of the owner in PostgreSQL: that it is alive, and through which sequence its appends are confirmed. They must not wait for
// the standby: a commit that waits is invisible to other sessions and keeps its row locked, so followers would take an owner whose
// commits wait for a silent one. Hence a row and a connection of their own, and `synchronous_commit = off`: a heartbeat that a
// failover loses is replaced by the next one, and what it says about appends was already true when it was written.
import type { Client } from 'pg'
import { OWNER_HEARTBEAT_MS } from '../limits.ts'
import { PostgresConnection } from './postgres-connection.ts'
import type { PostgresLogOptions } from './postgres-log.ts'

export interface OwnerHeartbeatsOptions {
  readonly postgres: PostgresLogOptions
  readonly epoch: number
  /** Called when another node owns the log. */
  readonly onStale: () => void
  /** Called when PostgreSQL does not name a synchronous standby any more. */
  readonly onAlone: () => void
}

const OWNED = 'where partition = $1 and epoch = $2'
/** A confirmation without a heartbeat: less than half of its cost, and the load of a busy owner makes hundreds a second. */
const CONFIRM = `select current_setting('synchronous_standby_names') <> '' as has_standby, pg_notify('cauri_log', partition || ' ' || $3::bigint)
  from cauri.owner ${OWNED}`
const HEARTBEAT = `with beat as (
    insert into cauri.alive (partition, epoch, confirmed, beat)
    select $1, $2, $3, 1 from cauri.owner ${OWNED}
    on conflict (partition) do update set epoch = excluded.epoch, beat = cauri.alive.beat + 1,
      confirmed = greatest(cauri.alive.confirmed, excluded.confirmed)
    returning 1
  )
  select current_setting('synchronous_standby_names') <> '' as has_standby, pg_notify('cauri_log', $1 || ' ' || $3 || ' beat') from beat`

export class OwnerHeartbeats {
  readonly #options: OwnerHeartbeatsOptions
  readonly #connection: PostgresConnection
  #confirmed: number
  #timer: NodeJS.Timeout | null = null
  #isSending = false
  #isDue = false
  /** Whether the next statement is a heartbeat. */
  #isBeatDue = false

  constructor(options: OwnerHeartbeatsOptions, confirmed: number) {
    this.#options = options
    this.#confirmed = confirmed
    const { hosts, name, onWarning, statementTimeoutMs } = options.postgres
    const timeout = statementTimeoutMs === undefined ? {} : { statementTimeoutMs }
    const prepare = async (client: Client): Promise<void> => void (await client.query('set synchronous_commit = off'))
    this.#connection = new PostgresConnection({ hosts, node: name.node, onWarning, prepare, ...timeout })
  }

  /** Sends a heartbeat now and each OWNER_HEARTBEAT_MS. */
  start(): void {
    this.#timer = setInterval(() => this.#beat(), OWNER_HEARTBEAT_MS)
    this.#beat()
  }

  /** Publishes that a synchronous commit has confirmed the log through `sequence`. Followers apply no record before. */
  confirm(sequence: number): void {
    this.#confirmed = sequence
    void this.#send()
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    await this.#connection.close()
  }

  #beat(): void {
    this.#isBeatDue = true
    void this.#send()
  }

  /** Sends one statement at a time; those that become due meanwhile are one. */
  async #send(): Promise<void> {
    this.#isDue = true
    if (this.#isSending) return
    this.#isSending = true
    try {
      while (this.#isDue && this.#timer !== null) {
        this.#isDue = false
        await this.#write(await this.#connection.client())
      }
    } catch {
      // The next heartbeat connects again, and publishes what this statement did not.
      await this.#connection.drop()
    } finally {
      this.#isSending = false
    }
  }

  async #write(client: Client): Promise<void> {
    const { postgres, epoch, onStale, onAlone } = this.#options
    const values = [postgres.partition ?? 0, epoch, this.#confirmed]
    const statement = this.#isBeatDue ? { name: 'heartbeat', text: HEARTBEAT } : { name: 'confirm', text: CONFIRM }
    this.#isBeatDue = false
    const { rows } = await client.query<{ has_standby: boolean }>({ ...statement, values })
    if (this.#timer === null) return
    const [row] = rows
    if (row === undefined) onStale()
    else if (!row.has_standby && !postgres.allowsUnsafe) onAlone()
  }
}
