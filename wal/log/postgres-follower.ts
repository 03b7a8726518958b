// Follows the log in PostgreSQL: reads confirmed batches in order, on LISTEN notifications and by polling, and answers read barriers.
// A notification names the sequence through which the owner has confirmed the log, so its batches are read without the owner row.
// Never writes to the log. A batch is confirmed when a synchronous commit at or after it has completed. A visible batch need not be:
// when the wait for the standby is cancelled, or the primary restarts, the commit shows on the primary alone, and a failover takes it
// back. Such a batch is not applied, so no read, page, stream or copy shows it.
// A read needs no standby: a barrier reads the owner row on the newest primary that this node has seen, and what a promoted server has
// from the former primary is confirmed.
import type { Client } from 'pg'
import { GENESIS_HASH } from '../../engine/actor/record-codec.ts'
import {
  BARRIER_TIMEOUT_MS,
  FOLLOW_POLL_MS,
  POSTGRES_RETRY_MS,
  POSTGRES_WARN_MS,
  UNCONFIRMED_MAX_MS,
  UNCONFIRMED_POLL_MS,
} from '../limits.ts'
import { LogError } from './log-error.ts'
import { batchesBetween, type PostgresBatch } from './postgres-batches.ts'
import { checkOpen } from './postgres-closed.ts'
import { PostgresConnection, reasonOf } from './postgres-connection.ts'
import { checkBatch, checkEnd } from './postgres-end.ts'
import type { PostgresHosts } from './postgres-hosts.ts'
import { type NodeName, type OwnerRow, readOwner } from './postgres-owner.ts'

/** Receiver of the batches. */
export interface LogSink {
  /** Sequence of the last applied record, 0 at the start of the log. */
  readonly lastSequence: number
  /** Hash of the last applied batch, hex. */
  readonly batchHash: string
  /** Returns null while there is room for another batch, else a promise of room. */
  room(): Promise<void> | null
  take(batch: PostgresBatch): void
}

export interface PostgresFollowerOptions {
  readonly hosts: PostgresHosts
  readonly name: NodeName
  readonly partition?: number
  readonly onWarning: (message: string) => void
  readonly statementTimeoutMs?: number
  readonly pollMs?: number
  readonly sink: LogSink
  /** Makes a synchronous commit of this node, on another connection. Rejects while the standby is away. */
  readonly commit: () => Promise<void>
  /** Called with the owner row after its confirmed records were applied. Resolves with the maximum time until the next call. */
  readonly onOwner: (row: OwnerRow) => Promise<number>
  /** Called when the connection was lost: the owner is unknown until the next `onOwner`. */
  readonly onLost: () => void
}

/** Codes that stop the node: its log and PostgreSQL's differ, or the log was moved. */
const FATAL: ReadonlySet<string> = new Set(['log_contradiction', 'stale_epoch', 'wrong_partition', 'log_moved'])

export class PostgresFollower {
  readonly #options: PostgresFollowerOptions
  readonly #partition: number
  readonly #follow: PostgresConnection
  readonly #barrier: PostgresConnection
  #isStopped = false
  #bug: unknown = null
  #wake: () => void = () => {}
  #isPoked = false
  /** Greatest last sequence that was seen. */
  #expected = 0
  /** Sequence through which a synchronous commit of this node has confirmed the log. */
  #confirmed = 0
  /** Sequence through which the owner has confirmed the log by notifications of this connection. */
  #announced = 0
  /** First sight of a last sequence that is not confirmed. */
  #unconfirmed = { sequence: 0, sinceMs: 0 }
  #warnMs = 0
  /** Timeline of the newest primary that this node has seen. */
  #timeline = 0

