// Disbursements in the model: which lines each turn must decide, in their order and once, and what each verb leads to.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { positionOf } from '../../../../engine/kernel/position.ts'
import { type Entry, eventsOf, Machine, type NounModel } from '../entry.ts'
import type { Moves } from '../moves.ts'
import type { AccountsModel } from './accounts.ts'
import {
  amountOf,
  type Changed,
  type Created,
  type DisbursementState,
  failedPlaces,
  isOver,
  isValid,
  type Line,
  type ModelBlock,
  type ModelDisbursement,
  type ModelRun,
  type Progress,
  type RunEnded,
  type Turn,
} from './disbursement-rows.ts'
import type { FeesModel } from './fees.ts'
import type { MoneyModel } from './money.ts'
import type { PayoutRulesModel } from './payout-rules.ts'
import type { RecipientsModel } from './recipients.ts'

/** What the engine's limits are meant to be, written down a second time. */
const [BLOCK, CHECKS_WAIT_MS] = [64, 10_000]

type Place = Pick<ModelDisbursement, 'state' | 'pauseReason' | 'cursor' | 'dueMs'>

/** By entered state: those it is entered from. A turn of a scheduled one runs it first. */
const MOVES = {
  awaiting_approval: ['ready'],
  scheduled: ['ready', 'awaiting_approval'],
  running: ['ready', 'awaiting_approval', 'scheduled', 'running', 'paused'],
  paused: ['running'],
  completed: ['running'],
  cancelled: ['ready', 'awaiting_approval', 'scheduled', 'paused'],
  rejected: ['awaiting_approval'],
} as const

const ANNOUNCED: ReadonlySet<string> = new Set(['awaiting_approval', 'paused', 'completed', 'cancelled', 'rejected'])

export interface OtherModels {
  readonly accounts: AccountsModel
  readonly fees: FeesModel
  readonly money: MoneyModel
  readonly recipients: RecipientsModel
  readonly payoutRules: PayoutRulesModel
}

export class DisbursementsModel implements NounModel {
  readonly disbursements = new Map<string, ModelDisbursement>()
  /** Lines that were judged, by the order of their records. */
  readonly blocks: ModelBlock[] = []
  readonly #models: OtherModels
  readonly #machine: Machine<DisbursementState>

  constructor(models: OtherModels, seen: Moves) {
    this.#models = models
    this.#machine = new Machine('disbursement', MOVES, seen)
  }

  /** Called behind the payouts of the record and before what they count. */
  audit(entry: Entry): void {
    const judged = eventsOf<{ readonly lines: readonly Line[] }>(entry, 'disbursement.lines')
    const blocks = judged.map(({ payload }) => payload.lines)
    if (judged[0] !== undefined) this.#judge(entry, judged[0].event.account, blocks)
    for (const { event, payload } of eventsOf<Created>(entry, 'disbursement.created')) this.#create(entry, event.account, payload)
    for (const { payload } of eventsOf<Changed>(entry, 'disbursement.changed')) this.#change(entry, payload)
  }

  compare({ disbursements }: State): void {
    const live = [...this.disbursements.values()].filter(({ state }) => !isOver(state))
    assert.equal(disbursements.live.size, live.length, 'disbursements that have not ended')
    for (const { id, state, pauseReason, cursor, dueMs } of live) {
      const row = disbursements.live.get(id)
      assert.deepEqual(
        [row?.status.state, row?.status.pause_reason, row?.cursor, row?.due_ms],
        [state, pauseReason, cursor, dueMs],
        `disbursement ${id}`,
      )
    }
  }

  overdue(nowMs: number): string[] {
    return [...this.disbursements.values()].filter(({ dueMs }) => dueMs !== null && dueMs < nowMs).map(({ id }) => id)
  }

  get timers(): number {
    return [...this.disbursements.values()].filter(({ dueMs }) => dueMs !== null).length
  }

  #judge({ record }: Entry, account: number, blocks: readonly (readonly Line[])[]): void {
    const lines = blocks.flat()
    for (const [at, { length }] of blocks.entries()) assert.ok(length === BLOCK || at === blocks.length - 1, 'a block of lines is whole')
    const look = this.#models.recipients.looker(account, record.timeMs)
    for (const [recipient, , , , fault] of lines) {
      if (fault !== null && fault !== 'recipient_not_found') continue
      assert.equal(fault !== null, look(recipient) === 'unknown', 'a recipient that is unknown when its line is judged')
    }
    const valid = lines.filter(isValid)
    const chunk = {
      position: positionOf(record.sequence, 0),
      total_count: lines.length,
      total_amount: amountOf(lines),
      valid_count: valid.length,
      valid_amount: amountOf(valid),
      valid_fee_amount: valid.reduce((sum, [, amount]) => sum + this.#models.fees.of('payout', account, amount ?? 0).amount, 0),
      warnings_count: lines.filter(([, , , , , warnings]) => warnings !== 0).length,
      invalid: blocks.map((block) => block.filter((line) => !isValid(line)).length),
    }
    this.blocks.push({ account, lines, chunk })
  }

