// One node of a cluster and its role. The log in PostgreSQL decides which node owns it; a node only attempts to.
//
//   state         ended by                                        leads to       failure cases
//   starting      the first catch-up with PostgreSQL              following      copy differs, newer records: the node stops
//   following     the owner released the log or is silent         taking over    lost connection: reads wait for it, missing heartbeats are ignored
//   taking over   everything up to the last sequence is applied   owning         another hash: the node stops; lost connection: tries on
//   owning        `prepareStop`                                   handing over   another epoch: the node stops at once, its memory is not used again
//   handing over  the row is released                             handed over    PostgreSQL away: the row stays, followers take it by silence
//   handed over   `stop`                                          stopped        its state is old: it answers nothing and names the new owner
//
// The owner row cannot tell a silent owner from one whose commits wait for the standby: such a commit is invisible and locks the row.
// The heartbeats, which do not wait, tell them apart. A takeover by silence needs a synchronous commit of this node first, and changes
// the row only if it is still as this node read it: one that waited behind an append of a living owner has no effect.
import type { DurableLog } from '../../engine/actor/ports.ts'
import { BARRIER_TIMEOUT_MS, OWNER_HEARTBEAT_MS, POSTGRES_WARN_MS, SUCCESSOR_POLL_MS } from '../limits.ts'
import { LogError } from '../log/log-error.ts'
import { reasonOf } from '../log/postgres-connection.ts'
import { PostgresFollower } from '../log/postgres-follower.ts'
import type { PostgresLogOptions, SettledCounts } from '../log/postgres-log.ts'
import type { OwnerRow } from '../log/postgres-owner.ts'
import { ReadyConnection } from '../log/postgres-ready.ts'
import { CopiedLog } from './copied-log.ts'
import type { LocalCopy } from './local-copy.ts'
import { isUnchanged, OwnerWatch, type TakeoverReason } from './owner-watch.ts'
import { Ownership } from './ownership.ts'
import type { OwnershipProof } from './ownership-proof.ts'
import { type FollowingEngine, ReplicaSink } from './replica-sink.ts'
import { SequenceWaiters } from './sequence-waiters.ts'
import { SharedQuestion } from './shared-question.ts'

export type Role = 'starting' | 'following' | 'taking over' | 'owning' | 'handing over' | 'handed over' | 'stopped'

/** The engine of this node. */
export interface Replica extends FollowingEngine {
  promote(log: DurableLog): void
}

export interface ClusterNodeOptions {
  readonly postgres: PostgresLogOptions
  readonly takeoverAfterMs: number
  readonly copy: LocalCopy
  readonly replica: Replica
  readonly onRole?: (role: Role) => void
  /** Called when `owner` names another owner, or none. */
  readonly onOwner?: () => void
  /** False while this node must not take the log over: its clock is wrong. */
  readonly mayOwn?: () => boolean
  /** Called once, when the process must stop immediately. */
  readonly onFatal: (error: Error) => void
  /** Wraps the log of the engine for metrics. */
  readonly metered?: (log: DurableLog) => DurableLog
  readonly pollMs?: number
}

export class ClusterNode {
  /** Number of takeovers by this node, by their reason. */
  readonly takeovers: Record<TakeoverReason, number> = { released: 0, silent: 0, own: 0 }
  readonly #options: ClusterNodeOptions
  readonly #follower: PostgresFollower
  readonly #ready: ReadyConnection
  readonly #watch: OwnerWatch
  readonly #barrier: SharedQuestion<OwnerRow>
  #role: Role = 'starting'
  #owner: OwnerRow | null = null
  #seenMs = 0
  #ownership: Ownership | null = null
  readonly #waiters = new SequenceWaiters(BARRIER_TIMEOUT_MS)
  #isStopping = false
  #running: Promise<void> = Promise.resolve()
  #hasFailed = false
  #onReady: () => void = () => {}
  #warnMs = 0
  #successor: Promise<void> = Promise.resolve()

