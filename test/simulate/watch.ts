// What one world is held against: the auditor and its models, a second state that replays the log, and the count of what happened.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Outcome } from '../../engine/actor/envelope.ts'
import { replayRecord } from '../../engine/actor/turn.ts'
import { commandRejections } from '../../engine/api.ts'
import { ERRORS } from '../../engine/contract/errors.ts'
import { newState } from '../../engine/domain/new-state.ts'
import type { LogRecord } from '../../engine/domain/record.ts'
import { assertMoneyAddsUp } from '../engine/simulator/money.ts'
import type { Prng } from '../support/prng.ts'
import { assertSameRows } from '../support/walked-rows.ts'
import { Auditor, isKept, type Request } from './auditor.ts'
import { type Column, Coverage } from './coverage.ts'
import type { Machine } from './machine.ts'
import { assertSameWhole } from './whole-state.ts'

const GOOD: ReadonlySet<string> = new Set(['ok', 'created', 'accepted'])
/** Rejections of the engine itself, which any command may get. */
const ANY_CODE: ReadonlySet<string> = new Set(['idempotency_key_reused', 'rate_limited', 'unavailable'])
const TIMED: ReadonlySet<string> = new Set(['ExpireCharge', 'RunSchedule', 'AdvanceMandate'])

export class Watch {
  readonly coverage = new Coverage()
  readonly auditor: Auditor
  timersFired = 0
  readonly #underWay = new Set<Request>()
  readonly #answers = createHash('sha256')
  /** A state that has seen each durable record once, and no snapshot. */
  readonly #replayed = newState()
  #replayedCount = 0

  constructor() {
    this.auditor = new Auditor((record, code) => {
      if (code === null) this.coverage.count(record.command, 'accepted')
      if (record.idempotency === null && TIMED.has(record.command)) this.timersFired++
    })
  }

  /** Of everything on disk and all answers to clients: the same seed gives the same. */
  finish(): string {
    this.coverage.addMoves(this.auditor.models.seen)
    return this.#answers.update(this.auditor.hash).digest('hex')
  }

  sent(request: Request): void {
    this.#underWay.add(request)
  }

  settled(machine: Machine, request: Request, outcome: Outcome): void {
    this.#answered(machine, request, outcome)
    const { lost, envelope } = request
    if (lost !== null && isKept(outcome)) {
      assert.deepEqual(
        [outcome.kind, outcome.body, outcome.replayed],
        [lost.kind, lost.body, true],
        'a repeat gets the answer that was lost',
      )
      this.coverage.count(envelope.command.type, 'repeated after a lost answer')
      request.lost = null
    }
    request.outcome = outcome
  }

  /** The answer left the engine and did not arrive. */
  settledInVain(machine: Machine, request: Request, outcome: Outcome): void {
    this.#answered(machine, request, outcome)
    if (isKept(outcome)) request.lost ??= outcome
  }

  #answered(machine: Machine, request: Request, outcome: Outcome): void {
    assert.ok(!machine.hasFailed, 'nothing is answered after a failure')
    this.#underWay.delete(request)
    this.auditor.catchUp(machine.log)
    this.auditor.answered(request, outcome)
    const { type } = request.envelope.command
    if (outcome.replayed) this.coverage.count(type, 'repeated')
    else if (!GOOD.has(outcome.kind)) this.#countRejection(type, outcome)
    this.#answers.update(`${outcome.kind} ${outcome.body} ${outcome.replayed}\n`)
  }

  /** A crash or a failure: who waits for an answer gets none. */
  lose(column: Column): void {
    for (const { envelope } of this.#underWay) this.coverage.count(envelope.command.type, column)
    this.#underWay.clear()
  }

  /** What a read has seen is on disk when its answer leaves. */
  read(machine: Machine): void {
    const { engine, log } = machine
    const { lastSequence } = engine
    const newest = lastSequence === 0 ? null : engine.history.record(lastSequence)
    engine.whenDurable(() => {
      assert.ok(log.durableSequence >= lastSequence, 'a read waits for what it has seen')
      this.auditor.catchUp(log)
      if (newest === null) return
      const stored = this.auditor.records[lastSequence - 1]?.events.map(({ text }) => text)
      assert.deepEqual(
        stored,
        newest.events.map(({ text }) => text),
        'a read shows what is on disk',
      )
    })
  }

  recovered(machine: Machine): void {
    this.auditor.catchUp(machine.log)
    const { snapshotSequence } = machine.engine.recovered
    const { records } = this.auditor
    this.#countCommands(records.slice(0, snapshotSequence), 'restored from a snapshot')
    this.#countCommands(records.slice(snapshotSequence), 'replayed from the log')
    this.compare(machine)
    this.compareReplayed(machine, 'snapshot and tail give what the whole log gives')
  }

  takenOver(machine: Machine): void {
    this.auditor.catchUp(machine.log)
    this.#countCommands(this.auditor.records, 'taken over by another owner')
  }

  /** Live state is what the models say. Only at rest. */
  compare({ engine, log }: Machine): void {
    this.auditor.catchUp(log)
    assert.equal(engine.lastSequence, this.auditor.records.length)
    assertMoneyAddsUp(engine.state)
    this.auditor.models.compare(engine.state)
  }

  /** Pages of lists and the stream of a merchant are what the models say. Only at rest. */
  comparePages({ engine }: Machine, prng: Prng): void {
    this.auditor.models.lists.compare(engine, prng)
  }

  /** Live state is what a replay of the log gives, row by row. */
  compareReplayed({ engine }: Machine, what: string): void {
    this.#replay()
    assertSameRows(engine.state, this.#replayed, what)
  }

  /** The same for everything that the state holds. */
  compareWhole({ engine }: Machine, what: string): void {
    this.#replay()
    assertSameWhole(engine.state, this.#replayed, what)
  }

  #countCommands(records: readonly LogRecord[], column: Column): void {
    const counts = new Map<string, number>()
    for (const { command } of records) counts.set(command, (counts.get(command) ?? 0) + 1)
    for (const [command, count] of counts) this.coverage.count(command, column, count)
  }

  #replay(): void {
    const { records } = this.auditor
    for (; this.#replayedCount < records.length; this.#replayedCount++) {
      const record = records[this.#replayedCount]
      if (record !== undefined) replayRecord(this.#replayed, record)
    }
  }

  #countRejection(type: Request['envelope']['command']['type'], { body }: Outcome): void {
    const { code } = JSON.parse(body) as { readonly code: string }
    assert.ok(code in ERRORS, `${code} is a code`)
    assert.ok(ANY_CODE.has(code) || commandRejections(type).some((known) => known === code), `${type} lists ${code}`)
    if (code === 'idempotency_key_reused') this.coverage.count(type, 'key reused')
    else this.coverage.reject(type, code)
  }
}
