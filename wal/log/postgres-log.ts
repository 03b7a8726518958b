// The log in PostgreSQL: one row per batch, appended in one round trip that also checks the ownership. A batch is durable when a
// synchronous commit has confirmed it. The unknown outcome of an append is determined by reading the log, never guessed.
import type { Client } from 'pg'
import type { BatchesToAppend, DurableLog, StoredBatch } from '../../engine/actor/ports.ts'
import { GENESIS_HASH, hashBatch } from '../../engine/actor/record-codec.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { POSTGRES_RETRY_MS, POSTGRES_STATEMENT_TIMEOUT_MS, POSTGRES_WARN_MS } from '../limits.ts'
import { refusalOf } from './append-rule.ts'
import { LogError, type LogErrorCode } from './log-error.ts'
import { batchesFrom } from './postgres-batches.ts'
import { PostgresConnection, reasonOf } from './postgres-connection.ts'
import { connectWritable, endClient, type PostgresHosts } from './postgres-hosts.ts'
import {
  appendOwned,
  commitOwned,
  type NodeName,
  type OwnedBatch,
  type OwnerRow,
  readOwner,
  releaseOwnership,
  takeOwnership,
} from './postgres-owner.ts'
import { checkServer, makeTables } from './postgres-tables.ts'

export interface PostgresLogOptions {
  readonly hosts: PostgresHosts
  readonly name: NodeName
  readonly partition?: number
  /** Accepts a server without a synchronous standby: an acknowledged batch may be lost with that server's disk. */
  readonly allowsUnsafe: boolean
  readonly onWarning: (message: string) => void
  /** Maximum time of a statement. Then its outcome is unknown and must be determined. */
  readonly statementTimeoutMs?: number
}

type Done = (error: Error | null) => void

/** States of PostgreSQL that end without this process: a batch waits for their end. */
const MAY_END: ReadonlySet<LogErrorCode> = new Set(['log_unreachable', 'log_unsafe'])

/** Counts of appends with an unknown outcome, by their determined outcome, for metrics. */
export interface SettledCounts {
  stored: number
  appendedAgain: number
}

export class PostgresLog implements DurableLog {
  /** One row and one round trip a flush. */
  readonly largeRecordBytes = Number.POSITIVE_INFINITY
  readonly partition: number
  readonly settled: SettledCounts = { stored: 0, appendedAgain: 0 }
  readonly #options: PostgresLogOptions
  readonly #connection: PostgresConnection
  #owner: OwnerRow
  #isAppending = false
  #failure: LogError | null = null
  #isClosed = false

  private constructor(connection: PostgresConnection, owner: OwnerRow, options: PostgresLogOptions) {
    this.partition = options.partition ?? 0
    this.#options = options
    this.#owner = owner
    this.#connection = connection
  }

