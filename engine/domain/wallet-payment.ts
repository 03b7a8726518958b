// A payment that a wallet made: of a charge, a bill or a mandate, as its event says, and whether it was given back.
import type { Amount } from '../kernel/amount.ts'
import type { Environment } from '../kernel/environment.ts'
import type { Position } from '../kernel/position.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { RecordedBillPayment } from './bill/bill-state.ts'
import { outcomeOf } from './bill/bill-versions.ts'
import { chargeOf, findCharge } from './charge/charge-versions.ts'
import type { Context } from './decision.ts'
import type { MandateChange, MandateVersion } from './mandate/mandate-state.ts'
import { findMandate, isMandateVersion } from './mandate/mandate-versions.ts'
import { payloadOf, type StoredEvent } from './record.ts'
import type { State } from './state.ts'

/** What is known of a payment, of each kind. */
export interface PaymentFields {
  readonly payment: 'charge' | 'bill' | 'mandate'
  readonly transaction_id: string
  /** Of a charge; null for the others. */
  readonly charge_token: string | null
  /** Of a mandate; null for the others. */
  readonly mandate_id: string | null
  readonly reference: string
  readonly amount: Amount
  readonly currency: string
  readonly environment: Environment
  /** Tag of the wallet that paid. */
  readonly customer_tag: string
}

export interface PaymentOfWallet {
  /** Account number of the merchant. */
  readonly merchant: AccountNumber
  readonly fields: PaymentFields
  readonly madeBy: readonly string[]
}

type Sources = Pick<Context, 'past' | 'timeMs'>

/** Returns the payment of the wallet whose event stands at the position; null when it is none, or another wallet's. */
export function paymentAt(state: State, { past }: Sources, wallet: AccountNumber, position: Position): PaymentOfWallet | null {
  const found = past.eventAt(position)
  const payment = paymentOf(state, past, found)
  if (payment === null) return null
  const { environment, customer_tag } = payment.fields
  const isOwn = state.accounts.environment(wallet) === environment && state.wallets.byAccount(wallet)?.tag === customer_tag
  return isOwn ? payment : null
}

function paymentOf(state: State, past: Sources['past'], found: StoredEvent): PaymentOfWallet | null {
  if (found.type === 'charge.paid') return ofCharge(past, found)
  if (found.type === 'bill.paid') return ofBill(found)
  return isMandateVersion(found) ? ofMandate(state, past, found) : null
}

function ofCharge(past: Sources['past'], event: StoredEvent): PaymentOfWallet | null {
  const { token, transaction_id, reference, amount, currency, environment, payer_tag, ...charge } = chargeOf(event, past)
  if (transaction_id === null || payer_tag === null) return null
  const { created_by, payment_link_created_by } = charge
  const madeBy = [created_by.id, payment_link_created_by?.id].filter((id) => id !== undefined)
  const ids = { transaction_id, charge_token: token, mandate_id: null, customer_tag: payer_tag }
  return { merchant: event.account, madeBy, fields: { payment: 'charge', ...ids, reference, amount, currency, environment } }
}

function ofBill(event: StoredEvent): PaymentOfWallet {
  const { transaction_id, biller_ref: reference, amount, currency, environment, payer_tag } = payloadOf<RecordedBillPayment>(event)
  const ids = { transaction_id, charge_token: null, mandate_id: null, customer_tag: payer_tag }
  return { merchant: event.account, madeBy: [], fields: { payment: 'bill', ...ids, reference, amount, currency, environment } }
}

function ofMandate(state: State, past: Sources['past'], event: StoredEvent): PaymentOfWallet | null {
  const { mandate, payment } = payloadOf<MandateVersion | MandateChange>(event)
  const { transaction_id } = payment ?? {}
  const whole = transaction_id === undefined ? null : findMandate(state, past, mandate.id)
  if (payment === null || transaction_id === undefined || whole === null) return null
  const { environment, customer_tag } = whole.mandate
  const ids = { transaction_id, charge_token: null, mandate_id: mandate.id, customer_tag }
  const { amount, currency, reference } = payment
  return { merchant: event.account, madeBy: [], fields: { payment: 'mandate', ...ids, reference, amount, currency, environment } }
}

/** Returns whether the payment was given back. A payment of a mandate cannot be refunded. */
export function isRefundedPayment(state: State, sources: Sources, { fields, position }: PlacedPayment): boolean {
  const { payment, charge_token } = fields
  if (payment === 'charge') return findCharge(state, charge_token ?? '', sources)?.state === 'refunded'
  if (payment !== 'bill') return false
  const paid = payloadOf<RecordedBillPayment>(sources.past.eventAt(position))
  return outcomeOf(state, sources.past, paid).state === 'refunded'
}

export interface PlacedPayment {
  readonly fields: Pick<PaymentFields, 'payment' | 'charge_token'>
  /** Of its event. */
  readonly position: Position
}