  #create(entry: Entry, account: number, { plan, person, run, chunks, invalid, progress }: Created): void {
    const blocks = chunks.flatMap((position) => this.blocks.find((block) => block.chunk.position === position) ?? [])
    const lines = blocks.flatMap((block) => block.lines)
    const fees = blocks.reduce((sum, { chunk }) => sum + chunk.valid_fee_amount, 0)
    const { timeMs } = entry.record
    const valid = lines.filter(isValid)
    const validAmount = amountOf(valid)
    assert.deepEqual(
      [plan.total_count, plan.valid_count, plan.valid_amount, plan.valid_fee_amount, plan.invalid_count],
      [lines.length, valid.length, validAmount, fees, lines.length - valid.length],
      'counts of a new disbursement',
    )
    const counted = blocks.flatMap(({ chunk }) => chunk.invalid)
    assert.deepEqual(invalid, counted, 'invalid lines of each block')
    const made: ModelDisbursement = {
      id: plan.id,
      run: run ?? null,
      account,
      person,
      lines,
      validAmount,
      startMs: plan.start_at === null ? null : Date.parse(plan.start_at),
      onShort: plan.on_insufficient_balance,
      paid: { count: 0, amount: 0, fees: 0 },
      failed: { count: 0, amount: 0 },
      failedLines: [],
      state: 'ready',
      pauseReason: null,
      cursor: 0,
      dueMs: null,
      isRetried: false,
    }
    this.disbursements.set(plan.id, made)
    if (plan.retry_of !== null) this.#assertRetry(made, plan.retry_of)
    const { command } = entry.decided ?? {}
    const isStarted =
      command === undefined ? progress.status.state !== 'ready' : command.type === 'CreateDisbursement' && command.start === 'auto'
    // The schedule was judged by the policy when it was made.
    if (run !== undefined) this.#enter(entry, made, released(made, timeMs))
    else if (isStarted) this.#enter(entry, made, this.#started(made, timeMs))
    this.#assertProgress(made, progress)
  }

  #assertRetry(made: ModelDisbursement, retryOf: string): void {
    const before = this.disbursements.get(retryOf)
    assert.ok(before !== undefined && !before.isRetried && isOver(before.state), 'one that has ended is retried once')
    assert.equal(made.lines.length, before.failed.count, 'a retry has as many lines as failed')
  }

  #change(entry: Entry, { disbursement_id: id, progress, turn }: Changed): void {
    const disbursement = this.disbursements.get(id)
    assert.ok(disbursement !== undefined, 'what changes was created')
    if (progress.is_retried) disbursement.isRetried = true
    else {
      const { command } = entry.record
      const after =
        command === 'AdvanceDisbursement'
          ? this.#turn(entry, disbursement, turn ?? progress.turns?.at(-1))
          : this.#moved(entry, disbursement, progress)
      this.#enter(entry, disbursement, after)
    }
    this.#assertProgress(disbursement, progress)
  }

  #moved(entry: Entry, disbursement: ModelDisbursement, progress: Progress): Place {
    const { command } = entry.decided ?? {}
    const { cursor } = disbursement
    const { timeMs } = entry.record
    const still = { cursor, pauseReason: null, dueMs: null }
    if (command?.type !== 'ReleaseDisbursement' && command?.type !== 'MoveDisbursement') {
      return { ...still, state: progress.status.state, pauseReason: progress.status.pause_reason, dueMs: progress.due_ms }
    }
    switch (command.verb) {
      case 'start':
        return this.#started(disbursement, timeMs)
      case 'approve':
        return released(disbursement, timeMs)
      case 'reject':
        return { ...still, state: 'rejected' }
      case 'pause':
        return { ...still, state: 'paused', pauseReason: 'requested' }
      case 'resume':
        return { ...still, state: 'running', dueMs: timeMs }
      case 'cancel':
        return { ...still, state: 'cancelled' }
    }
  }

  #started(disbursement: ModelDisbursement, timeMs: number): Place {
    const { account, validAmount, cursor } = disbursement
    if (!this.#models.payoutRules.needsApproval(account, [validAmount])) return released(disbursement, timeMs)
    return { state: 'awaiting_approval', pauseReason: null, cursor, dueMs: null }
  }

  /** Each valid line up to the end of the turn or of the block is decided in order, or the turn ends before one that it may not decide. */
  #turn(entry: Entry, disbursement: ModelDisbursement, stored: Turn | undefined): Place {
    const { account, lines, cursor, onShort } = disbursement
    const { record } = entry
    const end = Math.min(lines.length, (Math.floor(cursor / BLOCK) + 1) * BLOCK)
    const due = lines.flatMap((line, index) => (index >= cursor && index < end && isValid(line) ? [{ line, index }] : []))
    const payouts = record.events.filter(({ type }) => type === 'payout.paid' || type === 'payout.failed')
    for (const [at, { type, text }] of payouts.entries()) {
      const { recipient, amount, fee, disbursement_id, schedule_id } = JSON.parse(text) as PayoutOfLine
      const [expected, sum] = due[at]?.line ?? []
      assert.deepEqual(
        [recipient, amount, disbursement_id, schedule_id],
        [expected, sum, disbursement.id, disbursement.run?.schedule_id ?? null],
        `payout ${at} of a turn of ${disbursement.id}`,
      )
      const counted = type === 'payout.paid' ? disbursement.paid : disbursement.failed
      if (type === 'payout.failed') disbursement.failedLines.push(`${recipient} ${amount}`)
      // Each is the formula's: models/money.ts has compared it.
      else disbursement.paid.fees += fee
      counted.count++
      counted.amount += amount
    }
    const failed = payouts.flatMap(({ type }, at) => (type === 'payout.failed' ? [(due[at]?.index ?? 0) % BLOCK] : []))
    if (payouts.length > 0) assert.deepEqual(failedPlaces(stored), failed, `failed lines of a turn of ${disbursement.id}`)
    if (this.#models.accounts.stopOf(account) !== null) return { state: 'paused', pauseReason: 'requested', cursor, dueMs: null }
    const next = due[payouts.length]
    if (next !== undefined) {
      const [recipient, amount] = next.line
      const fate = this.#models.money.fateBehind(entry, account, { recipient, amount: amount ?? 0 })
      const place = { state: 'paused', cursor: next.index } as const
      if (fate === 'recipient_check_limited') return { ...place, pauseReason: 'recipient_checks', dueMs: record.timeMs + CHECKS_WAIT_MS }
      assert.deepEqual([fate, onShort], ['insufficient_balance', 'pause'], `why a turn of ${disbursement.id} ends`)
      return { ...place, pauseReason: 'insufficient_balance', dueMs: null }
    }
    const isLast = end === lines.length
    return { state: isLast ? 'completed' : 'running', pauseReason: null, cursor: end, dueMs: isLast ? null : record.timeMs }
  }

  #enter(entry: Entry, disbursement: ModelDisbursement, after: Place): void {
    const before = { ...disbursement }
    if (entry.record.command === 'AdvanceDisbursement' && before.state !== 'running') {
      this.#machine.move(before.state, 'running')
      this.#machine.move('running', after.state)
    } else {
      // A turn follows within the same moment, so a run of hundreds of seeds may cancel none between two: counted as of a paused one.
      const from = after.state === 'cancelled' && before.state === 'running' ? 'paused' : before.state
      this.#machine.move(from, after.state)
    }
    Object.assign(disbursement, after)
    const isNew = after.state !== before.state || after.pauseReason !== before.pauseReason
    if (!isNew || !ANNOUNCED.has(after.state)) return
    if (disbursement.run !== null && isOver(after.state)) assertRunEnded(entry, disbursement, disbursement.run)
    entry.outbox.push(`${disbursement.account}:disbursement.${after.state}`)
  }

  #assertProgress({ id, state, pauseReason, cursor, dueMs, paid, failed }: ModelDisbursement, { status, ...progress }: Progress): void {
    const found = [status.state, status.pause_reason, progress.cursor, progress.due_ms]
    assert.deepEqual(found, [state, pauseReason, cursor, dueMs], `disbursement ${id}`)
    const counts = [status.paid_count, status.paid_amount, status.fee_amount, status.failed_count, status.failed_amount]
    assert.deepEqual(counts, [paid.count, paid.amount, paid.fees, failed.count, failed.amount], `counters of disbursement ${id}`)
  }
}

