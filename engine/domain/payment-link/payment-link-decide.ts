// Deciders that create and close payment links. Payments by a link are charges; see charge/.
import type { Caller } from '../../contract/created-by.ts'
import type { Amount } from '../../kernel/amount.ts'
import { rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { quotaRefusal } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { expiredEvents, forgottenFor, type PaymentLinkClosed } from './closed-links.ts'
import { ACTIVE_LINKS } from './payment-link-limits.ts'
import { linkAt, type PaymentLink, type PaymentLinkRow } from './payment-link-state.ts'

export interface CreatePaymentLink {
  readonly type: 'CreatePaymentLink'
  readonly merchant: AccountNumber
  /** Made by the caller from random bits. */
  readonly code: string
  readonly url: string
  /** Null: the customer types it. */
  readonly amount: Amount | null
  readonly description: string
  readonly reference: string
  readonly maxPayments: number | null
  readonly expiresMs: TimeMs | null
  readonly createdBy: Caller
}

export interface ClosePaymentLink {
  readonly type: 'ClosePaymentLink'
  readonly merchant: AccountNumber
  readonly id: string
}

export const CREATE_PAYMENT_LINK_REJECTIONS = [...MERCHANT_STOPS, 'quota_exceeded'] as const

/**
 * Returns `created` and the link. At its share the account's expired links are closed first, because closed ones do not
 * count. Rejections: MERCHANT_STOPS, quota_exceeded.
 */
export function decideCreatePaymentLink(
  state: State,
  command: CreatePaymentLink,
  context: Context,
): Decision<(typeof CREATE_PAYMENT_LINK_REJECTIONS)[number]> {
  const { merchant, code, url, amount, description, reference, maxPayments, expiresMs, createdBy } = command
  const environment = state.accounts.environment(merchant)
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  const full = quotaRefusal(state, ACTIVE_LINKS, merchant)
  const expired = full === null ? [] : expiredEvents(state, merchant, rfc3339(context.timeMs))
  if (full !== null && expired.length === 0) return full
  const link: PaymentLink = {
    id: context.newId(),
    url,
    state: 'active',
    amount,
    currency: state.accounts.currency(merchant),
    description,
    reference,
    max_payments: maxPayments,
    payments_count: 0,
    collected_amount: 0,
    created_by: createdBy,
    environment,
    expires_at: expiresMs === null ? null : rfc3339(expiresMs),
    created_at: rfc3339(context.timeMs),
    closed_at: null,
  }
  const row: PaymentLinkRow = { account: merchant, code, link }
  return accept(link, [...expired, event('payment_link.created', 1, merchant, row)], 'created')
}

export const CLOSE_PAYMENT_LINK_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the link, also when it was closed before. Rejections: not_found. */
export function decideClosePaymentLink(
  state: State,
  { merchant, id }: ClosePaymentLink,
  context: Context,
): Decision<(typeof CLOSE_PAYMENT_LINK_REJECTIONS)[number]> {
  const row = state.paymentLinks.rows.get(id)
  if (row === undefined || row.account !== merchant) return { refusal: 'not_found' }
  const link = linkAt(row, context.timeMs)
  if (link.state === 'closed') return accept(link, [], 'ok')
  const closed_at = rfc3339(context.timeMs)
  const payload: PaymentLinkClosed = { id, closed_at, ...forgottenFor(state, row) }
  return accept({ ...link, state: 'closed', closed_at }, [event('payment_link.closed', 1, merchant, payload)], 'ok')
}

function accept(link: PaymentLink, events: readonly StoredEvent[], kind: 'created' | 'ok'): Accepted {
  return { environment: link.environment, events, transactions: [], frames: [], kind, body: JSON.stringify(link) }
}
