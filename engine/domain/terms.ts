// The terms of the index: what can be looked up, and what it is filed under (by filing.ts). A list is the intersection
// of its terms; whoever looks one up checks the record, because terms are stored as hashes.
import type { Term } from '../kernel/term.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { ChargeMove } from './charge/charge-state.ts'
import { RUNS_SHOWN_MAX } from './code-run/code-run-limits.ts'

/** Numbers are in the archive: add, never reuse. A changed meaning needs the archive rebuilt. */
export const KIND = {
  idempotency: 1,
  audit: 2,
  transaction: 10,
  transactions: 11,
  transactionsByType: 12,
  transactionsByReference: 13,
  frames: 14,
  payout: 20,
  payouts: 21,
  payoutsByState: 22,
  payoutsByRecipient: 23,
  payoutsByReference: 24,
  batch: 25,
  payoutsBySchedule: 26,
  batches: 27,
  charge: 30,
  chargeById: 31,
  charges: 32,
  chargesByState: 33,
  chargesByReference: 34,
  chargesByCustomer: 35,
  merchantEvent: 60,
  merchantEvents: 61,
  merchantEventsByType: 62,
  delivery: 63,
  deliveryAttempts: 64,
  undelivered: 65,
  schedule: 40,
  schedules: 41,
  scheduleRuns: 42,
  mandate: 50,
  mandateByToken: 51,
  mandates: 52,
  mandatesByCustomer: 53,
  mandatesByReference: 54,
  mandatesOfWallet: 55,
  mandatePayments: 56,
  quote: 70,
  bill: 71,
  bills: 72,
  billsByProduct: 73,
  billsByReference: 74,
  billerDecisions: 80,
  productVersions: 81,
  codeRuns: 90,
} as const

const PAYOUT_FILTERS = {
  state: KIND.payoutsByState,
  recipient: KIND.payoutsByRecipient,
  reference: KIND.payoutsByReference,
  schedule_id: KIND.payoutsBySchedule,
} as const

export type PayoutFilter = keyof typeof PAYOUT_FILTERS

export const AUDIT_TERM: Term = { kind: KIND.audit, owner: 0, value: '' }

/** `owner` 0: the scope is part of the value. */
export function idempotencyTerm(scope: string, key: string): Term {
  return { kind: KIND.idempotency, owner: 0, value: `${scope}:${key}` }
}

export function payoutTerm(id: string): Term {
  return { kind: KIND.payout, owner: 0, value: id }
}

/** The report of a batch. The payouts of its lines stand in the same record, so they need no term for it. */
export function batchTerm(id: string): Term {
  return { kind: KIND.batch, owner: 0, value: id }
}

/** The reports of a merchant's account. */
export function batchesTerm(merchant: AccountNumber): Term {
  return { kind: KIND.batches, owner: merchant, value: '' }
}

/** All payouts of a merchant's account, or those with the filter's value. */
export function payoutsTerm(merchant: AccountNumber, filter?: PayoutFilter, value = ''): Term {
  return { kind: filter === undefined ? KIND.payouts : PAYOUT_FILTERS[filter], owner: merchant, value }
}

/** What became of a schedule since its creation. */
export function scheduleTerm(id: string): Term {
  return { kind: KIND.schedule, owner: 0, value: id }
}

/** The creation of each schedule of a merchant's account. */
export function schedulesTerm(merchant: AccountNumber): Term {
  return { kind: KIND.schedules, owner: merchant, value: '' }
}

export function scheduleRunsTerm(merchant: AccountNumber, id: string): Term {
  return { kind: KIND.scheduleRuns, owner: merchant, value: id }
}

/** Every version of a mandate. */
export function mandateTerm(id: string): Term {
  return { kind: KIND.mandate, owner: 0, value: id }
}

/** The creation of the mandate that goes by this token. */
export function mandateByTokenTerm(token: string): Term {
  return { kind: KIND.mandateByToken, owner: 0, value: token }
}

const MANDATE_FILTERS = { customer_tag: KIND.mandatesByCustomer, reference: KIND.mandatesByReference } as const

export type MandateFilter = keyof typeof MANDATE_FILTERS

/** The creation of each mandate of a merchant's account, or of those with the filter's value, which never changes. */
export function mandatesTerm(merchant: AccountNumber, filter?: MandateFilter, value = ''): Term {
  return { kind: filter === undefined ? KIND.mandates : MANDATE_FILTERS[filter], owner: merchant, value }
}

/** The creation of each mandate that a wallet was asked for. */
export function mandatesOfWalletTerm(wallet: AccountNumber): Term {
  return { kind: KIND.mandatesOfWallet, owner: wallet, value: '' }
}

