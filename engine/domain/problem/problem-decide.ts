// Deciders of problems: the customer opens one, the merchant answers it. A refund is a command of the charge or bill.
import type { PaymentReason } from '../../contract/payment-reason.ts'
import type { Position } from '../../kernel/position.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { quotaRefusal } from '../quotas.ts'
import { payloadOf } from '../record.ts'
import type { State } from '../state.ts'
import { plannedFrame } from '../stream/stream-frames.ts'
import { isRefundedPayment, paymentAt } from '../wallet-payment.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import { OPEN_PROBLEMS, PROBLEMS_OF_MERCHANT } from './problem-limits.ts'
import type { ProblemAnswered, ProblemOpened } from './problem-state.ts'
import { shownProblem } from './problem-versions.ts'

export interface OpenProblem {
  readonly type: 'OpenProblem'
  /** Account number of the wallet that paid. */
  readonly customer: AccountNumber
  /** Of the event of the payment. */
  readonly position: Position
  readonly reason: PaymentReason
  readonly text: string
}

export interface AnswerProblem {
  readonly type: 'AnswerProblem'
  readonly merchant: AccountNumber
  /** Of the `problem.opened` event. */
  readonly position: Position
  readonly answer: string
}

export const OPEN_PROBLEM_REJECTIONS = [
  'not_found',
  'charge_already_refunded',
  'bill_already_refunded',
  'problem_open',
  'quota_exceeded',
] as const

/**
 * Returns `created` and the problem. No money moves, so a blocked wallet may open one too. Rejections, in this precedence: not_found (no
 * payment of the wallet), charge_already_refunded, bill_already_refunded, problem_open, quota_exceeded.
 */
export function decideOpenProblem(
  state: State,
  { customer, position, reason, text }: OpenProblem,
  context: Context,
): Decision<(typeof OPEN_PROBLEM_REJECTIONS)[number]> {
  const payment = paymentAt(state, context, customer, position)
  if (payment === null) return { refusal: 'not_found' }
  const { merchant, fields, madeBy } = payment
  if (isRefundedPayment(state, context, { fields, position }))
    return { refusal: fields.payment === 'bill' ? 'bill_already_refunded' : 'charge_already_refunded' }
  if (state.problems.open.get(fields.transaction_id) !== undefined) return { refusal: 'problem_open' }
  const full = quotaRefusal(state, OPEN_PROBLEMS, customer) ?? quotaRefusal(state, PROBLEMS_OF_MERCHANT, merchant)
  if (full !== null) return full
  const problem = { id: context.newId(), ...fields, reason, text, created_at: rfc3339(context.timeMs) }
  const opened: ProblemOpened = { problem, wallet: customer, payment_position: position, made_by: madeBy }
  const data = shownProblem(state, opened, merchant, { state: 'open', answered: null })
  return {
    environment: fields.environment,
    events: [
      event('problem.opened', 1, merchant, opened),
      ...outboxEvents(state, context, { account: merchant, type: 'problem.opened', about: { data } }),
    ],
    transactions: [],
    frames: [],
    kind: 'created',
    body: JSON.stringify(data),
  }
}

export const ANSWER_PROBLEM_REJECTIONS = ['not_found', 'problem_closed'] as const

/** Returns `ok` and the problem; its customer gets a frame. Rejections, in this precedence: not_found, problem_closed. */
export function decideAnswerProblem(
  state: State,
  { merchant, position, answer }: AnswerProblem,
  context: Context,
): Decision<(typeof ANSWER_PROBLEM_REJECTIONS)[number]> {
  const found = context.past.eventAt(position)
  if (found.type !== 'problem.opened' || found.account !== merchant) return { refusal: 'not_found' }
  const opened = payloadOf<ProblemOpened>(found)
  const { id, transaction_id, environment } = opened.problem
  if (state.problems.open.get(transaction_id)?.position !== position) return { refusal: 'problem_closed' }
  const answered: ProblemAnswered = { id, transaction_id, opened_position: position, answer, answered_at: rfc3339(context.timeMs) }
  return {
    environment,
    events: [event('problem.answered', 1, merchant, answered)],
    transactions: [],
    frames: [plannedFrame(opened.wallet, 'problem.answered', 0)],
    kind: 'ok',
    body: JSON.stringify(shownProblem(state, opened, merchant, { state: 'answered', answered })),
  }
}
