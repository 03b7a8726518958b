// One node of a cluster and its role. The log in PostgreSQL decides which node owns it; a node only attempts to.
//
//   state         ended by                                        leads to       failure cases
//   starting      the first catch-up with PostgreSQL              following      copy differs, newer records, no standby: the node stops
//   following     the owner released the log or is silent         taking over    lost connection: reads wait for it, missing heartbeats are ignored
//   taking over   everything up to the last sequence is applied   owning         another hash: the node stops; lost connection: tries on
//   owning        `stop`                                          handing over   another epoch: the node stops at once, its memory is not used again
//   handing over  the row is released                             stopped        PostgreSQL away: the row stays, followers take it by silence
import type { DurableLog, StoredBatch } from '../../engine/actor/ports.ts'
import { readHeader } from '../../engine/actor/record-codec.ts'
import { OWNER_BEAT_MS } from '../limits.ts'
import { LogError } from '../log/log-error.ts'
import type { PostgresBatch } from '../log/postgres-batches.ts'
import { type LogSink, PostgresFollower } from '../log/postgres-follower.ts'
import { PostgresLog, type PostgresLogOptions } from '../log/postgres-log.ts'
import type { OwnerRow } from '../log/postgres-owner.ts'
import { CopiedLog } from './copied-log.ts'
import type { LocalCopy } from './local-copy.ts'
import { OwnerWatch } from './owner-watch.ts'
import { SharedQuestion } from './shared-question.ts'

export type Role = 'starting' | 'following' | 'taking over' | 'owning' | 'handing over' | 'stopped'

/** The engine of this node. */
export interface Replica {
  readonly lastSequence: number
  readonly batchHash: string
  readonly history: { readonly isFull: boolean; onceRoom(run: () => void): void }
  apply(batch: StoredBatch): void
  promote(log: DurableLog): void
}

export interface ClusterNodeOptions {
  readonly postgres: PostgresLogOptions
  readonly takeoverAfterMs: number
  readonly copy: LocalCopy
  readonly replica: Replica
  readonly onRole?: (role: Role) => void
  /** Called once, when the process must stop immediately. */
  readonly onFatal: (error: Error) => void
  /** Wraps the log of the engine for metrics. */
  readonly metered?: (log: DurableLog) => DurableLog
  readonly pollMs?: number
}

interface Waiter {
  readonly sequence: number
  readonly resolve: () => void
}

export class ClusterNode {
  readonly #options: ClusterNodeOptions
  readonly #follower: PostgresFollower
  readonly #watch: OwnerWatch
  readonly #barrier: SharedQuestion<OwnerRow>
  #role: Role = 'starting'
  #owner: OwnerRow | null = null
  #seenMs = 0
  #log: PostgresLog | null = null
  #waiters: Waiter[] = []
  #heartbeats: NodeJS.Timeout | null = null
  #isBeating = false
  #isStopping = false
  #running: Promise<void> = Promise.resolve()
  #hasFailed = false