  /** Creates the tables and takes the log over, with or without an owner. Throws LogError. */
  static async own(options: PostgresLogOptions): Promise<PostgresLog> {
    const connection = connectionOf(options)
    try {
      const client = await connection.client()
      await makeTables(client)
      const before = await readOwner(client, options.partition ?? 0, GENESIS_HASH)
      const log = await PostgresLog.#take(connection, before, options)
      if (log === null) throw new LogError('stale_epoch', 'Another node took the log over at the same moment.')
      return log
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** Returns a connection for `take`. It checks each server that it connects to. */
  static connection(options: PostgresLogOptions): PostgresConnection {
    return connectionOf(options)
  }

  /**
   * Takes the log over if the owner row is still as it was read. Returns null if it has changed, or if no synchronous commit confirmed
   * the takeover. Then, and after an error, the row may name this node, which does not own the log: it has to take it over again.
   * The connection is closed then.
   */
  static async take(options: PostgresLogOptions, from: OwnerRow, connection = connectionOf(options)): Promise<PostgresLog | null> {
    try {
      const log = await PostgresLog.#take(connection, from, options)
      if (log === null) await connection.close()
      return log
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  static async #take(connection: PostgresConnection, from: OwnerRow, options: PostgresLogOptions): Promise<PostgresLog | null> {
    const { result, isWarned } = await connection.confirmed((client) => takeOwnership(client, options.partition ?? 0, from, options.name))
    const isConfirmed = !isWarned && (result?.isAlone === false || options.allowsUnsafe)
    return result === null || !isConfirmed ? null : new PostgresLog(connection, result.owner, options)
  }

  get epoch(): number {
    return this.#owner.epoch
  }

  get durableSequence(): number {
    return this.#owner.lastSequence
  }

  /** Hash of the last batch, hex. */
  get lastHash(): string {
    return this.#owner.lastHash
  }

  append([batch, ...others]: BatchesToAppend, done: Done): void {
    assert(!this.#isAppending, 'one append at a time')
    assert(others.length === 0, 'a flush is one batch')
    const { partition, epoch, durableSequence } = this
    const refusal = refusalOf(batch, { partition, epoch, durableSequence, closed: this.#isClosed, failure: this.#failure })
    if (refusal !== null) {
      queueMicrotask(() => done(refusal))
      return
    }
    assert(batch.epoch === epoch, 'a batch carries the epoch of this owner')
    this.#isAppending = true
    const owned = { ...batch, hash: hashBatch(batch.bytes) }
    this.#appendUntilKnown(owned).then(
      () => this.#succeed(owned, done),
      (error: unknown) => this.#fail(error, done),
    )
  }

  async *read(fromSequence: number): AsyncGenerator<StoredBatch> {
    const { hosts, name, statementTimeoutMs = POSTGRES_STATEMENT_TIMEOUT_MS } = this.#options
    const client = await connectWritable(hosts, { name: name.node, statementTimeoutMs })
    try {
      yield* batchesFrom(client, this.partition, fromSequence)
    } finally {
      await endClient(client)
    }
  }

  /** Checks the server again before the next append is acknowledged: its settings have changed. */
  distrust(): Promise<void> {
    return this.#connection.drop()
  }

  /** Releases the log, so that a follower takes it over immediately. No batch may be appended afterwards. */
  async release(): Promise<void> {
    assert(!this.#isAppending, 'a log is released after its last append')
    this.#isClosed = true
    await releaseOwnership(await this.#connection.client(), this.partition, this.epoch)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#connection.close()
  }

  /**
   * Resolves when the batch is durable. Rejects when this process lost the ownership. While PostgreSQL or its standby is down, or the
   * server waits for no standby, the batch waits and is not acknowledged.
   */
  async #appendUntilKnown(batch: OwnedBatch): Promise<void> {
    let warnMs = performance.now() + POSTGRES_WARN_MS
    for (let isSettling = false; ; isSettling = true) {
      let reason = 'no commit was confirmed by the synchronous standby'
      try {
        if (isSettling ? await this.#settle(batch) : await this.#tryAppend(batch)) return
      } catch (error) {
        if (error instanceof LogError && !MAY_END.has(error.code)) throw error
        await this.#connection.drop()
        reason = reasonOf(error)
      }
      if (performance.now() > warnMs) {
        warnMs = performance.now() + POSTGRES_WARN_MS
        this.#options.onWarning(`Writes wait: PostgreSQL has not confirmed a batch yet (${reason}).`)
      }
      if (isSettling) await new Promise((resolve) => setTimeout(resolve, POSTGRES_RETRY_MS))
    }
  }

  /** Returns true if the batch is durable, false if its outcome is unknown. */
  async #tryAppend(batch: OwnedBatch): Promise<boolean> {
    const { result, isWarned } = await this.#connection.confirmed((client) => appendOwned(client, batch))
    if (result === 'alone') this.#checkAlone()
    return result !== 'refused' && !isWarned
  }

  /** Determines by the owner row whether a batch with an unknown outcome was stored. */
  async #settle(batch: OwnedBatch): Promise<boolean> {
    const row = await readOwner(await this.#connection.client(), this.partition, GENESIS_HASH)
    if (row.epoch !== this.epoch) throw staleEpoch()
    if (row.lastSequence === batch.expectedSequence + batch.recordCount - 1 && row.lastHash === batch.hash) {
      if (row.confirmed >= row.lastSequence) return this.#countStored()
      // Stored, perhaps only on the primary. Commits are replicated in order, so a later synchronous commit covers it.
      const { result, isWarned } = await this.#connection.confirmed((client) => commitOwned(client, this.partition, this.epoch))
      if (result === 'refused') throw staleEpoch()
      if (result === 'alone') this.#checkAlone()
      return isWarned ? false : this.#countStored()
    }
    if (row.lastSequence !== batch.expectedSequence - 1) {
      throw new LogError(
        'log_contradiction',
        `The log in PostgreSQL ends at sequence ${row.lastSequence}, which this owner of epoch ${this.epoch} did not append.`,
      )
    }
    if (!(await this.#tryAppend(batch))) return false
    this.settled.appendedAgain++
    return true
  }

  #countStored(): true {
    this.settled.stored++
    return true
  }

  #checkAlone(): void {
    if (!this.#options.allowsUnsafe) throw new LogError('log_unsafe', 'PostgreSQL names no synchronous standby')
  }

  #succeed({ expectedSequence, recordCount, hash }: OwnedBatch, done: Done): void {
    this.#isAppending = false
    this.#owner = { ...this.#owner, lastSequence: expectedSequence + recordCount - 1, lastHash: hash }
    done(null)
  }

  #fail(error: unknown, done: Done): void {
    this.#isAppending = false
    this.#failure =
      error instanceof LogError ? error : new LogError('append_failed', `The batch was not stored: ${(error as Error).message}.`, error)
    done(this.#failure)
  }
}

function connectionOf({ hosts, name, onWarning, allowsUnsafe, statementTimeoutMs }: PostgresLogOptions): PostgresConnection {
  const prepare = (client: Client): Promise<void> => checkServer(client, { allowsUnsafe, onWarning })
  const timeout = statementTimeoutMs === undefined ? {} : { statementTimeoutMs }
  return new PostgresConnection({ hosts, node: name.node, onWarning, prepare, ...timeout })
}

function staleEpoch(): LogError {
  return new LogError('stale_epoch', 'Another node owns the log now. Stop this process.')
}
