// What one world is held against: the auditor and its models, a second state that replays the log, and the count of what happened.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Outcome } from '../../engine/actor/envelope.ts'
import { replayRecord } from '../../engine/actor/turn.ts'
import { commandRejections } from '../../engine/api.ts'
import { ERRORS } from '../../engine/contract/errors.ts'
import { newState } from '../../engine/domain/new-state.ts'
import { assertMoneyAddsUp } from '../engine/simulator/money.ts'
import { walkedRows } from '../support/walked-rows.ts'
import { Auditor, type Request } from './auditor.ts'
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
    assert.ok(!machine.hasFailed, 'nothing is answered after a failure')
    this.#underWay.delete(request)
    this.auditor.catchUp(machine.log)
    this.auditor.answered(request, outcome)
    const { type } = request.envelope.command
    if (outcome.replayed) this.coverage.count(type, 'repeated')
    else if (!GOOD.has(outcome.kind)) this.#countRejection(type, outcome)
    request.outcome = outcome
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
    for (const { sequence, command } of this.auditor.records) {
      this.coverage.count(command, sequence <= snapshotSequence ? 'restored from a snapshot' : 'replayed from the log')
    }
    this.compare(machine)
    this.compareReplayed(machine, 'snapshot and tail give what the whole log gives')
  }

  takenOver(machine: Machine): void {
    this.auditor.catchUp(machine.log)
    for (const { command } of this.auditor.records) this.coverage.count(command, 'taken over by another owner')
  }

  /** Live state is what the models say. Only at rest. */
  compare({ engine, log }: Machine): void {
    this.auditor.catchUp(log)
    assert.equal(engine.lastSequence, this.auditor.records.length)
    assertMoneyAddsUp(engine.state)
    this.auditor.models.compare(engine.state)
  }

  /** Live state is what a replay of the log gives, row by row. */
  compareReplayed({ engine }: Machine, what: string): void {
    this.#replay()
    assert.deepEqual(walkedRows(engine.state), walkedRows(this.#replayed), what)
  }

  /** The same for everything that the state holds. */
  compareWhole({ engine }: Machine, what: string): void {
    this.#replay()
    assertSameWhole(engine.state, this.#replayed, what)
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
