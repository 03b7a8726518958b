// The engine: takes commands, returns durable outcomes. Turns run in bursts against memory. Their records gather in a
// log batch while the previous batch is flushed; after the flush its outcomes leave. There is one flush at a time and
// no timer. A follower takes no commands: it applies the log batches of another node until it is promoted.
import type { ErrorCode } from '../contract/errors.ts'
import { linesOf } from '../domain/command.ts'
import { newState } from '../domain/new-state.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import { isProven } from '../domain/quotas.ts'
import type { LogRecord } from '../domain/record.ts'
import { REGISTRY } from '../domain/registry.ts'
import type { State } from '../domain/state.ts'
import { assert } from '../kernel/assert.ts'
import { IdSource } from '../kernel/ids.ts'
import { BURST_MAX_MS, LINES_PER_BURST_MAX, SHORT_TURN_LINES_MAX } from '../kernel/limits.ts'
import type { QuotaCounts } from '../kernel/quota.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { EncodedBatch } from './batch-encoder.ts'
import { DueTimers } from './due-timers.ts'
import { DurabilityBarrier } from './durability-barrier.ts'
import { EngineClock } from './engine-clock.ts'
import type { EngineFigures, EnginePorts, FollowerPorts } from './engine-ports.ts'
import type { Envelope, IdempotencyKey, Outcome, Reply } from './envelope.ts'
import { type AppliedBatch, applyNext } from './follow.ts'
import { GatheringBatch } from './gathering-batch.ts'
import { History } from './history.ts'
import { Mailboxes } from './mailboxes.ts'
import type { BatchToAppend, DurableLog, LogReader, StoredBatch } from './ports.ts'
import { type Recovered, recover } from './replay.ts'
import { Snapshotter } from './snapshotter.ts'
import { Turns } from './turn.ts'
import { WakeAlarm } from './wake-alarm.ts'

/** Interval of the heartbeat, which stores open index segments and snapshots. */
const HEARTBEAT_MS = 500
const SEEN: Outcome = { kind: 'ok', body: '', replayed: false }

export class Engine {
  readonly state: State
  readonly history: History
  readonly recovered: Recovered
  readonly figures: EngineFigures = { turns: 0, records: 0, flushes: 0, flushedBytes: 0, snapshots: 0 }
  readonly #ports: FollowerPorts
  readonly #registry: NounRegistry
  /** Null while another node owns the log and this engine follows it. */
  #log: DurableLog | null
  readonly #turns: Turns
  readonly #mailboxes: Mailboxes
  readonly #barrier = new DurabilityBarrier()
  readonly #batch: GatheringBatch
  /** Replaced by each change, because a subscriber may unsubscribe during the delivery of records. */
  #subscribers: readonly ((record: LogRecord) => void)[]
  #lastSequence: number
  readonly #clock: EngineClock
  #burstPlanned = false
  /** True while the engine runs: subscribers and replies may submit, and no burst begins within another. */
  #isWorking = false
  #stopped = false
  /** Set at the first failure: the engine then decides, writes and returns nothing more. */
  #failure: Error | null = null
  readonly #snapshotter: Snapshotter
  readonly #timers: DueTimers
  readonly #alarm: WakeAlarm
  #closed: Promise<void> | null = null
  #closing: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null

