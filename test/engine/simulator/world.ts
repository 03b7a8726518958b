// One simulated world from one seed: clients, an engine, a log and an archive that fail, a clock that jumps, power cuts.
// After every step the money adds up; after every rest and restart everything is compared with the auditor.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Engine } from '../../../engine/actor/engine.ts'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import { FaultyLog } from '../../../wal/log/faulty-log.ts'
import { MemoryLog } from '../../../wal/log/memory-log.ts'
import { START_MS } from '../../support/engine-fixture.ts'
import { SIM_LARGE_RECORD_BYTES } from '../../support/log-batches.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'
import { Prng } from '../../support/prng.ts'
import { turnUntil } from '../../support/turn-until.ts'
import { Auditor } from './auditor.ts'
import { countRecords, noFigures, type WorldResult } from './figures.ts'
import { checkLists } from './list-check.ts'
import { assertMoneyAddsUp } from './money.ts'
import { ReplayedState } from './replayed-state.ts'
import { Clients, type Request } from './requests.ts'
import { ArchiveDisk, SimArchive } from './sim-archive.ts'
import { SimLoop } from './sim-loop.ts'

const LIVES_MAX = 5
const ACTIONS_PER_LIFE_MAX = 60
/** One world of so many begins with this number of wallets. */
const [WORLDS_PER_CROWD, CROWD, CROWD_PER_REST] = [70, 1100, 500]
const JUMP_MAX_MS = 90_000
/** Longer than any alarm of the engine's housekeeping and any delay of log and archive. */
const REST_MS = 5000
/** More steps than any rest needs: beyond, the engine goes round in circles. */
const STEPS_MAX = 100_000

export class World {
  readonly figures = noFigures()
  readonly #prng: Prng
  readonly #loop: SimLoop
  readonly #disk = new MemoryLog({ soon: (run) => run(), largeRecordBytes: SIM_LARGE_RECORD_BYTES })
  readonly #archiveDisk = new ArchiveDisk()
  readonly #auditor = new Auditor()
  readonly #clients: Clients
  readonly #requests: Request[] = []
  readonly #told = createHash('sha256')
  /** Chances of faults of this world: some have none, some many. */
  readonly #badness: number
  /** Time that passes with every action, in some worlds: snapshots and segments become due all the time. */
  readonly #hurryMs: number
  readonly #isCrowded: boolean
  #log: FaultyLog
  #engine: Engine | null = null
  #fatal: Error | null = null
  readonly #replayed = new ReplayedState(this.#auditor.records)

  constructor(seed: number) {
    this.#prng = new Prng(seed)
    this.#loop = new SimLoop(this.#prng, START_MS)
    this.#clients = new Clients(this.#prng, this.#auditor.books, this.#auditor.charges, this.#auditor.bills)
    this.#badness = this.#prng.pick([0, 0.002, 0.01])
    this.#hurryMs = this.#prng.pick([0, 0, 40_000, 600_000])
    this.#isCrowded = seed % WORLDS_PER_CROWD === 0
    this.#log = this.#openLog()
  }

