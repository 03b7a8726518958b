// The log in PostgreSQL: one row a batch, appended in one round trip that also checks who owns the log. A batch is durable when a
// synchronous commit has confirmed it. An append whose outcome is unknown is settled by reading back; it is never guessed.
import type { Client } from 'pg'
import type { BatchToAppend, DurableLog, StoredBatch } from '../../engine/actor/ports.ts'
import { GENESIS_HASH, hashBatch } from '../../engine/actor/record-codec.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { APPEND_TIMEOUT_MS, POSTGRES_READ_BATCHES, POSTGRES_RETRY_MS } from '../limits.ts'
import { refusalOf } from './append-rule.ts'
import { LogError } from './log-error.ts'
import { connectWritable, endClient, type PostgresHosts } from './postgres-hosts.ts'
import { appendOwned, beat, type NodeName, type OwnedBatch, type OwnerRow, readOwner, takeOwnership } from './postgres-owner.ts'
import { makeTables, unsafeSettings } from './postgres-tables.ts'

export interface PostgresLogOptions {
  readonly hosts: PostgresHosts
  readonly name: NodeName
  readonly partition?: number
  /** Takes a server without a synchronous standby: an acknowledged batch may be lost with that server's disk. */
  readonly allowsUnsafe: boolean
  readonly onWarning: (message: string) => void
  /** How long the outcome of an append may stay unknown before the log fails. */
  readonly appendTimeoutMs?: number
}

type Done = (error: Error | null) => void

/** For metrics: how often an append had to be settled, and how it was. */
export interface SettledCounts {
  stored: number
  appendedAgain: number
}

export class PostgresLog implements DurableLog {
  readonly partition: number
  readonly settled: SettledCounts = { stored: 0, appendedAgain: 0 }
  readonly #options: PostgresLogOptions
  readonly #timeoutMs: number
  #owner: OwnerRow
  /** Null while there is no connection. */
  #client: Client | null
  /** PostgreSQL warned that a commit is on this server alone. */
  #isWarned = false
  #isAppending = false
  #failure: LogError | null = null
  #isClosed = false

  private constructor(client: Client, owner: OwnerRow, options: PostgresLogOptions) {
    this.partition = options.partition ?? 0
    this.#options = options
    this.#timeoutMs = options.appendTimeoutMs ?? APPEND_TIMEOUT_MS
    this.#owner = owner
    this.#client = client
    this.#watch(client)
  }

  /** Makes the tables, and takes the log over from whoever owned it. Throws LogError. */
  static async own(options: PostgresLogOptions): Promise<PostgresLog> {
    const client = await connectWritable(options.hosts, options.name.node)
    try {
      await checkServer(client, options)
      await makeTables(client)
      const partition = options.partition ?? 0
      const before = await readOwner(client, partition, GENESIS_HASH)
      const owner = await takeOwnership(client, partition, before.epoch, options.name)
      if (owner === null) throw new LogError('stale_epoch', 'Another node took the log over at the same moment.')
      return new PostgresLog(client, owner, options)
    } catch (error) {
      await endClient(client)
      throw error
    }
  }

  get epoch(): number {
    return this.#owner.epoch
  }

  get durableSequence(): number {
    return this.#owner.lastSequence
  }