  constructor(options: ClusterNodeOptions) {
    this.#options = options
    this.#watch = new OwnerWatch(options.takeoverAfterMs)
    const { postgres, pollMs } = options
    this.#follower = new PostgresFollower({
      ...postgres,
      ...(pollMs === undefined ? {} : { pollMs }),
      sink: this.#sink(),
      onOwner: (row) => this.#onOwner(row),
      onLost: () => this.#watch.forget(),
    })
    this.#barrier = new SharedQuestion(() => this.#follower.readOwner())
  }

  get role(): Role {
    return this.#role
  }

  /** The owner row at the last read; null before the first. */
  get owner(): OwnerRow | null {
    return this.#owner
  }

  get epoch(): number {
    return this.#log?.epoch ?? this.#owner?.epoch ?? 0
  }

  /** Returns the time since this node had the newest state; 0 for the owner. */
  lagMs(nowMs = performance.now()): number {
    return this.#log !== null ? 0 : Math.max(0, nowMs - this.#seenMs)
  }

  /** Resolves at the first catch-up with the log. Then the node continues to follow, and takes over when that is due. */
  start(): Promise<void> {
    this.#seenMs = performance.now()
    return new Promise((resolve, reject) => {
      this.#onReady = resolve
      this.#running = this.#follower.run().catch((error: Error) => {
        reject(error)
        this.#fail(error)
      })
    })
  }

  #onReady: () => void = () => {}

  /**
   * Resolves when the engine has everything that was committed before the call. Rejects while PostgreSQL cannot be reached. A node that
   * lost the ownership stops here instead of answering.
   */
  async barrier(): Promise<void> {
    const { epoch, lastSequence } = await this.#barrier.answer()
    if (this.#log !== null && epoch !== this.#log.epoch) {
      const error = new LogError('stale_epoch', 'Another node owns the log now. Stop this process.')
      this.#fail(error)
      throw error
    }
    if (this.#log !== null || lastSequence <= this.#options.replica.lastSequence) return
    this.#follower.poke()
    await new Promise<void>((resolve) => this.#waiters.push({ sequence: lastSequence, resolve }))
  }

  /** Stops following or prepares the handover: no takeover begins any more. The owner's engine may still append. */
  async prepareStop(): Promise<void> {
    this.#isStopping = true
    if (this.#role === 'owning') this.#become('handing over')
    await this.#follower.stop()
    await this.#running
  }

  /** After `prepareStop` and the engine's close: releases the log, so that a follower takes it at once. */
  async stop(): Promise<void> {
    if (this.#heartbeats !== null) clearInterval(this.#heartbeats)
    const log = this.#log
    if (log !== null && !this.#hasFailed) {
      await log.release().catch((error: Error) => this.#options.postgres.onWarning(`The log was not released: ${error.message}.`))
    }
    await log?.close()
    await this.#follower.close()
    this.#become('stopped')
  }

  #sink(): LogSink {
    const { replica, copy } = this.#options
    const take = (batch: PostgresBatch): void => this.#take(batch)
    return {
      get lastSequence() {
        return replica.lastSequence
      },
      get batchHash() {
        return replica.batchHash
      },
      room: () => copy.room() ?? archiveRoom(replica),
      take,
    }
  }

  #take(batch: PostgresBatch): void {
    const { replica, copy } = this.#options
    checkContinues(batch, replica)
    copy.put(batch)
    replica.apply(batch)
    if (this.#waiters.length === 0) return
    const { lastSequence } = replica
    const due = this.#waiters.filter(({ sequence }) => sequence <= lastSequence)
    if (due.length > 0) this.#waiters = this.#waiters.filter(({ sequence }) => sequence > lastSequence)
    for (const { resolve } of due) resolve()
  }

  async #onOwner(row: OwnerRow): Promise<void> {
    const nowMs = performance.now()
    this.#owner = row
    this.#seenMs = nowMs
    this.#watch.see(row, nowMs)
    if (this.#role === 'starting') {
      this.#become('following')
      this.#onReady()
    }
    const epoch = this.#watch.takeableEpoch(nowMs)
    if (epoch !== null && !this.#isStopping) await this.#takeOver(epoch)
  }

  async #takeOver(fromEpoch: number): Promise<void> {
    const log = await PostgresLog.take(this.#options.postgres, fromEpoch)
    if (log === null) return this.#watch.forget()
    this.#become('taking over')
    try {
      this.#owner = await this.#lookUntilKnown()
    } catch (error) {
      await log.close()
      throw error
    }
    const { replica, copy, metered } = this.#options
    if (replica.lastSequence !== log.durableSequence || replica.batchHash !== log.lastHash) {
      throw new LogError(
        'log_contradiction',
        `This node ends at sequence ${replica.lastSequence}, the log that it took over at ${log.durableSequence}.`,
      )
    }
    const copied = new CopiedLog(log, copy)
    this.#log = log
    replica.promote(metered?.(copied) ?? copied)
    this.#become(this.#isStopping ? 'handing over' : 'owning')
    this.#heartbeats = setInterval(() => void this.#sendHeartbeat(), OWNER_BEAT_MS)
    await this.#follower.stop()
  }

  /** Reads until the owner row is known. This node has the epoch, so no other node can append. */
  async #lookUntilKnown(): Promise<OwnerRow> {
    for (;;) {
      try {
        return await this.#follower.look()
      } catch (error) {
        if (this.#isStopping || (error instanceof LogError && error.code === 'log_contradiction')) throw error
        await new Promise((resolve) => setTimeout(resolve, OWNER_BEAT_MS / 10))
      }
    }
  }

  async #sendHeartbeat(): Promise<void> {
    const log = this.#log
    if (log === null || this.#isBeating) return
    this.#isBeating = true
    try {
      await log.beat()
    } catch (error) {
      // The next append or barrier reports any other failure.
      if (error instanceof LogError && error.code === 'stale_epoch') this.#fail(error)
    } finally {
      this.#isBeating = false
    }
  }

  #become(role: Role): void {
    if (role === this.#role) return
    this.#role = role
    this.#options.onRole?.(role)
  }

  #fail(error: Error): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#options.onFatal(error)
  }
}

function archiveRoom({ history }: Replica): Promise<void> | null {
  return history.isFull ? new Promise((resolve) => history.onceRoom(resolve)) : null
}

/** Checks a batch before the copy stores it: a batch of another log must not reach its disk. Throws LogFormatError and LogError. */
function checkContinues({ bytes }: PostgresBatch, { lastSequence, batchHash }: Replica): void {
  const { firstSequence, previousHash } = readHeader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (firstSequence === lastSequence + 1 && previousHash === batchHash) return
  throw new LogError(
    'log_contradiction',
    `The batch at sequence ${firstSequence} in PostgreSQL does not continue the log that this node has applied through ${lastSequence}.`,
  )
}
