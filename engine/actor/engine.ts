// The engine: commands in, durable outcomes out. Turns run in bursts against memory; their records gather in a batch
// while the batch before is being flushed; when a flush is on disk, its answers leave. One flush at a time, no timer.
// A follower takes no commands: it applies the batches of another node's engine until it is promoted.
import type { ErrorCode } from '../contract/errors.ts'
import type { LogBudgets } from '../domain/log-budget/log-budget-limits.ts'
import { newState } from '../domain/new-state.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { LogRecord } from '../domain/record.ts'
import { REGISTRY } from '../domain/registry.ts'
import type { State } from '../domain/state.ts'
import { timerEnvelope } from '../domain/timers.ts'
import { assert } from '../kernel/assert.ts'
import { IdSource } from '../kernel/ids.ts'
import {
  BATCH_BYTES_MAX,
  BATCH_RECORDS_MAX,
  EVENTS_PER_BURST_MAX,
  IMAGE_AGE_MAX_MS,
  IMAGE_RECORDS,
  TIMER_WORK_UNDER_WAY_MAX,
  TURNS_PER_BURST_MAX,
} from '../kernel/limits.ts'
import type { TimeMs } from '../kernel/time.ts'
import { DurabilityBarrier } from './durability-barrier.ts'
import type { Envelope, IdempotencyKey, Outcome, Reply } from './envelope.ts'
import { type AppliedBatch, applyNext } from './follow.ts'
import { History } from './history.ts'
import { Mailboxes } from './mailboxes.ts'
import type { Archive, Clock, DurableLog, LocalLogReader, LogReader, Random, Scheduler, StoredBatch } from './ports.ts'
import { BatchEncoder } from './record-codec.ts'
import { type Recovered, recover } from './replay.ts'
import { type CapturedSnapshot, captureSnapshot, serializeSnapshot } from './snapshot.ts'
import { Turns } from './turn.ts'

/** Of an engine that follows: it has no log to append to. */
export interface FollowerPorts {
  /** The same log on this machine, for synchronous reads. */
  readonly localLog: LocalLogReader
  readonly archive: Archive
  readonly clock: Clock
  readonly random: Random
  readonly scheduler: Scheduler
  /** A failed flush or archive, or a bug: the process must stop at once and replay at its next start. Called once. */
  readonly onFatal: (error: Error) => void
  /** The first subscriber. Gets each durable record, in order: stream events, webhooks and pushes leave from here, never earlier. */
  readonly onRecord?: (record: LogRecord) => void
  /** What a merchant may write into the log in a day; LOG_BYTES_PER_DAY without it. */
  readonly logBudgets?: LogBudgets
  /** The nouns; all of Cauri's without it. */
  readonly registry?: NounRegistry
}

export interface EnginePorts extends FollowerPorts {
  readonly log: DurableLog
}

export interface EngineFigures {
  turns: number
  records: number
  flushes: number
  flushedBytes: number
  images: number
}

/** Housekeeping beat while there is something to hand over. */
const BEAT_MS = 500
const SEEN: Outcome = { kind: 'ok', body: '', replayed: false }

export class Engine {
  readonly state: State
  readonly history: History
  readonly recovered: Recovered
  readonly figures: EngineFigures = { turns: 0, records: 0, flushes: 0, flushedBytes: 0, images: 0 }
  readonly #ports: FollowerPorts
  readonly #registry: NounRegistry
  /** Null while another node owns the log and this engine follows it. */
  #log: DurableLog | null
  readonly #turns: Turns
  readonly #mailboxes = new Mailboxes()
  readonly #gate = new DurabilityBarrier()
  readonly #encoder = new BatchEncoder()
  /** A new array with each change: a subscriber may end itself while records are handed out. */
  #subscribers: readonly ((record: LogRecord) => void)[]
  /** Records of the gathering batch, and of the one that is being flushed. */
  #gathering: LogRecord[] = []
  #flushing: LogRecord[] | null = null
  #lastSequence: number
  /** What the clock said when it was last asked. */
  #clockMs: TimeMs
  /** The engine's time, with the halves of milliseconds that a slow clock leaves. */
  #exactMs: TimeMs
  #batchHash: string
  #burstPlanned = false
  #stopped = false
  /** From here on nothing is decided, written or answered any more. */
  #failure: Error | null = null
  #imageSequence: number
  #imageTimeMs: TimeMs
  /** Waits for its batch to be durable, then is serialized and stored; one at a time. */
  #image: CapturedSnapshot | null = null
  #imageBusy = false
  #wakeMs = Number.POSITIVE_INFINITY
  #cancelWake: () => void = () => {}
  #timerWorkUnderWay = 0
  #closed: Promise<void> | null = null
  #closing: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null