  append(batch: BatchToAppend, done: Done): void {
    assert(!this.#isAppending, 'one append at a time')
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
    const client = await connectWritable(this.#options.hosts, this.#options.name.node)
    try {
      for (let above = fromSequence, isFirst = true; ; isFirst = false) {
        const batches = await readBatches(client, this.partition, above, isFirst)
        yield* batches
        const last = batches[batches.length - 1]
        if (last === undefined || batches.length < POSTGRES_READ_BATCHES) return
        above = last.firstSequence
      }
    } finally {
      await endClient(client)
    }
  }

  /** A synchronous commit without a batch: shows other nodes that this owner lives. Rejects when it owns the log no longer. */
  async beat(): Promise<void> {
    if (this.#isAppending) return
    const client = await this.#connected()
    if (!(await beat(client, this.partition, this.epoch))) throw staleEpoch()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = null
    if (client !== null) await endClient(client)
  }

  /** Resolves when the batch is durable; rejects when it is not and never will be acknowledged by this process. */
  async #appendUntilKnown(batch: OwnedBatch): Promise<void> {
    const deadlineMs = performance.now() + this.#timeoutMs
    for (let isSettling = false; ; isSettling = true) {
      let reason: unknown = new Error('no commit was confirmed by the synchronous standby')
      try {
        if (isSettling ? await this.#settle(batch) : await this.#tryAppend(batch)) return
      } catch (error) {
        if (error instanceof LogError && error.code !== 'log_unreachable') throw error
        await this.#disconnect()
        reason = error
      }
      if (performance.now() > deadlineMs) throw unknownOutcome(this.#timeoutMs, reason)
      if (isSettling) await new Promise((resolve) => setTimeout(resolve, POSTGRES_RETRY_MS))
    }
  }

  /** True when the batch is durable; false when its outcome has to be settled. */
  async #tryAppend(batch: OwnedBatch): Promise<boolean> {
    const client = await this.#connected()
    this.#isWarned = false
    return (await appendOwned(client, batch)) && !this.#isWarned
  }

  /** What the owner row says of a batch whose append had no clear answer. */
  async #settle(batch: OwnedBatch): Promise<boolean> {
    const client = await this.#connected()
    const row = await readOwner(client, this.partition, GENESIS_HASH)
    if (row.epoch !== this.epoch) throw staleEpoch()
    if (row.lastSequence === batch.expectedSequence + batch.recordCount - 1 && row.lastHash === batch.hash) {
      // Stored, but perhaps on the primary alone: commits are replicated in order, so a later synchronous one covers it.
      this.#isWarned = false
      if (!(await beat(client, this.partition, this.epoch))) throw staleEpoch()
      if (this.#isWarned) return false
      this.settled.stored++
      return true
    }
    if (row.lastSequence !== batch.expectedSequence - 1) {
      throw new LogError(
        'log_contradiction',
        `The log in PostgreSQL ends at sequence ${row.lastSequence}, which this owner of epoch ${this.epoch} did not append.`,
      )
    }
    this.settled.appendedAgain++
    return this.#tryAppend(batch)
  }

  async #connected(): Promise<Client> {
    if (this.#client !== null) return this.#client
    const client = await connectWritable(this.#options.hosts, this.#options.name.node)
    try {
      await checkServer(client, this.#options)
    } catch (error) {
      await endClient(client)
      throw error
    }
    this.#watch(client)
    this.#client = client
    return client
  }

  #watch(client: Client): void {
    client.on('error', () => {
      if (this.#client === client) this.#client = null
    })
    client.on('notice', ({ message }) => {
      // Its text is translated by the server's locale; every warning of a commit counts.
      this.#isWarned = true
      this.#options.onWarning(`PostgreSQL: ${message ?? 'a warning without a text'}`)
    })
  }

  async #disconnect(): Promise<void> {
    const client = this.#client
    this.#client = null
    if (client !== null) await endClient(client)
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

async function checkServer(client: Client, { allowsUnsafe, onWarning }: PostgresLogOptions): Promise<void> {
  const unsafe = await unsafeSettings(client)
  if (unsafe.length === 0) return
  const what = unsafe.join('; ')
  if (!allowsUnsafe) {
    throw new LogError('log_unsafe', `PostgreSQL may lose what it has acknowledged: ${what}. WAL_POSTGRES_UNSAFE=true accepts this.`)
  }
  onWarning(`WAL_POSTGRES_UNSAFE=true: PostgreSQL may lose what it has acknowledged: ${what}.`)
}

interface BatchRow {
  readonly sequence: string
  readonly batch: Buffer
}

const READ_FROM = `select sequence, batch from cauri.log where partition = $1 and sequence >=
  coalesce((select max(sequence) from cauri.log where partition = $1 and sequence <= $2), 0) order by sequence limit $3`
const READ_AFTER = 'select sequence, batch from cauri.log where partition = $1 and sequence > $2 order by sequence limit $3'

async function readBatches(client: Client, partition: number, sequence: number, isFirst: boolean): Promise<StoredBatch[]> {
  const { rows } = await client.query<BatchRow>(isFirst ? READ_FROM : READ_AFTER, [partition, sequence, POSTGRES_READ_BATCHES])
  return rows.map(({ sequence: first, batch }) => ({ firstSequence: Number(first), bytes: batch }))
}

function staleEpoch(): LogError {
  return new LogError('stale_epoch', 'Another node owns the log now. Stop this process.')
}

function unknownOutcome(timeoutMs: number, cause: unknown): LogError {
  return new LogError(
    'append_timeout',
    `PostgreSQL has not confirmed a batch within ${timeoutMs} ms: ${(cause as Error).message}. The next start reads what is there.`,
    cause,
  )
}
