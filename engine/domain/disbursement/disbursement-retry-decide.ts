// Retry of a disbursement that has ended: a new one of its failed lines alone, once.
import type { Caller } from '../../contract/created-by.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, Decision } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { quotaRefusal } from '../quotas.ts'
import type { State } from '../state.ts'
import { judgedLines, planned } from './disbursement-create-decide.ts'
import type { DisbursementChunk } from './disbursement-judge-decide.ts'
import { LIVE_DISBURSEMENTS } from './disbursement-limits.ts'
import { disbursementChanged, findDisbursement, progressOf } from './disbursement-versions.ts'

export interface RetryDisbursement {
  readonly type: 'RetryDisbursement'
  readonly merchant: AccountNumber
  readonly id: string
  /** The failed lines, judged again. */
  readonly chunks: readonly DisbursementChunk[]
  readonly by: Caller
}

export const RETRY_DISBURSEMENT_REJECTIONS = [
  ...MERCHANT_STOPS,
  'not_found',
  'invalid_disbursement_state',
  'no_failed_lines',
  'quota_exceeded',
] as const

/**
 * Returns `created` and the new record. Rejections, in this precedence: MERCHANT_STOPS, not_found, invalid_disbursement_state
 * (neither completed nor cancelled, or retried before), no_failed_lines, invalid_disbursement_state (the lines are not
 * those that failed), quota_exceeded.
 */
export function decideRetryDisbursement(
  state: State,
  { merchant, id, chunks, by }: RetryDisbursement,
  context: Context,
): Decision<(typeof RETRY_DISBURSEMENT_REJECTIONS)[number]> {
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  const row = findDisbursement(state, context.past, id)
  if (row === null || row.account !== merchant) return { refusal: 'not_found' }
  const isOver = row.status.state === 'completed' || row.status.state === 'cancelled'
  if (!isOver || row.is_retried) return { refusal: 'invalid_disbursement_state' }
  if (row.status.failed_count === 0) return { refusal: 'no_failed_lines' }
  // Lines may have failed since they were read: then it had not ended.
  if (chunks.reduce((sum, chunk) => sum + chunk.total_count, 0) !== row.status.failed_count)
    return { refusal: 'invalid_disbursement_state' }
  const full = quotaRefusal(state, LIVE_DISBURSEMENTS, merchant)
  if (full !== null) return full
  const { reference, on_insufficient_balance: onInsufficientBalance } = row.plan
  const order = { merchant, reference, startAtMs: null, onInsufficientBalance, by }
  const lines = judgedLines(state, context, merchant, chunks, { retryOf: id, isStarted: false })
  const made = planned(state, order, lines, context)
  const retried = disbursementChanged(merchant, row, { ...progressOf(row), is_retried: true })
  return {
    environment: row.plan.environment,
    events: [...made.events, retried],
    transactions: [],
    frames: [],
    kind: 'created',
    body: JSON.stringify(made.disbursement),
  }
}
