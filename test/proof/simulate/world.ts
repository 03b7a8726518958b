// One simulated world of one seed: clients, gateways, a clock, a log and an archive that fail, power cuts and changes of owner. Each
// operation is drawn from its own number, so that a run with some left out is still much the same run.
import assert from 'node:assert/strict'
import { Prng } from '../../support/prng.ts'
import type { Request } from './auditor.ts'
import { Clients } from './clients.ts'
import { Machine } from './machine.ts'
import { raceOf } from './races.ts'
import { type Settings, settingsOf } from './swarm.ts'
import { hasKey, Traffic } from './traffic.ts'
import { Watch } from './watch.ts'
import type { WorldOptions, WorldResult } from './world-result.ts'

export const OPERATIONS = 1000
/** Longer than any alarm of the engine's housekeeping and any delay of log and archive. */
const REST_MS = 5000
/** More steps than any rest needs: beyond, the engine goes round in circles. */
const STEPS_MAX = 200_000
const PER_REST = 500
/** The operation at which a burst is sent. */
const BURST_AT = 400

export class World {
  readonly #options: WorldOptions
  readonly #settings: Settings
  readonly #prng: Prng
  readonly #machine: Machine
  readonly #watch = new Watch()
  readonly #clients: Clients
  readonly #requests: Request[] = []
  readonly #traffic: Traffic
  readonly #figures = { operations: 0, crashes: 0, failures: 0, ownerChanges: 0, snapshots: 0 }

