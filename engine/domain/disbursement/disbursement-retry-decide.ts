// Retry of a disbursement that has ended: a new one of its failed lines alone, once.
import type { BatchLine } from '../../contract/batch-line.ts'
import type { Caller } from '../../contract/created-by.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, Decision } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { paidLinesOf } from '../payout/batch-events.ts'
import { quotaRefusal } from '../quotas.ts'
import { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { State } from '../state.ts'
import { judgedLines, planned } from './disbursement-create-decide.ts'
import { LIVE_DISBURSEMENTS } from './disbursement-limits.ts'
import { disbursementChanged, findDisbursement, progressOf } from './disbursement-versions.ts'

export interface RetryDisbursement {
  readonly type: 'RetryDisbursement'
  readonly merchant: AccountNumber
  readonly id: string
  readonly by: Caller
}

export const RETRY_DISBURSEMENT_REJECTIONS = [
  ...MERCHANT_STOPS,
  'not_found',
  'invalid_disbursement_state',
  'items_required',
  'quota_exceeded',
] as const

/**
 * Returns `created` and the new record. Rejections, in this precedence: MERCHANT_STOPS, not_found, invalid_disbursement_state
 * (neither completed nor cancelled, or retried before), items_required (no line failed), quota_exceeded.
 */
export function decideRetryDisbursement(
  state: State,
  { merchant, id, by }: RetryDisbursement,
  context: Context,
): Decision<(typeof RETRY_DISBURSEMENT_REJECTIONS)[number]> {
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  const row = findDisbursement(state, context.past, id)
  if (row === null || row.account !== merchant) return { refusal: 'not_found' }
  const isOver = row.status.state === 'completed' || row.status.state === 'cancelled'
  if (!isOver || row.is_retried) return { refusal: 'invalid_disbursement_state' }
  if (row.status.failed_count === 0) return { refusal: 'items_required' }
  const full = quotaRefusal(state, LIVE_DISBURSEMENTS, merchant)
  if (full !== null) return full
  const lines = row.turns.flatMap(([, position]): BatchLine[] =>
    paidLinesOf(context.past.eventAt(position)).flatMap(({ line, failure }) => (failure === null ? [] : [line])),
  )
  const checks = new RecipientChecks(state, merchant, context)
  const { reference, on_insufficient_balance: onInsufficientBalance } = row.plan
  const order = { merchant, lines, reference, startAtMs: null, onInsufficientBalance, by }
  const judged = judgedLines(order, checks, context)
  const made = planned(state, order, { judged, retryOf: id, isStarted: false }, context)
  const retried = disbursementChanged(merchant, row, { ...progressOf(row), is_retried: true })
  return {
    environment: row.plan.environment,
    events: [...made.events, retried, ...checks.events()],
    transactions: [],
    frames: [],
    kind: 'created',
    body: JSON.stringify(made.disbursement),
  }
}