  constructor(options: PostgresFollowerOptions) {
    this.#options = options
    this.#partition = options.partition ?? 0
    const { hosts, name, onWarning, statementTimeoutMs } = options
    const timeout = statementTimeoutMs === undefined ? {} : { statementTimeoutMs }
    const common = { hosts, node: name.node, onWarning, ...timeout }
    this.#follow = new PostgresConnection({
      ...common,
      prepare: (client) => this.#prepare(client),
      onNotification: (payload) => this.#notice(payload),
    })
    this.#barrier = new PostgresConnection(common)
  }

  /** Follows until `stop` and reconnects when needed. Rejects when the node must stop. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        // Connects before a read needs it.
        await this.#barrier.client()
        const row = await this.#lookConfirmed()
        const maxMs = await this.#options.onOwner(row)
        await this.#followUntilDue(row.lastSequence, Math.min(maxMs, this.#options.pollMs ?? FOLLOW_POLL_MS))
      } catch (error) {
        if (this.#isStopped) return
        if (error === this.#bug || (error instanceof LogError && FATAL.has(error.code))) throw error
        this.#options.onLost()
        this.#warn(error as Error)
        await this.#follow.drop()
        await this.#pause(POSTGRES_RETRY_MS)
      }
    }
  }

  /**
   * Reads the owner row and applies the confirmed batches through its last sequence. Resolves with the row. `confirmed` is a sequence
   * that the caller knows to be confirmed.
   */
  async look(confirmed = 0): Promise<OwnerRow> {
    const client = await this.#follow.client()
    const row = await this.#readOn(client)
    const { sink } = this.#options
    checkEnd(row, sink)
    const through = Math.min(row.lastSequence, Math.max(row.confirmed, this.#confirmed, this.#announced, confirmed))
    if (through > sink.lastSequence) await this.#takeThrough(client, through)
    return row
  }

  /**
   * Makes a synchronous commit. It shows that commits complete, and confirms the log through `sequence`, which this node has read
   * before. Rejects while the standby is away.
   */
  async confirm(sequence: number): Promise<void> {
    await this.#options.commit()
    this.#confirmed = Math.max(this.#confirmed, sequence)
  }

  /** Reads the owner row soon instead of at the next interval, unless a notification announces the sequence before. */
  expect(sequence: number): void {
    if (sequence <= this.#expected) return
    this.#expected = sequence
    this.#wake()
  }

  /** Reads the owner row after the call. Retries over new connections until BARRIER_TIMEOUT_MS have passed. */
  async readOwner(): Promise<OwnerRow> {
    for (const endMs = performance.now() + BARRIER_TIMEOUT_MS; ; ) {
      try {
        return await this.#readOn(await this.#barrier.client())
      } catch (error) {
        await this.#barrier.drop()
        if (performance.now() > endMs || (error instanceof LogError && error.code === 'log_closed')) throw error
        await new Promise((resolve) => setTimeout(resolve, POSTGRES_RETRY_MS))
      }
    }
  }

  /** Rejects at a former primary that was started again: its owner row is old. */
  async #readOn(client: Client): Promise<OwnerRow> {
    const row = await readOwner(client, this.#partition, GENESIS_HASH)
    if (row.timeline < this.#timeline) {
      throw new LogError('log_unreachable', 'This PostgreSQL server was the primary before another one was promoted: stop it.')
    }
    this.#timeline = row.timeline
    return row
  }

  /** Stops following. Barriers work until `close`. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    await this.#follow.close()
  }

  async close(): Promise<void> {
    await this.stop()
    await this.#barrier.close()
  }

  /** The payload is the partition, then `taken`, `released`, or the sequence through which the log is confirmed and perhaps `beat`. */
  #notice(payload: string): void {
    const [partition, what, reason] = payload.split(' ')
    if (Number(partition) !== this.#partition) return
    const sequence = Number(what)
    const isAnnounced = Number.isSafeInteger(sequence)
    if (isAnnounced) this.#announced = Math.max(this.#announced, sequence)
    if (!isAnnounced || reason !== undefined) this.#isPoked = true
    this.#wake()
  }

  /**
   * Applies batches as they are announced. Ends when the owner row is to be read: after `timeoutMs`, at a notification that is no mere
   * announcement, and when a sequence that was seen is not announced within UNCONFIRMED_POLL_MS.
   */
  async #followUntilDue(seen: number, timeoutMs: number): Promise<void> {
    const { sink } = this.#options
    const endMs = performance.now() + timeoutMs
    let behindMs: number | null = null
    this.expect(seen)
    while (!this.#isStopped && !this.#isPoked) {
      if (this.#announced > sink.lastSequence) {
        await this.#takeThrough(await this.#follow.client(), this.#announced)
        behindMs = null
        continue
      }
      const nowMs = performance.now()
      behindMs = this.#expected > sink.lastSequence ? (behindMs ?? nowMs) : null
      const dueMs = behindMs === null ? endMs : Math.min(endMs, behindMs + UNCONFIRMED_POLL_MS)
      if (dueMs <= nowMs) break
      await this.#pause(dueMs - nowMs)
    }
    this.#isPoked = false
  }

  /**
   * As `look`. Confirms by itself what the owner, which may be down, has left unconfirmed for UNCONFIRMED_MAX_MS. Without a standby the
   * log is followed as far as it is confirmed.
   */
  async #lookConfirmed(): Promise<OwnerRow> {
    const row = await this.look()
    const { lastSequence: sequence } = row
    if (sequence === this.#options.sink.lastSequence) return row
    const nowMs = performance.now()
    if (this.#unconfirmed.sequence !== sequence) this.#unconfirmed = { sequence, sinceMs: nowMs }
    if (nowMs - this.#unconfirmed.sinceMs < UNCONFIRMED_MAX_MS) return row
    try {
      await this.confirm(sequence)
    } catch (error) {
      this.#warn(error as Error)
      return row
    }
    return this.look()
  }

  async #prepare(client: Client): Promise<void> {
    this.#announced = 0
    await checkOpen(client, this.#partition)
    checkEnd(await this.#readOn(client), this.#options.sink)
    await checkBatch(client, this.#partition, this.#options.sink)
    await client.query('listen cauri_log')
  }

  async #takeThrough(client: Client, through: number): Promise<void> {
    const { sink } = this.#options
    for await (const batch of batchesBetween(client, this.#partition, sink.lastSequence, through)) {
      await sink.room()
      if (this.#isStopped) throw new LogError('log_closed', 'The log is not followed any more.')
      try {
        sink.take(batch)
      } catch (error) {
        this.#bug = error
        throw error
      }
    }
    if (sink.lastSequence >= through) return
    throw new LogError(
      'log_contradiction',
      `The log in PostgreSQL ends at sequence ${through}, but no batch follows sequence ${sink.lastSequence}.`,
    )
  }

  #warn(error: Error): void {
    const nowMs = performance.now()
    if (nowMs < this.#warnMs) return
    this.#warnMs = nowMs + POSTGRES_WARN_MS
    this.#options.onWarning(`The log in PostgreSQL is not followed: ${reasonOf(error)}`)
  }

  async #pause(timeoutMs: number): Promise<void> {
    if (this.#isStopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => {}
  }
}