  private constructor(ports: FollowerPorts, log: DurableLog | null, state: State, history: History, recovered: Recovered) {
    this.#ports = ports
    this.#registry = ports.registry ?? REGISTRY
    this.#subscribers = ports.onRecord === undefined ? [] : [ports.onRecord]
    this.#log = log
    this.state = state
    this.history = history
    this.recovered = recovered
    this.#turns = new Turns(state, history, new IdSource((target) => ports.random.fill(target)), {
      ...(ports.logBudgets === undefined ? {} : { budgets: ports.logBudgets }),
      registry: this.#registry,
    })
    this.#lastSequence = recovered.lastSequence
    this.#clockMs = ports.clock.now()
    this.#exactMs = Math.max(recovered.timeMs, this.#clockMs)
    this.#batchHash = recovered.batchHash
    this.#imageSequence = recovered.imageSequence
    this.#imageTimeMs = recovered.imageTimeMs
    this.#gate.open(recovered.lastSequence)
    this.#planWake()
  }

  /** Recovers and answers an engine that is ready for commands. Throws when the log is not whole. */
  static open(ports: EnginePorts): Promise<Engine> {
    return Engine.#recover(ports, ports.log, ports.log)
  }

  /** Recovers from the copy of the log on this machine. The engine then takes batches by `apply`, and commands once promoted. */
  static follow(ports: FollowerPorts, copy: LogReader): Promise<Engine> {
    return Engine.#recover(ports, copy, null)
  }

  static async #recover(ports: FollowerPorts, from: LogReader, log: DurableLog | null): Promise<Engine> {
    const { registry } = ports
    const state = newState(registry)
    let fatal: (error: Error) => void = ports.onFatal
    const history = new History(ports.localLog, ports.archive, (error) => fatal(error), registry)
    const recovered = await recover(state, history, from, ports.archive, registry)
    const engine = new Engine(ports, log, state, history, recovered)
    fatal = (error) => engine.#fail(error)
    return engine
  }

  get isFollower(): boolean {
    return this.#log === null
  }

  /** Hash of the newest batch, hex. */
  get batchHash(): string {
    return this.#batchHash
  }

  get lastSequence(): number {
    return this.#lastSequence
  }

  get durableSequence(): number {
    return this.#gate.durable
  }

  /** Commands that wait for their turn. */
  get waitingCommands(): number {
    return this.#mailboxes.count
  }

  /** Answers that wait for the disk. */
  get waitingAnswers(): number {
    return this.#gate.waiting
  }

  /**
   * The engine's time: the clock's, but never going back. Behind a clock that was set back it goes on at half speed until
   * the clock has caught up: whoever waits for a time waits longer, and not for ever.
   */
  nowMs(): TimeMs {
    const clockMs = this.#ports.clock.now()
    const passedMs = clockMs - this.#clockMs
    this.#clockMs = clockMs
    if (passedMs > 0) this.#exactMs = Math.max(clockMs, this.#exactMs + passedMs / 2)
    return Math.floor(this.#exactMs)
  }

  /** Queues the command; `reply` hears its outcome once it is durable. A code back means: refused at once, nothing queued. */
  submit(envelope: Envelope, reply: Reply): ErrorCode | null {
    if (this.#stopped || this.#log === null || !this.#mailboxes.put(envelope, reply)) return 'unavailable'
    this.#planBurst()
    return null
  }

  /** As `Turns.known`. What it answers may not be durable yet: it leaves by `whenDurable`. */
  known(idempotency: IdempotencyKey): Outcome | null {
    return this.#turns.known(idempotency)
  }

  /** Runs when everything that a read may have seen by now is durable. */
  whenDurable(run: () => void): void {
    if (this.#failure !== null) return
    if (this.#lastSequence <= this.#gate.durable) run()
    else this.#gate.pass(this.#lastSequence, { settle: run }, SEEN)
  }

  /** Calls with each durable record from now on, in order, before the answers of its batch leave. Returns a function that ends it. */
  subscribe(onRecord: (record: LogRecord) => void): () => void {
    this.#subscribers = [...this.#subscribers, onRecord]
    return () => {
      this.#subscribers = this.#subscribers.filter((subscriber) => subscriber !== onRecord)
    }
  }

  /**
   * Of a follower: applies the next batch of the log, which is durable there. One that does not continue the log, is damaged or
   * was written by a newer release stops the engine, and nothing of it is applied. The local log must hold the batch already.
   */
  apply(batch: StoredBatch): void {
    assert(this.#log === null, 'the owner of the log applies its own batches')
    this.#guard(() =>
      this.#applied(applyNext(this.#registry, this.state, this.history, batch, { through: this.#lastSequence, hash: this.#batchHash })),
    )
  }

  #applied({ through, hash, records }: AppliedBatch): void {
    this.#lastSequence = through
    this.#batchHash = hash
    for (const { timeMs } of records) this.#exactMs = Math.max(this.#exactMs, timeMs)
    this.#captureImageWhenDue()
    this.#publish(records, through)
    this.#afterWork()
  }

  /** Of a follower: the owner of `log` from now on, without a replay. What is due by the clock has its turn first. */
  promote(log: DurableLog): void {
    assert(this.#log === null, 'a follower is promoted once')
    assert(log.durableSequence === this.#lastSequence, 'a follower is promoted at the end of the log')
    this.#log = log
    if (!this.#stopped) this.#planBurst()
  }

  /** The local log holds more batches on disk than before. Called where it is written behind the log that acknowledges. */
  copied(): void {
    this.#guard(() => {
      this.history.durable(this.#gate.durable)
      this.#storeImage()
      this.#afterWork()
    })
  }

  /**
   * Takes no more commands, finishes what is queued, stores index and image, and resolves when all of it is on disk.
   * Rejects with the failure that came before or in between.
   */
  close(): Promise<void> {
    this.#stopped = true
    this.#cancelWake()
    this.#closed ??= new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure)
      this.#closing = { resolve, reject }
      this.#afterWork()
    })
    return this.#closed
  }

  /** Work that comes from the loop, the log or the archive. A bug in it stops the engine before anything more leaves. */
  #guard(work: () => void): void {
    if (this.#failure !== null) return
    try {
      work()
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
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
    if (!this.#stopped && this.#log !== null) this.#fireTimers(timeMs)
    let events = 0
    for (let turns = 0; turns < TURNS_PER_BURST_MAX && events < EVENTS_PER_BURST_MAX && this.#hasRoom(); turns++) {
      const letter = this.#mailboxes.take()
      if (letter === null) break
      events += this.#turn(letter.envelope, letter.reply, timeMs)
    }
    this.#flush()
    this.#planTurns()
    this.#afterWork()
  }

  /** The next burst comes at once, or when the archive has room again; a full batch waits for the flush that is under way. */
  #planTurns(): void {
    if (this.#mailboxes.count === 0) return
    if (this.#hasRoom()) this.#planBurst()
    else if (this.history.isFull) this.history.onceRoom(this.#onRoom)
  }

  readonly #onRoom = (): void => this.#planBurst()

  /** Answers how many events it made. */
  #turn(envelope: Envelope, reply: Reply, timeMs: TimeMs): number {
    const { record, outcome } = this.#turns.run(envelope, this.#lastSequence + 1, timeMs)
    this.figures.turns++
    if (record !== null) {
      this.#lastSequence = record.sequence
      this.#encoder.add(record)
      this.#gathering.push(record)
      this.history.add(record, false)
    }
    this.#gate.pass(this.#lastSequence, reply, outcome)
    return record === null ? 0 : record.events.length
  }

  /** The gathering batch is bounded, and so is what the archive has to catch up with. */
  #hasRoom(): boolean {
    return this.#encoder.recordCount < BATCH_RECORDS_MAX && this.#encoder.sizeBytes < BATCH_BYTES_MAX && !this.history.isFull
  }

  #flush(): void {
    if (this.#flushing !== null || this.#gathering.length === 0) return
    const { bytes, hash } = this.#encoder.finish(this.#batchHash)
    this.#encoder.reset()
    this.#batchHash = hash
    this.#flushing = this.#gathering
    this.#gathering = []
    this.figures.flushes++
    this.figures.flushedBytes += bytes.length
    this.figures.records += this.#flushing.length
    this.#captureImageWhenDue()
    const expectedSequence = (this.#flushing[0] as LogRecord).sequence
    const log = this.#log
    assert(log !== null, 'a follower has no records of its own')
    const { partition, epoch } = log
    log.append({ partition, epoch, expectedSequence, recordCount: this.#flushing.length, bytes }, this.#onFlushed)
  }

  readonly #onFlushed = (error: Error | null): void => {
    if (error !== null) return this.#fail(error)
    this.#guard(this.#afterFlush)
  }

  readonly #afterFlush = (): void => {
    const flushed = this.#flushing as LogRecord[]
    this.#flushing = null
    // The next batch goes to disk while the answers of this one go out.
    this.#flush()
    const last = (flushed[flushed.length - 1] as LogRecord).sequence
    this.#publish(flushed, last)
    this.#planTurns()
    this.#afterWork()
  }

  /** Records through `last` are durable: readers, subscribers and answers may show them. */
  #publish(records: readonly LogRecord[], last: number): void {
    this.history.durable(last)
    const subscribers = this.#subscribers
    for (const record of records) for (const onRecord of subscribers) onRecord(record)
    this.#gate.open(last)
    this.#storeImage()
  }

  /** State and batch agree exactly here: every record of the state is in a closed batch. */
  #captureImageWhenDue(): void {
    const records = this.#lastSequence - this.#imageSequence
    const old = this.nowMs() - this.#imageTimeMs >= IMAGE_AGE_MAX_MS
    if (this.#imageBusy || (records < IMAGE_RECORDS && !old)) return
    this.#capture()
  }

  #capture(): void {
    this.#imageBusy = true
    this.#imageSequence = this.#lastSequence
    const timeMs = this.nowMs()
    this.#imageTimeMs = timeMs
    this.#image = captureSnapshot(this.state, { sequence: this.#lastSequence, timeMs, batchHash: this.#batchHash })
  }

  #storeImage(): void {
    const image = this.#image
    // An image ahead of the local log would be useless after a crash: recovery starts from both.
    if (image === null || image.point.sequence > Math.min(this.#gate.durable, this.#ports.localLog.durableSequence)) return
    this.#image = null
    serializeSnapshot(image, this.#ports.scheduler, (delta) => {
      this.#ports.archive.saveImage(delta, (error) => {
        if (error !== null) return this.#fail(error)
        this.#imageBusy = false
        this.figures.images++
        this.#guard(this.#afterWork)
      })
    })
  }

  /** Whether something is due by the clock whose effect is not durable yet. */
  get hasDueTimers(): boolean {
    const dueMs = this.state.timers.nextDueMs()
    return this.#timerWorkUnderWay > 0 || (dueMs !== null && dueMs <= this.nowMs())
  }

  /** A bounded number at a time, but never behind a full mailbox: under load they have their turn like everybody. */
  #fireTimers(timeMs: TimeMs): void {
    while (this.#timerWorkUnderWay < TIMER_WORK_UNDER_WAY_MAX) {
      const timer = this.state.timers.takeDue(timeMs)
      if (timer === null) break
      const { work, ...envelope } = timerEnvelope(this.#registry, this.state, timer)
      this.#timerWorkUnderWay += work
      const settle = (): void => {
        this.#timerWorkUnderWay -= work
      }
      this.#mailboxes.putOurs(envelope, { settle })
    }
  }

  /** Sets the one alarm: for the next timer, or for the beat while an index segment is open. */
  #planWake(): void {
    // Timers that wait for others to be durable need no alarm: the flush that they wait for brings them their turn.
    const canFire = this.#log !== null && this.#timerWorkUnderWay < TIMER_WORK_UNDER_WAY_MAX
    const dueMs = canFire ? this.state.timers.nextDueMs() : null
    const timerMs = dueMs === null ? Number.POSITIVE_INFINITY : this.#clockTimeOf(dueMs)
    const beatMs =
      this.history.tailEntries > 0 || this.#imageSequence < this.#lastSequence
        ? this.#ports.clock.now() + BEAT_MS
        : Number.POSITIVE_INFINITY
    const wakeMs = Math.min(timerMs, beatMs)
    if (wakeMs >= this.#wakeMs || this.#stopped) return
    this.#cancelWake()
    this.#wakeMs = wakeMs
    this.#cancelWake = this.#ports.scheduler.at(wakeMs, this.#onWake)
  }

  /** What the clock will show when it is `dueMs` for the engine, which may be ahead of it. */
  #clockTimeOf(dueMs: TimeMs): TimeMs {
    const leftMs = Math.max(0, dueMs - this.nowMs())
    return Math.min(dueMs, this.#clockMs + 2 * leftMs)
  }

  readonly #onWake = (): void => {
    this.#wakeMs = Number.POSITIVE_INFINITY
    this.#guard(this.#wake)
  }

  readonly #wake = (): void => {
    this.history.sealOld(this.nowMs())
    if (this.#flushing === null && this.#gathering.length === 0 && this.#lastSequence > this.#imageSequence) {
      this.#captureImageWhenDue()
      this.#storeImage()
    }
    this.#burst()
  }

  /** After each burst, flush and image: plans the next alarm, or takes the next step towards the close. */
  readonly #afterWork = (): void => {
    if (this.#failure !== null) return
    if (this.#closing === null) return this.#planWake()
    if (this.#mailboxes.count > 0) return this.#planTurns()
    if (this.#flushing !== null || this.#gathering.length > 0 || this.#imageBusy) return
    if (this.#imageSequence < this.#lastSequence) {
      this.#capture()
      this.#storeImage()
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
    this.#cancelWake()
    this.#closing?.reject(error)
    this.#closing = null
    this.#ports.onFatal(error)
  }
}
