// The simulated machines: a disk that outlives crashes, one node that owns the log, and now and then a second one that follows it.
import assert from 'node:assert/strict'
import { Engine } from '../../../engine/actor/engine.ts'
import type { Clock, LocalLogReader, Scheduler } from '../../../engine/actor/ports.ts'
import { LOG_BYTES_PER_DAY, type LogBudgets } from '../../../engine/domain/log-budget/log-budget-limits.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { type CrashOutcome, FaultyLog } from '../../support/faulty-log.ts'
import { SIM_LARGE_RECORD_BYTES } from '../../support/log-batches.ts'
import { MemoryLog } from '../../support/memory-log.ts'
import type { Prng } from '../../support/prng.ts'
import { turnUntil } from '../../support/turn-until.ts'
import type { Fault } from './coverage.ts'
import type { Decisions } from './decisions.ts'
import { ArchiveDisk, SimArchive } from './sim-archive.ts'
import { SimLoop } from './sim-loop.ts'
import type { Settings } from './swarm.ts'

const STEP_MS = 90_000
/** A flush that takes as long is slow. */
const SLOW_FLUSH_MS = 20
/** So little that an account is stopped within a run. */
const TIGHT: LogBudgets = { live: 20_000, test: 20_000, unproven: 200_000 }

/** What a machine schedules is forgotten with it. */
class Power implements Clock, Scheduler {
  readonly #loop: SimLoop
  #isOn = true

  constructor(loop: SimLoop) {
    this.#loop = loop
  }

  now(): number {
    return this.#loop.now()
  }

  soon(run: () => void): void {
    this.#loop.soon(() => this.#run(run))
  }

  at(timeMs: number, run: () => void): () => void {
    return this.#loop.at(timeMs, () => this.#run(run))
  }

  off(): void {
    this.#isOn = false
  }

  #run(run: () => void): void {
    if (this.#isOn) run()
  }
}

const CRASH_FAULTS = {
  idle: 'crash between flushes',
  lost: 'crash, flush lost',
  kept: 'crash, flush kept',
  torn: 'crash, flush torn',
} as const satisfies Record<CrashOutcome, Fault>

interface Node {
  readonly engine: Engine
  readonly power: Power
  readonly archiveDisk: ArchiveDisk
}

export interface MachineEvents {
  /** Gets what the owner decides. */
  readonly decisions: Decisions
  readonly onRecord: (record: LogRecord) => void
  /** A failure that the simulator made. Anything else is thrown. */
  readonly onFailure: () => void
  /** A slow flush ends. */
  readonly onSlowFlush: () => void
}

export class Machine {
  readonly loop: SimLoop
  readonly disk = new MemoryLog({ soon: (run) => run(), largeRecordBytes: SIM_LARGE_RECORD_BYTES })
  readonly #prng: Prng
  readonly #settings: Settings
  readonly #events: MachineEvents
  #archiveDisk = new ArchiveDisk()
  #log: FaultyLog
  #owner: Node | null = null
  #follower: Node | null = null
  #bug: Error | null = null
  hasFailed = false

  constructor(settings: Settings, prng: Prng, events: MachineEvents) {
    this.#settings = settings
    this.#prng = prng
    this.#events = events
    this.loop = new SimLoop(prng, settings.startMs)
    this.#log = this.#openLog(this.loop)
  }

