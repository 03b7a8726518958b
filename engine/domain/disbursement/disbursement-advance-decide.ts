// One turn of a running disbursement: up to LINES_PER_BLOCK lines, by the decider of batches, and the cursor behind them, in one record. After a
// crash a line is either paid or still to be decided.
import type { BatchLine } from '../../contract/batch-line.ts'
import { positionOf } from '../../kernel/position.ts'
import { rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, Decision } from '../decision.ts'
import { type PlannedBatch, planBatch } from '../payout/batch.ts'
import type { PayoutFailure } from '../payout/payout-state.ts'
import type { State } from '../state.ts'
import { LINES_PER_BLOCK, RECIPIENT_CHECKS_WAIT_MS } from './disbursement-limits.ts'
import { disbursementEntered, running } from './disbursement-moves.ts'
import {
  type DisbursementProgress,
  type DisbursementRow,
  type DisbursementStatus,
  type DisbursementTurn,
  disbursementOf,
  type PackedDisbursementLine,
} from './disbursement-state.ts'
import { blockOf, disbursementChanged, progressOf } from './disbursement-versions.ts'

/** By its timer: its start time, its next turn, or the next look at the budget of unknown recipients. */
export interface AdvanceDisbursement {
  readonly type: 'AdvanceDisbursement'
  readonly merchant: AccountNumber
  readonly id: string
  readonly dueMs: TimeMs
}

export const ADVANCE_DISBURSEMENT_REJECTIONS = ['invalid_disbursement_state'] as const

const STOPS = {
  pause: new Set<PayoutFailure>(['insufficient_balance', 'recipient_check_limited']),
  fail: new Set<PayoutFailure>(['recipient_check_limited']),
} as const

/** Returns `ok` and the record. Rejections: invalid_disbursement_state, where another turn was first. */
export function decideAdvanceDisbursement(
  state: State,
  { merchant, id, dueMs }: AdvanceDisbursement,
  context: Context,
): Decision<(typeof ADVANCE_DISBURSEMENT_REJECTIONS)[number]> {
  const row = state.disbursements.live.get(id)
  if (row === undefined || row.account !== merchant || row.due_ms !== dueMs) return { refusal: 'invalid_disbursement_state' }
  const { plan } = row
  const progress = running(progressOf(row), context.timeMs)
  const rest = restOfBlock(row, context)
  const valid = rest.filter(({ line: [, , , , fault] }) => fault === null)
  const isStopped = state.merchants.stopOf(merchant) !== null
  const batch = isStopped || valid.length === 0 ? null : paid(state, row, valid, context)
  const decided = batch === null ? 0 : batch.paidCount + batch.failedCount
  const next = isStopped ? row.cursor : decided < valid.length ? (valid[decided]?.index ?? row.cursor) : row.cursor + rest.length
  const counted = batch === null ? progress : { ...progress, status: countedBy(progress.status, valid.slice(0, decided), batch) }
  const turns = batch === null || decided === 0 ? row.turns : [...row.turns, turnOf(row.cursor, valid, batch, context)]
  const stoppedBy = isStopped ? 'merchant' : (batch?.stoppedBy ?? null)
  const after = following({ ...counted, cursor: next, turns }, plan.total_count, stoppedBy, context.timeMs)
  const disbursement = disbursementOf(plan, after.status)
  return {
    environment: plan.environment,
    events: [
      ...(decided === 0 ? onlyCounts(batch) : (batch?.events ?? [])),
      disbursementChanged(merchant, row, after),
      ...(isSameStop(row.status, after.status) ? [] : disbursementEntered(state, context, row, disbursement)),
    ],
    transactions: batch?.transactions ?? [],
    frames: batch?.frames ?? [],
    spend: batch?.spend ?? null,
    kind: 'ok',
    body: JSON.stringify(disbursement),
  }
}

/** One that waits on for the budget of unknown recipients was announced when it began to wait. */
function isSameStop(before: DisbursementStatus, after: DisbursementStatus): boolean {
  return before.state === after.state && before.pause_reason === after.pause_reason
}

