// A payment by a link counts on the link in the record of the payment, so that a link never takes more payments than it
// allows. The payment that reaches the maximum closes it.
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { forgottenFor, type PaymentLinkClosed } from './closed-links.ts'
import type { PaymentLink, PaymentLinkRow } from './payment-link-state.ts'

/** The payload of `payment_link.paid`: what a payment changes. */
export type PaymentLinkPaid = Pick<PaymentLink, 'id' | 'payments_count' | 'collected_amount' | 'state' | 'closed_at'> &
  Pick<PaymentLinkClosed, 'forgets'>

export function linkPaidEvent(state: State, row: PaymentLinkRow, amount: number, context: Context): StoredEvent {
  const { account, link } = row
  const payments_count = link.payments_count + 1
  const isLast = link.max_payments !== null && payments_count >= link.max_payments
  const payload: PaymentLinkPaid = {
    id: link.id,
    payments_count,
    collected_amount: Math.min(Number.MAX_SAFE_INTEGER, link.collected_amount + amount),
    state: isLast ? 'closed' : link.state,
    closed_at: isLast ? rfc3339(context.timeMs) : link.closed_at,
    ...(isLast ? forgottenFor(state, row) : {}),
  }
  return event('payment_link.paid', 1, account, payload)
}