/** What a mandate collected or tried to. */
export function mandatePaymentsTerm(merchant: AccountNumber, id: string): Term {
  return { kind: KIND.mandatePayments, owner: merchant, value: id }
}

/** Every version of the charge that goes by this token. */
export function chargeTerm(token: string): Term {
  return { kind: KIND.charge, owner: 0, value: token }
}

/** The first version of the charge with this id: it says the token. */
export function chargeByIdTerm(id: string): Term {
  return { kind: KIND.chargeById, owner: 0, value: id }
}

const CHARGE_FILTERS = { reference: KIND.chargesByReference, customer_tag: KIND.chargesByCustomer } as const

export type ChargeFilter = keyof typeof CHARGE_FILTERS

/** The first versions of all charges of a merchant's account, or of those with the filter's value, which never changes. */
export function chargesTerm(merchant: AccountNumber, filter?: ChargeFilter, value = ''): Term {
  return { kind: filter === undefined ? KIND.charges : CHARGE_FILTERS[filter], owner: merchant, value }
}

/** The versions by which charges of a merchant's account came into this state; some have left it since. */
export function chargesInStateTerm(merchant: AccountNumber, state: ChargeMove): Term {
  return { kind: KIND.chargesByState, owner: merchant, value: state }
}

/** The quote, and the payment that used it. */
export function quoteTerm(id: string): Term {
  return { kind: KIND.quote, owner: 0, value: id }
}

/** The bill payment with this charge id, each end of its fulfillment, and its refund. */
export function billTerm(chargeId: string): Term {
  return { kind: KIND.bill, owner: 0, value: chargeId }
}

const BILL_FILTERS = { product: KIND.billsByProduct, biller_ref: KIND.billsByReference } as const

export type BillFilter = keyof typeof BILL_FILTERS

/** All bill payments of a merchant's account, or those with the filter's value. */
export function billsTerm(merchant: AccountNumber, filter?: BillFilter, value = ''): Term {
  return { kind: filter === undefined ? KIND.bills : BILL_FILTERS[filter], owner: merchant, value }
}

/** The merchant's event with this id. */
/** What operators decided about a biller; each event holds the whole profile of that moment. */
export function billerDecisionsTerm(slug: string): Term {
  return { kind: KIND.billerDecisions, owner: 0, value: slug }
}

/** All versions of a product, by the slugs of biller and product. */
export function productVersionsTerm(biller: string, slug: string): Term {
  return { kind: KIND.productVersions, owner: 0, value: `${biller}/${slug}` }
}

export function merchantEventTerm(id: string): Term {
  return { kind: KIND.merchantEvent, owner: 0, value: id }
}

/** What the merchant of the account was told of, all of it or one type. */
export function merchantEventsTerm(merchant: AccountNumber, type?: string): Term {
  return { kind: type === undefined ? KIND.merchantEvents : KIND.merchantEventsByType, owner: merchant, value: type ?? '' }
}

/** What became of the delivery of an event to an endpoint; null stands for a charge's own address. */
export function deliveryTerm(eventId: string, endpointId: string | null): Term {
  return { kind: KIND.delivery, owner: 0, value: `${eventId}:${endpointId ?? ''}` }
}

/** The delivery log of an endpoint. */
export function deliveryAttemptsTerm(merchant: AccountNumber, endpointId: string): Term {
  return { kind: KIND.deliveryAttempts, owner: merchant, value: endpointId }
}

/** Attempts that failed, and events with a delivery that was never begun: some of them were delivered since. */
export function undeliveredTerm(merchant: AccountNumber): Term {
  return { kind: KIND.undelivered, owner: merchant, value: '' }
}

/** A hundred runs of a product in a row, by their number from 1: the last hundred are in two of these. */
export function codeRunsTerm(merchant: AccountNumber, product: string, number: number): Term {
  return { kind: KIND.codeRuns, owner: merchant, value: codeRunsBlock(product, number) }
}

export function codeRunsBlock(product: string, number: number): string {
  return `${product}:${Math.ceil(number / RUNS_SHOWN_MAX)}`
}

export function transactionTerm(id: string): Term {
  return { kind: KIND.transaction, owner: 0, value: id }
}

/** All transactions of an account, or those of the type or with the reference. */
export function transactionsTerm(account: AccountNumber, filter?: 'type' | 'reference', value = ''): Term {
  if (filter === undefined) return { kind: KIND.transactions, owner: account, value: '' }
  return { kind: filter === 'type' ? KIND.transactionsByType : KIND.transactionsByReference, owner: account, value }
}

/** The stream frames of a wallet; the index of a hit counts within the record's frames. */
export function framesTerm(wallet: AccountNumber): Term {
  return { kind: KIND.frames, owner: wallet, value: '' }
}