  async run(): Promise<WorldResult> {
    const lives = 1 + this.#prng.below(LIVES_MAX)
    for (let life = 0; life < lives; life++) {
      await this.#open()
      if (this.#isCrowded && life === 0) this.#crowd()
      const actions = this.#prng.below(ACTIONS_PER_LIFE_MAX)
      for (let action = 0; action < actions && this.#fatal === null; action++) this.#act()
      await this.#end()
    }
    await this.#lastLife()
    countRecords(this.figures, this.#auditor.records)
    this.#told.update(this.#auditor.hash)
    return { hash: this.#told.digest('hex'), figures: this.figures }
  }

  /** Every client sends all its requests again; then all of it is compared once more. */
  async #lastLife(): Promise<void> {
    do {
      await this.#open()
      for (const request of this.#requests) this.#send(request)
      this.#rest()
      if (this.#fatal !== null) await this.#crash()
    } while (this.#fatal !== null)
    for (const { outcome } of this.#requests) assert.ok(outcome !== null, 'in the end every client has its answer')
    await this.#close()
    await this.#afterAll()
  }

  /** Long after everything: no timer was forgotten. */
  async #afterAll(): Promise<void> {
    do {
      await this.#open()
      for (let hours = 0; hours < 3; hours++) {
        this.#loop.pass(3_600_000)
        while (this.#step(REST_MS));
      }
      if (this.#fatal !== null) await this.#crash()
    } while (this.#fatal !== null)
    this.#rest()
    const { state } = this.#running
    assert.deepEqual(
      [this.#auditor.charges.pendingCount, state.charges.pending.size, state.timers.size],
      [0, 0, 0],
      'what was due has come',
    )
    await this.#crash()
  }

  get #running(): Engine {
    assert.ok(this.#engine !== null)
    return this.#engine
  }

  #openLog(): FaultyLog {
    const { next } = this.#prng
    const faults = { appendFails: this.#badness, delayMaxMs: this.#prng.pick([0, 3, 40, 4000]) }
    return new FaultyLog({ disk: this.#disk, faults, random: next, scheduler: this.#loop, nowMs: () => this.#loop.now() })
  }

  async #open(): Promise<void> {
    this.#fatal = null
    this.#log = this.#openLog()
    const faults = { delayMaxMs: this.#prng.pick([0, 20, 1500]), writeFails: this.#badness, falseHits: this.#prng.pick([0, 0.3]) }
    const archive = new SimArchive(this.#archiveDisk, this.#loop, this.#prng, faults)
    const opening = Engine.open({
      log: this.#log,
      localLog: this.#log,
      archive,
      clock: this.#loop,
      random: this.#prng,
      scheduler: this.#loop,
      onRecord: (record) => {
        this.#auditor.catchUp(this.#log)
        this.#auditor.compareLive(record)
      },
      onFatal: (error) => {
        assert.equal(this.#fatal, null, 'a failure is reported once')
        // Nothing may fail but what the simulator lets fail; findings of the auditor come here too.
        if (!/injected failure/i.test(error.message)) throw error
        this.#fatal = error
        this.figures.failures++
      },
    })
    this.#engine = await this.#until(opening)
    this.#auditor.catchUp(this.#log)
    this.#compareAll()
    this.#replayed.compare(this.#running.state, 'snapshot and tail give what the whole log gives')
  }

  #act(): void {
    if (this.#hurryMs > 0) this.#loop.pass(this.#prng.below(this.#hurryMs))
    const dice = this.#prng.next()
    if (dice < 0.45) this.#sendFresh()
    else if (dice < 0.55) this.#sendAgain()
    else if (dice < 0.58) this.#sendOther()
    else if (dice < 0.65) this.#read()
    else if (dice < 0.7) this.#loop.jump(this.#prng.below(2 * JUMP_MAX_MS) - JUMP_MAX_MS)
    else if (dice < 0.73) this.#loop.pass(this.#prng.below(JUMP_MAX_MS))
    else if (dice < 0.76) this.#rest()
    else for (let steps = this.#prng.below(30); steps > 0; steps--) this.#step(50)
  }

  /** More accounts than one block of a snapshot holds. */
  #crowd(): void {
    for (let number = 0; number < CROWD && this.#fatal === null; number++) {
      if (number % CROWD_PER_REST === 0) this.#rest()
      if (this.#fatal === null) this.#sendNew(this.#clients.crowdWallet(number))
    }
  }

  #sendNew(request: Request): void {
    this.#requests.push(request)
    this.#auditor.issue(request)
    this.#send(request)
  }

  #sendFresh(): void {
    const request = this.#clients.fresh()
    this.#sendNew(request)
    while (this.#prng.chance(0.1)) this.#send(request)
  }

  #sendAgain(): void {
    if (this.#requests.length > 0) this.#send(this.#prng.pick(this.#requests))
  }

  #sendOther(): void {
    const keyed = this.#requests.filter(({ envelope }) => envelope.idempotency !== null)
    if (keyed.length > 0) this.#sendNew(this.#clients.reuseOf(this.#prng.pick(keyed)))
  }

  #send(request: Request): void {
    this.figures.commands++
    // Without a key the result is unknown: a careful client does not send it twice.
    if (request.envelope.idempotency === null && request.outcome !== null) return
    const refusal = this.#running.submit(request.envelope, { settle: (outcome) => this.#settled(request, outcome) })
    assert.equal(refusal, this.#fatal === null ? null : 'unavailable')
  }

  #settled(request: Request, outcome: Outcome): void {
    assert.equal(this.#fatal, null, 'nothing is answered after a failure')
    this.#auditor.catchUp(this.#log)
    this.#auditor.told(request, outcome)
    request.outcome = outcome
    this.figures.acknowledged++
    if (outcome.replayed) this.figures.replayed++
    this.#told.update(`${outcomeStatus(outcome)} ${outcome.body} ${outcome.replayed}\n`)
  }

  /** What a read has seen is on disk when its answer leaves. */
  #read(): void {
    const { state, history, lastSequence } = this.#running
    const balances = Array.from({ length: state.accounts.count }, (_, account) => state.accounts.balance(account))
    const newest = lastSequence === 0 ? null : history.record(lastSequence)
    this.#running.whenDurable(() => {
      assert.ok(this.#log.durableSequence >= lastSequence)
      this.#auditor.catchUp(this.#log)
      assert.deepEqual(
        this.#auditor.records[lastSequence - 1]?.events.map(({ text }) => text),
        newest?.events.map(({ text }) => text),
      )
      if (this.#auditor.sequence === lastSequence) {
        assert.deepEqual(
          balances,
          this.#auditor.books.holders.map(({ balance }) => balance),
        )
      }
    })
  }

  #step(withinMs: number): boolean {
    if (this.#fatal !== null) return false
    const moved = this.#loop.step(withinMs)
    if (this.#engine !== null) assertMoneyAddsUp(this.#engine.state)
    return moved
  }

  /** Until nothing waits for anything; then live state and auditor have seen the same. */
  #rest(): void {
    const engine = this.#running
    for (let steps = 0; this.#fatal === null; steps++) {
      assert.ok(steps < STEPS_MAX, 'the engine comes to rest')
      const isIdle = engine.waitingCommands === 0 && engine.waitingAnswers === 0 && engine.lastSequence === this.#log.durableSequence
      if (isIdle || !this.#step(REST_MS)) break
    }
    if (this.#fatal !== null) return
    assert.deepEqual([engine.waitingCommands, engine.waitingAnswers], [0, 0], 'nothing is forgotten')
    this.#auditor.catchUp(this.#log)
    this.#compareAll()
    this.#replayed.compare(engine.state, 'live state is what a replay gives')
  }

  #compareAll(): void {
    assert.equal(this.#running.lastSequence, this.#auditor.sequence)
    this.#auditor.compare(this.#running.state)
    checkLists(this.#running.history, this.#auditor.payouts, this.#prng)
  }

  async #end(): Promise<void> {
    if (this.#fatal === null && this.#prng.chance(0.3)) await this.#close()
    else await this.#crash()
  }

  async #crash(): Promise<void> {
    this.figures.crashes++
    this.figures.snapshots += this.#running.figures.snapshots
    this.#engine = null
    await this.#log.crash()
    this.#loop.forgetAll()
    this.#auditor.catchUp(this.#openLog())
    const dice = this.#prng.next()
    if (dice < 0.6) return
    this.figures.archiveLosses++
    this.#archiveDisk.fallBack(dice < 0.8 ? this.#prng.below(this.#archiveDisk.writes.length + 1) : 0)
  }

  /** Asked to stop: what was sent is answered, and the next start has nothing to replay. */
  async #close(): Promise<void> {
    this.figures.closes++
    const engine = this.#running
    try {
      await this.#until(engine.close())
    } catch (error) {
      assert.equal(error, this.#fatal, 'a close fails by a failure alone')
      return this.#crash()
    }
    assert.deepEqual([engine.waitingCommands, engine.waitingAnswers], [0, 0], 'each accepted client is answered')
    this.#engine = null
    this.#loop.forgetAll()
    await this.#open()
    assert.equal(this.#running.recovered.replayedRecords, 0)
    await this.#crash()
  }

  #until<Value>(promise: Promise<Value>): Promise<Value> {
    return turnUntil(promise, () => this.#step(JUMP_MAX_MS))
  }
}