/** The run ends in the record in which its disbursement ends, and only there. */
function assertRunEnded(entry: Entry, { id, account, paid, failed, lines }: ModelDisbursement, { run_id, schedule_id }: ModelRun): void {
  const all = lines.filter(isValid).length
  const state = paid.count === all ? 'completed' : paid.count === 0 ? 'failed' : 'partial'
  const found = eventsOf<RunEnded>(entry, 'schedule.run_ended').map(({ payload: { schedule_id: of, run } }) => [
    ...[of, run.id, run.state, run.disbursement_id, run.paid_count, run.failed_count],
  ])
  assert.deepEqual(found, [[schedule_id, run_id, state, id, paid.count, failed.count]], `the end of run ${run_id}`)
  if (state !== 'completed') entry.outbox.push(`${account}:schedule.run_failed`)
}

interface PayoutOfLine {
  readonly recipient: string
  readonly amount: number
  readonly fee: number
  readonly disbursement_id: string | null
  readonly schedule_id: string | null
}

function released({ startMs, cursor }: ModelDisbursement, timeMs: number): Place {
  const isAhead = startMs !== null && startMs > timeMs
  return { state: isAhead ? 'scheduled' : 'running', pauseReason: null, cursor, dueMs: isAhead ? startMs : timeMs }
}
