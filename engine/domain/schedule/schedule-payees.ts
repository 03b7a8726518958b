// What each run of a schedule pays: lines of its own, or the valid lines of a disbursement, which stay where they are stored.
import type { Position } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Past } from '../decision.ts'
import { findDisbursement } from '../disbursement/disbursement-versions.ts'
import { sumOfLines } from '../merchant/payout-policy.ts'
import type { State } from '../state.ts'
import type { Schedule, ScheduleLine } from './schedule-state.ts'

export interface WantedPayees {
  readonly lines: readonly ScheduleLine[]
  /** Present: its lines are paid, and `lines` is empty. */
  readonly disbursementId?: string
}

export interface Payees {
  readonly plan: Pick<Schedule, 'items' | 'items_count' | 'total_amount' | 'disbursement_id'>
  /** Where the disbursement of the lines was created. */
  readonly source?: { readonly source_position: Position }
  /** The field of the request that names them. */
  readonly param: 'items' | 'disbursement_id'
}

export interface NoPayees {
  readonly refusal: 'not_found' | 'items_required'
  readonly param: 'disbursement_id'
  readonly reason?: 'no_valid_line'
}

/** Rejections: not_found (no such disbursement of the merchant), items_required (none of its lines can be paid). */
export function payeesOf(state: State, past: Past, merchant: AccountNumber, { lines, disbursementId }: WantedPayees): Payees | NoPayees {
  if (disbursementId === undefined) {
    const plan = { items: lines, items_count: lines.length, total_amount: sumOfLines(lines) }
    return { plan, param: 'items' }
  }
  const param = 'disbursement_id'
  const row = findDisbursement(state, past, disbursementId)
  if (row?.account !== merchant) return { refusal: 'not_found', param }
  const { id, valid_count, valid_amount } = row.plan
  if (valid_count === 0) return { refusal: 'items_required', param, reason: 'no_valid_line' }
  const plan = { items: [], items_count: valid_count, total_amount: valid_amount, disbursement_id: id }
  return { plan, source: { source_position: row.createdPosition }, param }
}