  get engine(): Engine {
    assert.ok(this.#owner !== null, 'a node runs')
    return this.#owner.engine
  }

  get log(): LocalLogReader {
    return this.#log
  }

  /** Recovers from the disk, as a process that starts does. */
  async open(): Promise<void> {
    this.hasFailed = false
    this.#events.decisions.restart()
    const power = new Power(this.loop)
    this.#log = this.#openLog(power)
    const { engine, archiveDisk } = await this.#start(power, this.#archiveDisk, (ports) =>
      Engine.open({ ...ports, log: this.#log, localLog: this.#log }),
    )
    this.#owner = { engine, power, archiveDisk }
  }

  get isRunning(): boolean {
    return this.#owner !== null && !this.hasFailed
  }

  /** Power failure. The archive may be behind afterwards, or gone. Returns what happened to the disk. */
  async crash(): Promise<readonly Fault[]> {
    this.#owner?.power.off()
    this.#owner = null
    const flush = CRASH_FAULTS[await this.#log.crash()]
    if (this.#follower === null) this.loop.forgetAll()
    this.#log = this.#openLog(this.loop)
    const { archiveLoss } = this.#settings.faults
    if (!this.#prng.chance(archiveLoss)) return [flush]
    const { writes } = this.#archiveDisk
    const kept = this.#prng.chance(0.5) ? this.#prng.below(writes.length + 1) : 0
    this.#archiveDisk.fallBack(kept)
    return [flush, kept === 0 ? 'crash, archive lost' : 'crash, archive behind']
  }

  /** A second node begins to follow the log. */
  async follow(): Promise<void> {
    if (this.#follower !== null) return
    const power = new Power(this.loop)
    const started = await this.#start(power, new ArchiveDisk(), (ports) => Engine.follow({ ...ports, localLog: this.disk }, this.disk))
    this.#follower = { ...started, power }
  }

  get hasFollower(): boolean {
    return this.#follower !== null
  }

  /** The follower gets batches that are durable. */
  ship(count: number): void {
    const engine = this.#follower?.engine
    if (engine === undefined) return
    for (let batches = 0; batches < count && engine.lastSequence < this.disk.durableSequence; batches++) {
      const batch = this.disk.batchAt(engine.lastSequence + 1)
      assert.ok(batch !== null)
      engine.apply(batch)
    }
    this.throwBug()
  }

  /** The owner is gone; the follower takes its place. */
  async takeOver(): Promise<void> {
    const follower = this.#follower
    assert.ok(follower !== null)
    await this.crash()
    this.hasFailed = false
    this.ship(Number.MAX_SAFE_INTEGER)
    this.#log = this.#openLog(follower.power)
    this.#follower = null
    this.#owner = follower
    this.#archiveDisk = follower.archiveDisk
    this.#events.decisions.restart()
    follower.engine.promote(this.#log)
    this.throwBug()
  }

  step(withinMs: number): boolean {
    const hasMoved = this.loop.step(withinMs)
    this.throwBug()
    return hasMoved
  }

  until<Value>(promise: Promise<Value>): Promise<Value> {
    return turnUntil(promise, () => this.step(STEP_MS))
  }

  /** What a node found wrong: it stops, and the run fails. */
  throwBug(): void {
    if (this.#bug !== null) throw this.#bug
  }

  #openLog(scheduler: Scheduler): FaultyLog {
    const { appendFails, appendMs } = this.#settings.faults
    const faults = { appendFails, delayMaxMs: appendMs }
    return new FaultyLog({
      ...{ disk: this.disk, faults, random: this.#prng.next, nowMs: () => this.loop.now() },
      scheduler: { soon: (run) => scheduler.soon(run), at: (timeMs, run) => scheduler.at(timeMs, this.#flush(timeMs, run)) },
    })
  }

  #flush(untilMs: number, run: () => void): () => void {
    if (untilMs - this.loop.now() < SLOW_FLUSH_MS) return run
    return () => {
      this.#events.onSlowFlush()
      run()
    }
  }

  async #start(
    power: Power,
    archiveDisk: ArchiveDisk,
    start: (ports: Omit<Parameters<typeof Engine.follow>[0], 'localLog'>) => Promise<Engine>,
  ): Promise<Omit<Node, 'power'>> {
    const { archiveMs, archiveFails, falseHits } = this.#settings.faults
    const archive = new SimArchive(archiveDisk, power, this.#prng, { delayMaxMs: archiveMs, writeFails: archiveFails, falseHits })
    let own: Engine | null = null
    const opening = start({
      archive: archive,
      clock: power,
      random: this.#prng,
      scheduler: power,
      registry: this.#events.decisions.registry,
      ...(this.#settings.isTight ? { logBudgets: TIGHT } : { logBudgets: LOG_BYTES_PER_DAY }),
      onRecord: (record) => {
        if (own !== null && this.#owner?.engine === own) this.#events.onRecord(record)
      },
      onFatal: (error) => {
        if (!/injected failure/i.test(error.message)) this.#bug ??= error
        else if (own !== null && this.#follower?.engine === own) this.#follower = null
        else {
          this.hasFailed = true
          this.#events.onFailure()
        }
      },
    })
    own = await this.until(opening)
    return { engine: own, archiveDisk }
  }
}
