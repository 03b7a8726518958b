// What one world is held against: the auditor and its models, a second state that replays the log, and the count of what happened.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import { replayRecord } from '../../../engine/actor/turn.ts'
import { commandRejections } from '../../../engine/api.ts'
import { ERRORS } from '../../../engine/contract/errors.ts'
import { newState } from '../../../engine/domain/new-state.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { assertMoneyAddsUp } from '../../support/money-sums.ts'
import type { Prng } from '../../support/prng.ts'
import { assertSameRows } from '../../support/walked-rows.ts'
import { Auditor, isKept, type Request } from './auditor.ts'
import { type CommandColumn, Coverage, type Fault, type RecordColumn } from './coverage.ts'
import { Decisions } from './decisions.ts'
import type { Machine } from './machine.ts'
import { StreamReaders } from './stream-readers.ts'
import { UnderWay } from './under-way.ts'
import { assertSameWhole } from './whole-state.ts'

const GOOD: ReadonlySet<string> = new Set(['ok', 'created', 'accepted'])
/** Rejections of the engine itself, which any command may get. */
const ANY_CODE: ReadonlySet<string> = new Set(['idempotency_key_reused', 'rate_limited', 'unavailable'])
/** Records after a jump of the clock that count as decided after it. */
const AFTER_JUMP = 8
const TIMED: ReadonlySet<string> = new Set([
  'ExpireCharge',
  'RunSchedule',
  'AdvanceMandate',
  'AdvanceDisbursement',
  'OpenDeliveries',
  'SendNotice',
])

export class Watch {
  readonly coverage = new Coverage()
  readonly decisions = new Decisions()
  readonly auditor: Auditor
  timersFired = 0
  readonly underWay = new UnderWay(this.coverage)
  readonly readers = new StreamReaders()
  #afterJump: { readonly column: CommandColumn; left: number } | null = null
  readonly #answers = createHash('sha256')
  /** A state that has seen each durable record once, and no snapshot. */
  readonly #replayed = newState()
  #replayedCount = 0

  constructor() {
    this.auditor = new Auditor(this.decisions, (record, code) => {
      if (code === null) this.coverage.count(record.command, 'accepted')
      if (record.idempotency === null && TIMED.has(record.command)) this.timersFired++
      this.#countAfterJump(record)
    })
    this.decisions.onDecide = (command) => this.underWay.decide(command)
  }

  /** Of everything on disk and all answers to clients: the same seed gives the same. */
  finish(): string {
    for (const [move, times] of this.auditor.models.seen.counts) this.coverage.countMove(move, null, times)
    return this.#answers.update(this.auditor.hash).digest('hex')
  }

  /** The answer reaches its client, perhaps after the answers to its repeats. */
  arrived(request: Request, outcome: Outcome): void {
    this.underWay.answer(request)
    const { lost, envelope } = request
    if (lost !== null && isKept(outcome)) {
      assert.deepEqual([outcome.kind, outcome.body], [lost.kind, lost.body], 'a repeat gets the answer that was lost')
      this.coverage.count(envelope.command.type, 'repeated after a lost answer')
      request.lost = null
    }
    if (request.outcome !== null && isKept(request.outcome)) {
      if (!isKept(outcome)) return
      assert.deepEqual([outcome.kind, outcome.body], [request.outcome.kind, request.outcome.body], 'all answers to a key are the same')
    }
    request.outcome = outcome
  }

  /** The answer left the engine and does not arrive. */
  lostAnswer(request: Request, outcome: Outcome): void {
    this.underWay.remove(request)
    if (isKept(outcome)) request.lost ??= outcome
    const sequence = this.auditor.sequenceOf(request)
    if (sequence > 0) this.#countRecords(sequence - 1, sequence, 'answer lost')
  }

  /** The answer leaves the engine. */
  left(machine: Machine, request: Request, outcome: Outcome): void {
    assert.ok(!machine.hasFailed, 'nothing is answered after a failure')
    this.auditor.catchUp(machine.log)
    this.auditor.answered(request, outcome)
    const { type } = request.envelope.command
    if (outcome.replayed) this.coverage.count(type, 'repeated')
    else if (!GOOD.has(outcome.kind)) this.#countRejection(type, outcome)
    this.#answers.update(`${outcome.kind} ${outcome.body} ${outcome.replayed}\n`)
  }

  /** The engine publishes what is on disk. */
  published({ engine, log }: Machine, record: LogRecord): void {
    this.auditor.catchUp(log)
    this.auditor.compareLive(record)
    this.readers.publish(engine, record)
  }

  failed(): void {
    this.met('failed write')
    this.#lose('under way at a failed write')
  }

  crashed(faults: readonly Fault[], prng: Prng): void {
    for (const fault of faults) this.met(fault)
    this.#lose('under way at a crash')
    this.readers.disconnect(prng)
  }

  /** Who waits in the process for an answer gets none. */
  #lose(column: CommandColumn): void {
    for (const { envelope } of this.underWay.lose()) this.coverage.count(envelope.command.type, column)
  }

  met(fault: Fault): void {
    this.underWay.meet(fault)
  }

  jumped(byMs: number): void {
    this.met(byMs < 0 ? 'clock back' : 'clock ahead')
    this.#afterJump = { column: byMs < 0 ? 'decided after the clock went back' : 'decided after the clock went ahead', left: AFTER_JUMP }
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
    this.#catchUpAfterCrash(machine)
    const { snapshotSequence } = machine.engine.recovered
    this.#countRecords(0, snapshotSequence, 'restored from a snapshot')
    this.#countRecords(snapshotSequence, this.auditor.sequence, 'replayed from the log')
    this.compare(machine)
    this.compareReplayed(machine, 'snapshot and tail give what the whole log gives')
  }

  takenOver(machine: Machine): void {
    this.#catchUpAfterCrash(machine)
    this.#countRecords(0, this.auditor.sequence, 'taken over by another owner')
  }

  /** Live state is what the models say. Only at rest. */
  compare({ engine, log }: Machine): void {
    this.auditor.catchUp(log)
    assert.equal(engine.lastSequence, this.auditor.records.length)
    assertMoneyAddsUp(engine.state)
    this.auditor.models.compare(engine.state)
    this.compareReaders()
  }

  compareReaders(): void {
    this.readers.compare((account) => this.auditor.models.accounts.account(account).frames)
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

  /** What the disk kept of the flush that the crash interrupted. */
  #catchUpAfterCrash({ log }: Machine): void {
    const before = this.auditor.sequence
    this.auditor.catchUp(log)
    this.#countRecords(before, this.auditor.sequence, 'on disk at a crash, not answered')
  }

  /** From after the first sequence to the last one. */
  #countRecords(after: number, last: number, column: RecordColumn): void {
    const { records, moves } = this.auditor
    const counts = new Map<string, number>()
    const moveCounts = new Map<string, number>()
    for (let at = after; at < last; at++) {
      const command = records[at]?.command ?? ''
      counts.set(command, (counts.get(command) ?? 0) + 1)
      for (const move of moves[at] ?? []) moveCounts.set(move, (moveCounts.get(move) ?? 0) + 1)
    }
    for (const [command, count] of counts) this.coverage.count(command, column, count)
    for (const [move, count] of moveCounts) this.coverage.countMove(move, column, count)
  }

  #countAfterJump({ command }: LogRecord): void {
    if (this.#afterJump === null || this.#afterJump.left-- <= 0) return
    this.coverage.count(command, this.#afterJump.column)
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