  private constructor(ports: FollowerPorts, log: DurableLog | null, state: State, history: History, recovered: Recovered) {
    this.#ports = ports
    this.#registry = ports.registry ?? REGISTRY
    this.#subscribers = ports.onRecord === undefined ? [] : [ports.onRecord]
    this.#log = log
    this.state = state
    this.#mailboxes = new Mailboxes({
      environment: (account) => state.accounts.environment(account),
      isProven: (account) => isProven(state, account),
    })
    this.history = history
    this.recovered = recovered
    this.#turns = new Turns(state, history, new IdSource((target) => ports.random.fill(target)), {
      ...(ports.logBudgets === undefined ? {} : { budgets: ports.logBudgets }),
      ...(ports.currencies === undefined ? {} : { currencies: ports.currencies }),
      registry: this.#registry,
    })
    this.#lastSequence = recovered.lastSequence
    this.#clock = new EngineClock(ports.clock, recovered.timeMs)
    this.#batch = new GatheringBatch(recovered.batchHash)
    this.#timers = new DueTimers(this.#registry, state, this.#mailboxes, () => this.nowMs())
    this.#alarm = new WakeAlarm(ports.scheduler, () => this.#guard(this.#wake))
    this.#snapshotter = new Snapshotter({
      state,
      archive: ports.archive,
      scheduler: ports.scheduler,
      last: { sequence: recovered.snapshotSequence, timeMs: recovered.snapshotTimeMs },
      onStored: () => {
        this.figures.snapshots++
        this.#guard(this.#afterWork)
      },
      onFailure: (error) => this.#fail(error),
    })
    this.#barrier.open(recovered.lastSequence)
    this.#planWake()
  }

  /** Recovers and returns an engine that is ready for commands. Throws when the log is damaged. */
  static open(ports: EnginePorts): Promise<Engine> {
    return Engine.#recover(ports, ports.log, ports.log)
  }

  /** Recovers from the copy of the log on this machine. The follower then takes batches by `apply`, and commands once promoted. */
  static follow(ports: FollowerPorts, copy: LogReader): Promise<Engine> {
    return Engine.#recover(ports, copy, null)
  }

  static async #recover(ports: FollowerPorts, from: LogReader, log: DurableLog | null): Promise<Engine> {
    const { registry } = ports
    const state = newState(registry)
    let fatal: (error: Error) => void = ports.onFatal
    const history = new History(ports.localLog, ports.archive, (error) => fatal(error), registry)
    const recovered = await recover(state, history, from, ports.archive, registry)
    await ports.archive.whenLoaded?.()
    const engine = new Engine(ports, log, state, history, recovered)
    fatal = (error) => engine.#fail(error)
    return engine
  }

  get isFollower(): boolean {
    return this.#log === null
  }

  /** Hash of the newest batch, in hex. */
  get batchHash(): string {
    return this.#batch.hash
  }

  get lastSequence(): number {
    return this.#lastSequence
  }

  get durableSequence(): number {
    return this.#barrier.durable
  }

  /** Number of commands in the mailboxes. */
  get waitingCommands(): number {
    return this.#mailboxes.count
  }

  /** Use of the quota of commands that wait. */
  get waitingUse(): QuotaCounts {
    return this.#mailboxes
  }

  /** Number of outcomes that wait for the durability barrier. */
  get waitingAnswers(): number {
    return this.#barrier.waiting
  }

  /** The engine's time, which never decreases. */
  nowMs(): TimeMs {
    return this.#clock.nowMs()
  }

  /**
   * Queues the command; `reply` gets its outcome once it is durable. Returns a code when the command is rejected at once.
   *
   * The event loop may read thousands of requests before its check phase, in which bursts run: libuv polls up to 48 times 1024
   * sockets. Mailboxes would fill and refuse while the engine is idle, so a full burst of queued commands runs here, before the
   * new one is queued. 8192 connections of one merchant got 0.3 to 0.7 of the payouts/s of 256 before, and 0.9 or more since.
   * The end of a flush is seen only behind the sockets that are ready before it, and until then a full batch has no room: in a
   * traced run all 1082 rejections of one merchant's full mailbox came after the last write of their flush.
   */
  submit(envelope: Envelope, reply: Reply): ErrorCode | null {
    if (this.#mailboxes.count >= LINES_PER_BURST_MAX && !this.#isWorking && this.#hasRoom()) this.#guard(this.#burst)
    if (this.#stopped || this.#log === null) return 'unavailable'
    if (!this.#put(envelope, reply)) return 'quota_exceeded'
    this.#planBurst()
    return null
  }

  #put(envelope: Envelope, reply: Reply): boolean {
    return this.#mailboxes.put(envelope, reply, linesOf(this.#registry, this.state, envelope.command))
  }

  /** As `Turns.known`. The result may not be durable yet: send it by `whenDurable`. */
  known(idempotency: IdempotencyKey): Outcome | null {
    return this.#turns.known(idempotency)
  }

  /** Calls `run` when every record that a read may have seen by now is durable. */
  whenDurable(run: () => void): void {
    if (this.#failure !== null) return
    if (this.#lastSequence <= this.#barrier.durable) run()
    else this.#barrier.pass(this.#lastSequence, { settle: run }, SEEN)
  }

  /**
   * Calls with each durable record from now on, in order, before the outcomes of its batch leave. Returns a function
   * that unsubscribes.
   */
  subscribe(onRecord: (record: LogRecord) => void): () => void {
    this.#subscribers = [...this.#subscribers, onRecord]
    return () => {
      this.#subscribers = this.#subscribers.filter((subscriber) => subscriber !== onRecord)
    }
  }

  /**
   * Follower: applies the next batch, which is durable at the owner of the log. A batch that does not continue the
   * log, is damaged or is of a newer release stops the engine unapplied. The local log must hold the batch already.
   */
  apply(batch: StoredBatch): void {
    assert(this.#log === null, 'the owner of the log applies its own batches')
    this.#guard(() =>
      this.#applied(applyNext(this.#registry, this.state, this.history, batch, { through: this.#lastSequence, hash: this.#batch.hash })),
    )
  }

  #applied({ through, hash, records }: AppliedBatch): void {
    this.#lastSequence = through
    this.#batch.applied(hash)
    for (const { timeMs } of records) this.#clock.advanceTo(timeMs)
    this.#captureSnapshotWhenDue()
    this.#publish(records, through)
    this.#afterWork()
  }

  /** Promotes a follower: it owns `log` from now on, without a replay. Due timers run first. */
  promote(log: DurableLog): void {
    assert(this.#log === null, 'a follower is promoted once')
    assert(log.durableSequence === this.#lastSequence, 'a follower is promoted at the end of the log')
    this.#log = log
    if (!this.#stopped) this.#planBurst()
  }

  /** Called when the local log has more batches on disk, where it is written behind the log that acknowledges. */
  copied(): void {
    this.#guard(() => {
      this.history.durable(this.#barrier.durable)
      this.#storeSnapshot()
      this.#afterWork()
    })
  }

  /**
   * Takes no more commands, finishes the queued ones, stores index and snapshot, and resolves when all of it is on
   * disk. Rejects with the first failure.
   */
  close(): Promise<void> {
    this.#stopped = true
    this.#alarm.cancel()
    this.#closed ??= new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure)
      this.#closing = { resolve, reject }
      this.#afterWork()
    })
    return this.#closed
  }

  /**
   * Runs work that the event loop, the log or the archive calls. A bug in it stops the engine before any further
   * outcome leaves.
   */
  #guard(work: () => void): void {
    if (this.#failure !== null) return
    const wasWorking = this.#isWorking
    this.#isWorking = true
    try {
      work()
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
    this.#isWorking = wasWorking
  }

  #planBurst(): void {
    if (this.#burstPlanned) return
    this.#burstPlanned = true
    this.#ports.scheduler.soon(this.#onBurst)
  }

  readonly #onBurst = (): void => {
    this.#burstPlanned = false
    this.#guard(this.#burst)
  }

  readonly #burst = (): void => {
    const timeMs = this.nowMs()
    if (!this.#stopped && this.#log !== null) this.#timers.fire(timeMs)
    const { clock } = this.#ports
    const startedMs = clock.now()
    for (let lines = 0; lines < LINES_PER_BURST_MAX && this.#hasRoom() && clock.now() - startedMs <= BURST_MAX_MS; ) {
      // A long turn is the first of its burst, so the records of short ones are in the flush while it runs.
      const queued = this.#mailboxes.take(lines === 0 ? undefined : SHORT_TURN_LINES_MAX)
      if (queued === null) break
      lines += queued.cost
      this.#turn(queued.envelope, queued.reply, timeMs)
      this.#timers.sawTurn(queued.cost, timeMs)
      this.#mailboxes.done(queued)
    }
    this.#flush()
    this.#planTurns()
    this.#afterWork()
  }

  /** Schedules the next burst: at once, or when the archive has room. A full batch waits for the current flush. */
  #planTurns(): void {
    if (this.#mailboxes.count === 0) return
    if (this.#hasRoom()) this.#planBurst()
    else if (this.history.isFull) this.history.onceRoom(this.#onRoom)
  }

  readonly #onRoom = (): void => this.#planBurst()

  #turn(envelope: Envelope, reply: Reply, timeMs: TimeMs): void {
    const { record, outcome } = this.#turns.run(envelope, this.#lastSequence + 1, timeMs)
    this.figures.turns++
    if (record !== null) {
      this.#lastSequence = record.sequence
      this.#clock.advanceTo(record.timeMs)
      this.#batch.add(record)
      this.history.add(record, false)
    }
    this.#barrier.pass(this.#lastSequence, reply, outcome)
  }

  /** Bounds the gathering batch, and what the archive has to store. */
  #hasRoom(): boolean {
    return this.#batch.hasRoom && !this.history.isFull
  }

  #flush(): void {
    const log = this.#log
    const begun = this.#batch.beginFlush(log?.largeRecordBytes ?? 0)
    if (begun === null) return
    if (begun === 'wait') return this.#planBurst()
    assert(log !== null, 'a follower has no records of its own')
    this.figures.flushes++
    this.figures.records += begun.records.length
    this.#captureSnapshotWhenDue()
    const [first, ...others] = begun.batches
    log.append([this.#toAppend(first, log), ...others.map((batch) => this.#toAppend(batch, log))], this.#onFlushed)
  }

  #toAppend({ firstSequence, recordCount, bytes }: EncodedBatch, { partition, epoch }: DurableLog): BatchToAppend {
    this.figures.flushedBytes += bytes.length
    return { partition, epoch, expectedSequence: firstSequence, recordCount, bytes }
  }

  readonly #onFlushed = (error: Error | null): void => {
    if (error !== null) return this.#fail(error)
    this.#guard(this.#afterFlush)
  }

  readonly #afterFlush = (): void => {
    const flushed = this.#batch.endFlush()
    // The next batch is flushed while the outcomes of this one leave.
    this.#flush()
    const last = (flushed[flushed.length - 1] as LogRecord).sequence
    this.#publish(flushed, last)
    this.#planTurns()
    this.#afterWork()
  }

  /** Shows the records through `last`, which are durable, to readers, subscribers and callers. */
  #publish(records: readonly LogRecord[], last: number): void {
    this.history.durable(last)
    const subscribers = this.#subscribers
    for (const record of records) for (const onRecord of subscribers) onRecord(record)
    this.#barrier.open(last)
    this.#storeSnapshot()
  }

  #captureSnapshotWhenDue(): void {
    if (this.#snapshotter.isDue(this.#lastSequence, this.nowMs())) this.#captureSnapshot()
  }

  #captureSnapshot(): void {
    this.#snapshotter.capture({ sequence: this.#lastSequence, timeMs: this.#clock.recordMs, batchHash: this.#batch.hash }, this.nowMs())
  }

  /** A snapshot ahead of the local log is useless after a crash: recovery needs both. */
  #storeSnapshot(): void {
    this.#snapshotter.store(Math.min(this.#barrier.durable, this.#ports.localLog.durableSequence))
  }

  /** Whether a timer is due whose effect is not durable yet. */
  get hasDueTimers(): boolean {
    return this.#timers.areDue(this.nowMs())
  }

  /** Sets the alarm: for the next timer, or for the heartbeat while an index segment is open. */
  #planWake(): void {
    const dueMs = this.#log === null ? null : this.#timers.nextDueMs()
    const timerMs = dueMs === null ? Number.POSITIVE_INFINITY : this.#clock.clockTimeOf(dueMs)
    const heartbeatMs =
      this.history.tailEntries > 0 || this.#snapshotter.sequence < this.#lastSequence
        ? this.#ports.clock.now() + HEARTBEAT_MS
        : Number.POSITIVE_INFINITY
    if (this.#stopped) return
    // An alarm takes a millisecond at least, which each turn of a disbursement would wait.
    if (this.#timers.areLong && timerMs <= this.#ports.clock.now()) this.#planBurst()
    else this.#alarm.set(Math.min(timerMs, heartbeatMs))
  }

  readonly #wake = (): void => {
    this.history.sealOld(this.nowMs())
    if (this.#batch.areEmpty && this.#lastSequence > this.#snapshotter.sequence) {
      this.#captureSnapshotWhenDue()
      this.#storeSnapshot()
    }
    this.#burst()
  }

  /** Runs after each burst, flush and snapshot: sets the next alarm, or takes the next step of the shutdown. */
  readonly #afterWork = (): void => {
    if (this.#failure !== null) return
    if (this.#closing === null) return this.#planWake()
    if (this.#mailboxes.count > 0) return this.#planTurns()
    if (!this.#batch.areEmpty || this.#snapshotter.isBusy) return
    if (this.#snapshotter.sequence < this.#lastSequence) {
      this.#captureSnapshot()
      this.#storeSnapshot()
      return
    }
    if (!this.history.sealAll()) return this.history.onceRoom(this.#onStored)
    const { resolve } = this.#closing
    this.#closing = null
    resolve()
  }

  readonly #onStored = (): void => this.#guard(this.#afterWork)

  #fail(error: Error): void {
    if (this.#failure !== null) return
    this.#failure = error
    this.#stopped = true
    this.#alarm.cancel()
    this.#closing?.reject(error)
    this.#closing = null
    this.#ports.onFatal(error)
  }
}
