// Quotes and bill payments in the log: how a decision or a reader finds them, and what they are by now.
import { parseRfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { billTerm, quoteTerm } from '../terms.ts'
import type { BillPayment, Fulfillment, FulfillmentEnded, Quote } from './state.ts'

/** The quote as it was given, or why it is none any more. */
export type FoundQuote = Quote | 'quote_used' | 'quote_expired' | 'not_found'

export interface QuoteUse {
  readonly id: string
  /** The wallet that wants to pay by it. */
  readonly payer: AccountNumber
  readonly tag: string
  /** Slugs of what it wants to pay. */
  readonly biller: string
  readonly product: string
}

/** Somebody else's quote, or one for another product, is not found. A used one stays used, also after its time. */
export function findQuote({ past, timeMs }: Pick<Context, 'past' | 'timeMs'>, use: QuoteUse): FoundQuote {
  const found = past.latest(quoteTerm(use.id), (event) => quoteIdOf(event) === use.id)
  if (found === null) return 'not_found'
  if (found.type === 'bill.paid') {
    const { biller, product, payer_tag } = payloadOf<BillPayment>(found)
    return biller === use.biller && product === use.product && payer_tag === use.tag ? 'quote_used' : 'not_found'
  }
  const quote = payloadOf<Quote>(found)
  if (found.account !== use.payer || quote.biller !== use.biller || quote.product !== use.product) return 'not_found'
  return parseRfc3339(quote.expires_at) <= timeMs ? 'quote_expired' : quote
}

function quoteIdOf(event: StoredEvent): string | null {
  if (event.type === 'bill.paid') return payloadOf<BillPayment>(event).quote_id
  return event.type === 'quote.created' ? payloadOf<Quote>(event).id : null
}

/** What became of the fulfillment by now. */
export function fulfillmentOf(state: State, past: Past, { charge_id, fulfillment }: BillPayment): Fulfillment {
  if (fulfillment.state !== 'pending' || state.bills.fulfilling.get(charge_id) !== undefined) return fulfillment
  const ended = past.latest(billTerm(charge_id), (event) => isEndOf(event, charge_id))
  return ended === null ? fulfillment : payloadOf<FulfillmentEnded>(ended).fulfillment
}

function isEndOf(event: StoredEvent, chargeId: string): boolean {
  return event.type === 'bill.fulfilled' && payloadOf<FulfillmentEnded>(event).charge_id === chargeId
}

/** What the merchant is told, by webhook and in its list: the fields of the specification, and no other. */
export function billPaidData(payment: BillPayment): object {
  const { biller, product, amount, currency, biller_ref, form_values, charge_id, transaction_id, merchant_id } = payment
  return { biller, product, amount, currency, biller_ref, form_values, charge_id, transaction_id, merchant_id }
}