/** Of a turn that decided nothing: what counts unknown recipients, and no report. */
function onlyCounts(batch: PlannedBatch | null): PlannedBatch['events'] {
  return batch === null ? [] : batch.events.filter(({ type }) => type !== 'disbursement.paid')
}

interface PlacedLine {
  readonly index: number
  readonly line: PackedDisbursementLine
}

function turnOf(
  from: number,
  valid: readonly PlacedLine[],
  { transactions, reportIndex }: PlannedBatch,
  { sequence }: Context,
): DisbursementTurn {
  const paid = new Set(transactions.map(({ eventIndex }) => eventIndex))
  const mask: [number, number] = [0, 0]
  for (let at = 0; at < reportIndex; at++) {
    const { index } = valid[at] as PlacedLine
    const place = index % LINES_PER_BLOCK
    if (!paid.has(at)) mask[place < 32 ? 0 : 1] |= 1 << (place % 32)
  }
  return [from, positionOf(sequence, reportIndex), ...mask]
}

function restOfBlock({ cursor, createdPosition, plan }: DisbursementRow, { past }: Context): PlacedLine[] {
  if (cursor >= plan.total_count) return []
  const lines = blockOf(past, createdPosition, Math.floor(cursor / LINES_PER_BLOCK))
  return lines.slice(cursor % LINES_PER_BLOCK).map((line, index) => ({ index: cursor + index, line }))
}

function paid(state: State, { account, plan, run }: DisbursementRow, valid: readonly PlacedLine[], context: Context): PlannedBatch {
  const lines = valid.map(
    // Lines of a schedule inherit its reference, those of a disbursement inherit none.
    ({ line: [recipient, amount, own, note] }): BatchLine => {
      const reference = run === undefined ? own : own || plan.reference
      return { recipient, amount, reference, note, fault: null }
    },
  )
  const { id, created_by, on_insufficient_balance } = plan
  const keyId = created_by.kind === 'key' ? created_by.id : null
  const turnOf = { id, stopsAt: STOPS[on_insufficient_balance] }
  return planBatch(state, { merchant: account, lines, reference: '', scheduleId: run?.schedule_id ?? null, keyId, turnOf }, context)
}

function countedBy(status: DisbursementStatus, decided: readonly PlacedLine[], batch: PlannedBatch): DisbursementStatus {
  const all = decided.reduce((sum, { line: [, amount] }) => sum + (amount ?? 0), 0)
  const paidAmount = batch.transactions.reduce((sum, { posting }) => sum + posting.amount, 0)
  return {
    ...status,
    paid_count: status.paid_count + batch.paidCount,
    paid_amount: status.paid_amount + paidAmount,
    failed_count: status.failed_count + batch.failedCount,
    failed_amount: status.failed_amount + all - paidAmount,
    fee_amount: batch.transactions.reduce((sum, { fee }) => sum + (fee?.posting.amount ?? 0), status.fee_amount),
  }
}

function following(
  progress: DisbursementProgress,
  total: number,
  stoppedBy: PayoutFailure | 'merchant' | null,
  timeMs: TimeMs,
): DisbursementProgress {
  const { status, cursor } = progress
  if (stoppedBy === 'recipient_check_limited') {
    return {
      ...progress,
      status: { ...status, state: 'paused', pause_reason: 'recipient_checks' },
      due_ms: timeMs + RECIPIENT_CHECKS_WAIT_MS,
    }
  }
  if (stoppedBy !== null) {
    const pause_reason = stoppedBy === 'insufficient_balance' ? 'insufficient_balance' : 'requested'
    return { ...progress, status: { ...status, state: 'paused', pause_reason }, due_ms: null }
  }
  if (cursor < total) return { ...progress, due_ms: timeMs }
  return { ...progress, status: { ...status, state: 'completed', completed_at: rfc3339(timeMs) }, due_ms: null }
}
