// The index terms of lists. A list is the intersection of its terms. Terms are stored as hashes, so readers compare
// the record.
import type { Term } from '../kernel/term.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { BILL_INDEX_KEYS } from './bill/bill-index-keys.ts'
import { BILLER_INDEX_KEYS } from './biller/biller-index-keys.ts'
import { CHARGE_INDEX_KEYS } from './charge/charge-index-keys.ts'
import type { ChargeMove } from './charge/charge-state.ts'
import { CODE_RUN_INDEX_KEYS, codeRunsBlock } from './code-run/code-run-index-keys.ts'
import { RECORD_INDEX_KEYS } from './filing.ts'
import { MANDATE_INDEX_KEYS } from './mandate/mandate-index-keys.ts'
import { OPERATOR_INDEX_KEYS } from './operator/operator-index-keys.ts'
import { PAYOUT_INDEX_KEYS } from './payout/payout-index-keys.ts'
import { SCHEDULE_INDEX_KEYS } from './schedule/schedule-index-keys.ts'
import { WEBHOOK_INDEX_KEYS } from './webhook/webhook-index-keys.ts'

const PAYOUT_FILTERS = {
  state: PAYOUT_INDEX_KEYS.payoutsByState,
  recipient: PAYOUT_INDEX_KEYS.payoutsByRecipient,
  reference: PAYOUT_INDEX_KEYS.payoutsByReference,
  schedule_id: PAYOUT_INDEX_KEYS.payoutsBySchedule,
} as const

export type PayoutFilter = keyof typeof PAYOUT_FILTERS

export const AUDIT_TERM: Term = { kind: OPERATOR_INDEX_KEYS.audit, owner: 0, value: '' }

/** `owner` 0: the scope is part of the value. */
export function idempotencyTerm(scope: string, key: string): Term {
  return { kind: RECORD_INDEX_KEYS.idempotency, owner: 0, value: `${scope}:${key}` }
}

export function payoutTerm(id: string): Term {
  return { kind: PAYOUT_INDEX_KEYS.payout, owner: 0, value: id }
}

/** The report of a batch. The payouts of its lines stand in the same record, so they need no term for it. */
export function batchTerm(id: string): Term {
  return { kind: PAYOUT_INDEX_KEYS.batch, owner: 0, value: id }
}

/** The reports of a merchant's account. */
export function batchesTerm(merchant: AccountNumber): Term {
  return { kind: PAYOUT_INDEX_KEYS.batches, owner: merchant, value: '' }
}

/** All payouts of a merchant's account, or those with the filter's value. */
export function payoutsTerm(merchant: AccountNumber, filter?: PayoutFilter, value = ''): Term {
  return { kind: filter === undefined ? PAYOUT_INDEX_KEYS.payouts : PAYOUT_FILTERS[filter], owner: merchant, value }
}

/** What became of a schedule since its creation. */
export function scheduleTerm(id: string): Term {
  return { kind: SCHEDULE_INDEX_KEYS.schedule, owner: 0, value: id }
}

/** The creation of each schedule of a merchant's account. */
export function schedulesTerm(merchant: AccountNumber): Term {
  return { kind: SCHEDULE_INDEX_KEYS.schedules, owner: merchant, value: '' }
}

export function scheduleRunsTerm(merchant: AccountNumber, id: string): Term {
  return { kind: SCHEDULE_INDEX_KEYS.scheduleRuns, owner: merchant, value: id }
}

/** Every version of a mandate. */
export function mandateTerm(id: string): Term {
  return { kind: MANDATE_INDEX_KEYS.mandate, owner: 0, value: id }
}

/** The creation of the mandate that goes by this token. */
export function mandateByTokenTerm(token: string): Term {
  return { kind: MANDATE_INDEX_KEYS.mandateByToken, owner: 0, value: token }
}

const MANDATE_FILTERS = { customer_tag: MANDATE_INDEX_KEYS.mandatesByCustomer, reference: MANDATE_INDEX_KEYS.mandatesByReference } as const

export type MandateFilter = keyof typeof MANDATE_FILTERS

/** The creation of each mandate of a merchant's account, or of those with the filter's value, which never changes. */
export function mandatesTerm(merchant: AccountNumber, filter?: MandateFilter, value = ''): Term {
  return { kind: filter === undefined ? MANDATE_INDEX_KEYS.mandates : MANDATE_FILTERS[filter], owner: merchant, value }
}

/** The creation of each mandate that a wallet was asked for. */
export function mandatesOfWalletTerm(wallet: AccountNumber): Term {
  return { kind: MANDATE_INDEX_KEYS.mandatesOfWallet, owner: wallet, value: '' }
}

/** What a mandate collected or tried to. */
export function mandatePaymentsTerm(merchant: AccountNumber, id: string): Term {
  return { kind: MANDATE_INDEX_KEYS.mandatePayments, owner: merchant, value: id }
}

/** Every version of the charge that goes by this token. */
export function chargeTerm(token: string): Term {
  return { kind: CHARGE_INDEX_KEYS.charge, owner: 0, value: token }
}