  constructor(options: ClusterNodeOptions) {
    this.#options = options
    const { postgres, pollMs, replica, copy } = options
    this.#ready = new ReadyConnection(postgres)
    this.#watch = new OwnerWatch(options.takeoverAfterMs, postgres.name)
    this.#follower = new PostgresFollower({
      ...postgres,
      ...(pollMs === undefined ? {} : { pollMs }),
      sink: new ReplicaSink(replica, copy, (sequence) => this.#waiters.reach(sequence)),
      commit: () => this.#ready.commit(),
      onOwner: (row) => this.#onOwner(row),
      onLost: () => this.#onLost(),
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
    return this.#ownership?.log.epoch ?? this.#owner?.epoch ?? 0
  }

  /** Counts of appends of this node whose outcome was unknown; null unless it owns the log. */
  get settled(): SettledCounts | null {
    return this.#ownership?.log.settled ?? null
  }

  /** Returns the time since this node had the newest state; 0 for the owner. */
  lagMs(nowMs = performance.now()): number {
    return this.#ownership !== null ? 0 : Math.max(0, nowMs - this.#seenMs)
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

  /**
   * Resolves when the engine has everything that was committed before the call. Rejects while PostgreSQL cannot be reached. A node that
   * lost the ownership stops here instead of answering.
   */
  async barrier(): Promise<void> {
    if (this.#ownership === null) {
      const { lastSequence } = await this.#barrier.answer()
      if (this.#ownership === null) return this.#applied(lastSequence)
    }
    // Owned from the start, or taken over meanwhile.
    const { proof } = this.#ownership
    await proof.whenProven(proof.mark())
  }

  /** Proofs for the answers of an owner; null at a follower. */
  get proof(): OwnershipProof | null {
    return this.#ownership?.proof ?? null
  }

  /** Stops following or prepares the handover: no takeover begins any more. The owner's engine may still append. */
  async prepareStop(): Promise<void> {
    this.#isStopping = true
    if (this.#role === 'owning') {
      this.#know(null)
      this.#become('handing over')
    }
    await this.#follower.stop()
    await this.#ready.close()
    await this.#running
  }

  /** After `prepareStop` and the engine's last append: releases the log. Then `owner` is the node that took it. */
  async release(): Promise<void> {
    const ownership = this.#ownership
    if (ownership === null || this.#role === 'handed over' || this.#hasFailed) return
    // Before the row shows it: a read that arrives from now on must not be answered from this node's state.
    this.#become('handed over')
    const { onWarning } = this.#options.postgres
    await ownership.release().catch(({ message }: Error) => onWarning(`The log was not released: ${message}.`))
    this.#successor = this.#findSuccessor()
  }

  /** After `prepareStop` and the engine's close: releases the log, if that is not done, and closes the connections. */
  async stop(): Promise<void> {
    await this.release()
    this.#become('stopped')
    await this.#ownership?.close()
    await this.#follower.close()
    await this.#successor
  }

  async #findSuccessor(): Promise<void> {
    while (this.#role === 'handed over') {
      this.#know(await this.#follower.readOwner().catch(() => this.#owner))
      await new Promise((resolve) => setTimeout(resolve, SUCCESSOR_POLL_MS))
    }
  }

  /** Resolves when this follower has applied the log through `sequence`. */
  async #applied(sequence: number): Promise<void> {
    if (sequence <= this.#options.replica.lastSequence) return
    this.#follower.expect(sequence)
    await this.#waiters.wait(sequence)
  }

  #know(owner: OwnerRow | null): void {
    const before = this.#owner
    this.#owner = owner
    if (before?.epoch !== owner?.epoch || before?.node !== owner?.node) this.#options.onOwner?.()
  }

  #onLost(): void {
    this.#watch.forget()
    this.#ready.drop()
  }

  /** Returns the maximum time until the next look. */
  async #onOwner(row: OwnerRow): Promise<number> {
    const nowMs = performance.now()
    this.#know(row)
    this.#seenMs = nowMs
    this.#watch.see(row, nowMs)
    if (this.#role === 'starting') {
      this.#become('following')
      this.#onReady()
    }
    this.#ready.keep()
    const reason = this.#watch.due(nowMs)
    if (reason !== null && !this.#isStopping && this.#mayOwn() && (reason !== 'silent' || (await this.#isSilent(row))))
      await this.#takeOver(row, reason)
    return this.#watch.leftMs(performance.now())
  }

  #mayOwn(): boolean {
    return this.#options.mayOwn?.() !== false
  }

  /** Returns whether the owner shows no life although commits complete. Without a standby they do not, and reads go on. */
  async #isSilent(before: OwnerRow): Promise<boolean> {
    try {
      await this.#follower.confirm(before.lastSequence)
    } catch (error) {
      this.#warnOfTakeover(error)
      return false
    }
    const row = await this.#follower.look()
    this.#watch.see(row, performance.now())
    return isUnchanged(before, row)
  }

  #warnOfTakeover(error: unknown): void {
    const nowMs = performance.now()
    if (this.#isStopping || nowMs < this.#warnMs) return
    this.#warnMs = nowMs + POSTGRES_WARN_MS
    this.#options.postgres.onWarning(`The owner of the log is silent, and this node cannot take it over: ${reasonOf(error)}.`)
  }

  async #takeOver(row: OwnerRow, reason: TakeoverReason): Promise<void> {
    const log = await this.#ready.take(row)
    if (log === null) return this.#watch.forget()
    this.takeovers[reason]++
    this.#become('taking over')
    try {
      this.#know(await this.#lookUntilKnown(log.durableSequence))
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
    const ownership = new Ownership(log, {
      postgres: this.#options.postgres,
      readOwner: () => this.#follower.readOwner(),
      onLost: (error) => this.#fail(error),
    })
    const copied = new CopiedLog(log, copy, ownership)
    this.#ownership = ownership
    replica.promote(metered?.(copied) ?? copied)
    ownership.start()
    this.#become(this.#isStopping ? 'handing over' : 'owning')
    this.#waiters.reach(replica.lastSequence)
    await this.#follower.stop()
    await this.#ready.close()
  }

  /** Applies the log through `confirmed`. This node has the epoch, so no other node can append. */
  async #lookUntilKnown(confirmed: number): Promise<OwnerRow> {
    for (;;) {
      try {
        return await this.#follower.look(confirmed)
      } catch (error) {
        if (this.#isStopping || (error instanceof LogError && error.code === 'log_contradiction')) throw error
        await new Promise((resolve) => setTimeout(resolve, OWNER_HEARTBEAT_MS / 10))
      }
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
