// Quotes and bill payments in the log: how a decision or a reader finds them, and what they are by now.
import type { Environment } from '../../kernel/environment.ts'
import type { Position } from '../../kernel/position.ts'
import { parseRfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { billIndexKey, quoteIndexKey } from './bill-index-keys.ts'
import type {
  BillRefund,
  BillRefunded,
  BillState,
  CountedFulfillment,
  Fulfilling,
  Fulfillment,
  FulfillmentEnded,
  Quote,
  RecordedBillPayment,
} from './bill-state.ts'

/** The quote as it was given, or why it is none any more. */
export type FoundQuote = Quote | 'quote_used' | 'quote_expired' | 'not_found'

export interface QuoteUse {
  readonly id: string
  /** The wallet that wants to pay by it. */
  readonly payer: AccountNumber
  /** A wallet of each environment may have the same tag. */
  readonly environment: Environment
  readonly tag: string
  /** Slugs of what it wants to pay. */
  readonly biller: string
  readonly product: string
}

/** Returns a quote only for its own wallet and product. A used quote stays used after its time. */
export function findQuote({ past, timeMs }: Pick<Context, 'past' | 'timeMs'>, use: QuoteUse): FoundQuote {
  const found = past.latest(quoteIndexKey(use.id), (event) => quoteIdOf(event) === use.id)
  if (found === null) return 'not_found'
  if (found.type === 'bill.paid') {
    const { biller, product, environment, payer_tag } = payloadOf<RecordedBillPayment>(found)
    const isPayers = environment === use.environment && payer_tag === use.tag
    return isPayers && biller === use.biller && product === use.product ? 'quote_used' : 'not_found'
  }
  const quote = payloadOf<Quote>(found)
  if (found.account !== use.payer || quote.biller !== use.biller || quote.product !== use.product) return 'not_found'
  return parseRfc3339(quote.expires_at) <= timeMs ? 'quote_expired' : quote
}

function quoteIdOf(event: StoredEvent): string | null {
  if (event.type === 'bill.paid') return payloadOf<RecordedBillPayment>(event).quote_id
  return event.type === 'quote.created' ? payloadOf<Quote>(event).id : null
}

/** The payment at a position; null when it is none, or another merchant's. */
export function billAt(past: Past, merchant: AccountNumber, position: Position): RecordedBillPayment | null {
  const found = past.eventAt(position)
  return found.type === 'bill.paid' && found.account === merchant ? payloadOf<RecordedBillPayment>(found) : null
}

/** What became of a payment by now. */
export interface BillOutcome {
  readonly state: BillState
  /** Null unless it was refunded. */
  readonly refund: BillRefund | null
  readonly fulfillment: CountedFulfillment
}

export function outcomeOf(state: State, past: Past, { charge_id, fulfillment }: RecordedBillPayment): BillOutcome {
  const row = state.bills.fulfilling.get(charge_id)
  if (row !== undefined) return outcome(row.refund ?? null, { ...PENDING, attempts: startsOf(row) })
  const newest = past.latest(billIndexKey(charge_id), (event) => isOutcomeOf(event, charge_id))
  if (newest === null) return outcome(null, { ...fulfillment, attempts: 0 })
  const { fulfillment: counted, refund } = payloadOf<FulfillmentEnded | BillRefunded>(newest)
  return outcome(refund, counted)
}

const PENDING: Fulfillment = { state: 'pending', error: null, duration_ms: null }

/** How often the code was started, a run that is under way included. */
export function startsOf({ attempts = 0, has_started }: Fulfilling): number {
  return attempts + (has_started ? 1 : 0)
}

function outcome(refund: BillRefund | null, fulfillment: CountedFulfillment): BillOutcome {
  return { state: refund === null ? 'paid' : 'refunded', refund, fulfillment }
}

function isOutcomeOf(event: StoredEvent, chargeId: string): boolean {
  if (event.type !== 'bill.fulfilled' && event.type !== 'bill.refunded') return false
  return payloadOf<FulfillmentEnded | BillRefunded>(event).charge_id === chargeId
}

/** Returns the data of the webhook event and of the list: the fields of the specification only. */
export function billPaidData(payment: RecordedBillPayment): object {
  const { biller, product, amount, currency, biller_ref, form_values, charge_id, transaction_id, merchant_id } = payment
  return { biller, product, amount, currency, biller_ref, form_values, charge_id, transaction_id, merchant_id }
}

/** The record that its merchant reads, as JSON text. */
export function billText(payment: RecordedBillPayment, { state, refund, fulfillment }: BillOutcome): string {
  const { environment, paid_at, fee } = payment
  const { refunded_at = null, refund_transaction_id = null, ...reason } = refund ?? {}
  return JSON.stringify({
    ...billPaidData(payment),
    ...{ fee, environment, state, paid_at, refunded_at, refund_transaction_id, fulfillment, ...reason },
  })
}