  constructor(options: WorldOptions) {
    this.#options = options
    this.#settings = settingsOf(options.seed)
    this.#prng = new Prng(options.seed)
    const { auditor } = this.#watch
    auditor.models.logBudget.isTight = this.#settings.isTight
    this.#clients = new Clients(auditor.models, this.#settings)
    this.#machine = new Machine(this.#settings, this.#prng, {
      decisions: this.#watch.decisions,
      onRecord: (record) => this.#watch.published(this.#machine, record),
      onFailure: () => {
        this.#figures.failures++
        this.#watch.failed()
      },
      onSlowFlush: () => this.#watch.met('slow flush'),
    })
    this.#traffic = new Traffic(this.#machine, this.#watch, this.#prng, this.#settings.faults)
  }

  async run(): Promise<WorldResult> {
    const { operations = OPERATIONS, skipped, seed } = this.#options
    await this.#open()
    this.#crowd()
    for (let number = 0; number < operations; number++) {
      if (skipped?.has(number) === true) continue
      await this.#operate(number, new Prng(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)))
    }
    await this.#lastLife()
    const hash = this.#watch.finish()
    const { auditor, coverage, readers, timersFired } = this.#watch
    return {
      hash,
      figures: {
        ...this.#figures,
        ...this.#traffic.figures,
        records: auditor.records.length,
        timersFired,
        streamReturns: readers.returns,
      },
      coverage,
    }
  }

  async #operate(number: number, prng: Prng): Promise<void> {
    const { faults, burst, favourite } = this.#settings
    this.#figures.operations++
    if (this.#machine.hasFailed) await this.#restart(number, 'restart after a failed write')
    if (prng.chance(0.5)) this.#traffic.sendUnanswered()
    const chances: readonly (readonly [number, () => Promise<void> | void])[] = [
      [faults.crash, () => this.#strike(number, prng, () => this.#restart(number, 'crash'))],
      [faults.close, () => this.#close(number)],
      [faults.ownerChange, () => this.#strike(number, prng, () => this.#changeOwner(number))],
      [faults.jump, () => this.#strike(number, prng, () => this.#jump(number, prng))],
      [faults.pass, () => this.#pass(number, prng)],
      [0.02, () => this.#rest()],
      [0.04, () => this.#watch.read(this.#machine)],
      [0.02, () => this.#watch.readers.connect(this.#machine.engine, prng, prng.next())],
      [faults.other, () => this.#sendOther(number, prng)],
      [faults.again, () => this.#sendAgain(number, prng)],
      [faults.race, () => this.#race(number, prng)],
    ]
    let dice = prng.next()
    for (const [chance, act] of chances) {
      dice -= chance
      if (dice >= 0) continue
      await act()
      return
    }
    const request = this.#clients.draw(prng, number, this.#machine.loop.now())
    this.#sendNew(number, request)
    while (prng.chance(0.05)) this.#traffic.send(request)
    if (number === BURST_AT && burst > 0) this.#burst(burst)
    if (this.#machine.hasFollower && prng.chance(0.3)) this.#machine.ship(1 + prng.below(5))
    for (let steps = prng.below(12); steps > 0; steps--) this.#step(50)
    const isStruck = request.envelope.command.type === favourite && prng.chance(faults.crashAfterFavourite)
    if (isStruck && !this.#machine.hasFailed) await this.#restart(number, 'crash')
  }

  /** A fault, mostly with a few requests under way: it meets them in different states. Names are made of numbers, so each has its own. */
  async #strike(number: number, prng: Prng, fault: () => Promise<void> | void): Promise<void> {
    for (let own = number + OPERATIONS; prng.chance(0.7); own += OPERATIONS) {
      this.#sendNew(number, this.#clients.draw(prng, own, this.#machine.loop.now()))
      for (let steps = prng.below(6); steps > 0; steps--) this.#step(50)
    }
    // A write may have failed meanwhile.
    if (!this.#machine.hasFailed) await fault()
  }

  #trace(number: number, what: string): void {
    this.#options.trace?.(`${number} ${what}`)
  }

  async #open(): Promise<void> {
    await this.#machine.open()
    this.#watch.recovered(this.#machine)
    this.#watch.comparePages(this.#machine, this.#prng)
    this.#watch.readers.connect(this.#machine.engine, this.#prng, 0.5)
  }

  async #restart(number: number, what: string): Promise<void> {
    this.#trace(number, what)
    this.#figures.crashes++
    this.#figures.snapshots += this.#machine.engine.figures.snapshots
    this.#watch.crashed(await this.#machine.crash(), this.#prng)
    this.#traffic.network.cut()
    await this.#open()
    this.#traffic.network.resume()
  }

  /** Asked to stop: what was sent is answered, and the next start has nothing to replay. */
  async #close(number: number): Promise<void> {
    const { engine } = this.#machine
    let isClosed = true
    try {
      await this.#machine.until(engine.close())
    } catch (error) {
      assert.match(String(error), /injected failure/i, 'a close fails by a failure alone')
      isClosed = false
    }
    if (isClosed) assert.deepEqual([engine.waitingCommands, engine.waitingAnswers], [0, 0], 'each accepted client is answered')
    await this.#restart(number, 'close')
  }

  /** A node follows the log first; the next time, it takes over. */
  async #changeOwner(number: number): Promise<void> {
    if (!this.#machine.hasFollower) {
      this.#trace(number, 'a second node follows')
      return this.#machine.follow()
    }
    this.#trace(number, 'the second node takes over')
    this.#figures.ownerChanges++
    this.#watch.crashed(['owner change'], this.#prng)
    this.#traffic.network.cut()
    await this.#machine.takeOver()
    this.#watch.takenOver(this.#machine)
    this.#traffic.network.resume()
    this.#rest()
  }

  #jump(number: number, prng: Prng): void {
    const { passMs } = this.#settings.faults
    const byMs = prng.below(2 * passMs) - passMs
    this.#trace(number, `the clock jumps by ${byMs} ms`)
    this.#machine.loop.jump(byMs)
    this.#watch.jumped(byMs)
  }

  #pass(number: number, prng: Prng): void {
    const byMs = prng.below(this.#settings.faults.passMs)
    this.#trace(number, `${byMs} ms pass`)
    this.#machine.loop.pass(byMs)
    // Now and then the next request arrives before anything that has become due.
    for (let steps = prng.chance(0.4) ? 0 : prng.below(30); steps > 0; steps--) this.#step(1000)
  }

  /** A request meets the timer that does the same, or a crash meets the timer. */
  async #race(number: number, prng: Prng): Promise<void> {
    const { loop } = this.#machine
    const { faults } = this.#settings
    const race = raceOf(this.#watch.auditor.models, prng, loop.now() + faults.raceMs)
    if (race === null) return
    if (race.command !== null) this.#sendNew(number, this.#clients.request(race.command, prng))
    const byMs = Math.max(0, race.dueMs - loop.now()) + prng.below(1000)
    this.#trace(number, `${byMs} ms pass, until a timer is due`)
    loop.pass(byMs)
    for (let steps = prng.below(6); steps > 0; steps--) this.#step(50)
    if (prng.chance(faults.crashAfterTimer) && !this.#machine.hasFailed) await this.#restart(number, 'crash')
  }

  /** More accounts than one block of a snapshot holds, or than the first columns do. */
  #crowd(): void {
    for (let number = 0; number < this.#settings.crowd && !this.#machine.hasFailed; number++) {
      if (number % PER_REST === 0) this.#rest()
      if (!this.#machine.hasFailed) this.#traffic.deliver(this.#issue(this.#clients.crowdWallet(number)))
    }
  }

  /** More requests at once than the barrier keeps before it cuts its lists. */
  #burst(count: number): void {
    for (let number = 0; number < count && !this.#machine.hasFailed; number++) {
      const request = this.#clients.burstPayout(number)
      if (request !== null) this.#traffic.deliver(this.#issue(request))
      if (number % 256 === 0) for (let steps = 0; steps < 4; steps++) this.#step(50)
    }
  }

  #sendNew(number: number, request: Request): void {
    const { command, idempotency } = request.envelope
    if (this.#options.trace !== undefined) {
      this.#trace(number, `send ${JSON.stringify(command)} by ${idempotency?.key ?? 'no key'}`)
    }
    this.#traffic.send(this.#issue(request))
  }

  #issue(request: Request): Request {
    this.#requests.push(request)
    this.#watch.auditor.issue(request)
    return request
  }

  #sendAgain(number: number, prng: Prng): void {
    const newest = this.#requests.at(-1 - prng.below(Math.min(40, Math.max(1, this.#requests.length))))
    if (newest === undefined) return
    const request = prng.chance(0.7) ? newest : prng.pick(this.#requests)
    this.#trace(number, `send again ${request.envelope.command.type} by ${request.envelope.idempotency?.key ?? 'no key'}`)
    this.#traffic.send(request)
  }

  #sendOther(number: number, prng: Prng): void {
    const request = this.#requests.findLast(({ envelope }) => envelope.idempotency !== null && prng.chance(0.3))
    if (request !== undefined) this.#sendNew(number, this.#clients.reuse(prng, number, this.#machine.loop.now(), request))
  }

  #step(withinMs: number): boolean {
    return !this.#machine.hasFailed && this.#machine.step(withinMs)
  }

  /** Until nothing waits for anything; then live state and models have seen the same. */
  #rest(): void {
    const { engine, log } = this.#machine
    for (let steps = 0; !this.#machine.hasFailed; steps++) {
      assert.ok(steps < STEPS_MAX, 'the engine comes to rest')
      const isIdle =
        this.#traffic.network.isIdle &&
        engine.waitingCommands === 0 &&
        engine.waitingAnswers === 0 &&
        engine.lastSequence === log.durableSequence
      if ((isIdle && !engine.hasDueTimers) || !this.#step(REST_MS)) break
    }
    if (this.#machine.hasFailed) return
    assert.deepEqual([engine.waitingCommands, engine.waitingAnswers], [0, 0], 'nothing is forgotten')
    this.#watch.compare(this.#machine)
    if (this.#prng.chance(0.1)) this.#watch.comparePages(this.#machine, this.#prng)
    if (this.#prng.chance(0.2)) this.#watch.compareReplayed(this.#machine, 'live state is what a replay gives')
  }

  /** Every client sends what it has no answer to; then time passes, and nothing that was due is forgotten. */
  async #lastLife(): Promise<void> {
    this.#traffic.network.isNoisy = false
    do {
      await this.#restart(-1, 'the last life')
      const open = this.#requests.filter((request) => hasKey(request) && (request.outcome === null || this.#prng.chance(0.1)))
      for (const [index, request] of open.entries()) {
        if (index % PER_REST === 0) this.#rest()
        if (!this.#machine.hasFailed) this.#traffic.send(request)
      }
      this.#rest()
    } while (this.#machine.hasFailed)
    const forgotten = this.#requests.filter((request) => hasKey(request) && request.outcome === null)
    assert.deepEqual(forgotten, [], 'in the end every client has its answer')
    do {
      if (this.#machine.hasFailed) await this.#restart(-1, 'restart')
      this.#machine.loop.pass(this.#prng.pick([3_600_000, 15 * 86_400_000]))
      while (this.#step(REST_MS));
      this.#rest()
    } while (this.#machine.hasFailed)
    const { models } = this.#watch.auditor
    assert.deepEqual(models.overdue(this.#machine.engine.nowMs() - REST_MS), [], 'what was due has come')
    // Both are dear: the live state now and then, the recovered one always.
    if (this.#options.seed % 4 === 0) this.#watch.compareWhole(this.#machine, 'the whole live state is what a replay gives')
    await this.#restart(-1, 'the last crash')
    this.#watch.compareWhole(this.#machine, 'the whole state after a recovery is what a replay gives')
    this.#watch.readers.connect(this.#machine.engine, this.#prng, 1)
    this.#watch.compareReaders()
    for (let times = 0; times < 3; times++) this.#watch.comparePages(this.#machine, this.#prng)
  }
}