/** The first version of the charge with this id: it says the token. */
export function chargeByIdTerm(id: string): Term {
  return { kind: CHARGE_INDEX_KEYS.chargeById, owner: 0, value: id }
}

const CHARGE_FILTERS = { reference: CHARGE_INDEX_KEYS.chargesByReference, customer_tag: CHARGE_INDEX_KEYS.chargesByCustomer } as const

export type ChargeFilter = keyof typeof CHARGE_FILTERS

/** The first versions of all charges of a merchant's account, or of those with the filter's value, which never changes. */
export function chargesTerm(merchant: AccountNumber, filter?: ChargeFilter, value = ''): Term {
  return { kind: filter === undefined ? CHARGE_INDEX_KEYS.charges : CHARGE_FILTERS[filter], owner: merchant, value }
}

/** The versions by which charges of a merchant's account came into this state; some have left it since. */
export function chargesInStateTerm(merchant: AccountNumber, state: ChargeMove): Term {
  return { kind: CHARGE_INDEX_KEYS.chargesByState, owner: merchant, value: state }
}

/** The quote, and the payment that used it. */
export function quoteTerm(id: string): Term {
  return { kind: BILL_INDEX_KEYS.quote, owner: 0, value: id }
}

/** The bill payment with this charge id, each end of its fulfillment, and its refund. */
export function billTerm(chargeId: string): Term {
  return { kind: BILL_INDEX_KEYS.bill, owner: 0, value: chargeId }
}

const BILL_FILTERS = { product: BILL_INDEX_KEYS.billsByProduct, biller_ref: BILL_INDEX_KEYS.billsByReference } as const

export type BillFilter = keyof typeof BILL_FILTERS

/** All bill payments of a merchant's account, or those with the filter's value. */
export function billsTerm(merchant: AccountNumber, filter?: BillFilter, value = ''): Term {
  return { kind: filter === undefined ? BILL_INDEX_KEYS.bills : BILL_FILTERS[filter], owner: merchant, value }
}

/** What operators decided about a biller; each event holds the whole profile of that moment. */
export function billerDecisionsTerm(slug: string): Term {
  return { kind: BILLER_INDEX_KEYS.billerDecisions, owner: 0, value: slug }
}

/** All versions of a product, by the slugs of biller and product. */
export function productVersionsTerm(biller: string, slug: string): Term {
  return { kind: BILLER_INDEX_KEYS.productVersions, owner: 0, value: `${biller}/${slug}` }
}

/** The merchant's event with this id. */
export function merchantEventTerm(id: string): Term {
  return { kind: WEBHOOK_INDEX_KEYS.merchantEvent, owner: 0, value: id }
}

/** All webhook events of the merchant, or those of one type. */
export function merchantEventsTerm(merchant: AccountNumber, type?: string): Term {
  return {
    kind: type === undefined ? WEBHOOK_INDEX_KEYS.merchantEvents : WEBHOOK_INDEX_KEYS.merchantEventsByType,
    owner: merchant,
    value: type ?? '',
  }
}

/** What became of the delivery of an event to an endpoint; null stands for a charge's own address. */
export function deliveryTerm(eventId: string, endpointId: string | null): Term {
  return { kind: WEBHOOK_INDEX_KEYS.delivery, owner: 0, value: `${eventId}:${endpointId ?? ''}` }
}

/** The delivery log of an endpoint. */
export function deliveryAttemptsTerm(merchant: AccountNumber, endpointId: string): Term {
  return { kind: WEBHOOK_INDEX_KEYS.deliveryAttempts, owner: merchant, value: endpointId }
}

/** Attempts that failed, and events with a delivery that was never begun: some of them were delivered since. */
export function undeliveredTerm(merchant: AccountNumber): Term {
  return { kind: WEBHOOK_INDEX_KEYS.undelivered, owner: merchant, value: '' }
}

/** A hundred runs of a product in a row, by their number from 1: the last hundred are in two of these. */
export function codeRunsTerm(merchant: AccountNumber, product: string, number: number): Term {
  return { kind: CODE_RUN_INDEX_KEYS.codeRuns, owner: merchant, value: codeRunsBlock(product, number) }
}

export function transactionTerm(id: string): Term {
  return { kind: RECORD_INDEX_KEYS.transaction, owner: 0, value: id }
}

/** All transactions of an account, or those of the type or with the reference. */
export function transactionsTerm(account: AccountNumber, filter?: 'type' | 'reference', value = ''): Term {
  if (filter === undefined) return { kind: RECORD_INDEX_KEYS.transactions, owner: account, value: '' }
  return {
    kind: filter === 'type' ? RECORD_INDEX_KEYS.transactionsByType : RECORD_INDEX_KEYS.transactionsByReference,
    owner: account,
    value,
  }
}

/** The stream frames of a wallet; the index of a hit counts within the record's frames. */
export function framesTerm(wallet: AccountNumber): Term {
  return { kind: RECORD_INDEX_KEYS.frames, owner: wallet, value: '' }
}
