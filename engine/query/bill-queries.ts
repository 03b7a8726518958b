// Queries for bill payments: one by transaction id, and the merchant's list, each with its current fulfillment and
// refund.
import type { Hit } from '../actor/index-hit.ts'
import type { ListBillPaymentsQuery } from '../contract/bill.ts'
import { billIndexKey, billsIndexKey } from '../domain/bill/bill-index-keys.ts'
import type { RecordedBillPayment } from '../domain/bill/bill-state.ts'
import { billText, outcomeOf } from '../domain/bill/bill-versions.ts'
import { payloadOf } from '../domain/record.ts'
import { transactionIndexKey } from '../domain/record-index-keys.ts'
import type { IndexKey } from '../kernel/index-key.ts'
import type { Position } from '../kernel/position.ts'
import { foldReference, isReference } from '../kernel/reference.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { type DocumentSlice, documentSlice, type ListedDocuments, type SliceInput } from './document-slice.ts'
import type { HistoryReads, Reads } from './reads.ts'
import { type Search, searchOf, searchPage, type Way } from './search.ts'
import { wayWithWallet } from './transaction-search.ts'

/** Returns null when the cursor belongs to another kind of list. */
export function listBills(reads: Reads, { account, query }: SliceInput<ListBillPaymentsQuery>): DocumentSlice | null {
  const { state, history } = reads
  const { product, biller_ref } = query
  const folded = biller_ref === undefined ? undefined : foldReference(biller_ref)
  const keep = ({ event }: Hit): boolean => {
    if (event.type !== 'bill.paid' || event.account !== account) return false
    const payment = payloadOf<RecordedBillPayment>(event)
    return (product === undefined || payment.product === product) && (folded === undefined || isReference(payment.biller_ref, folded))
  }
  const search = searchOf(query.q)
  const list: ListedDocuments =
    search === null
      ? { indexKeys: indexKeysOf(account, query), keep }
      : { page: (slice) => searchPage(history, slice, keep, waysToBills(reads, account, search)) }
  return documentSlice(history, query, {
    ...list,
    current: ({ event }) => {
      const payment = payloadOf<RecordedBillPayment>(event)
      return billText(payment, outcomeOf(state, history, payment))
    },
  })
}

/** By the biller's reference, by the tag of the payer, and by the id of the payment or of its transaction. */
function waysToBills({ state, history }: Reads, account: AccountNumber, { reference, tag, id }: Search): Way[] {
  const wallet = tag === null ? undefined : state.wallets.byTag(state.accounts.environment(account), tag)
  const byTransaction = id === null ? null : billHit(history, { account, transactionId: id })
  return [
    {
      indexKeys: [billsIndexKey(account, 'biller_ref', reference)],
      keep: ({ event }) => isReference(payloadOf<RecordedBillPayment>(event).biller_ref, reference),
    },
    ...(wallet === undefined ? [] : [wayWithWallet(account, wallet.account, 'bill')]),
    ...(id === null
      ? []
      : [{ indexKeys: [billIndexKey(id)], keep: ({ event }: Hit) => payloadOf<RecordedBillPayment>(event).charge_id === id }]),
    byTransaction === null ? [] : [byTransaction],
  ]
}

export interface BillInput {
  readonly account: AccountNumber
  readonly transactionId: string
}

/** Returns JSON text of the merchant's record; null when the account has no payment with this transaction id. */
export function getBill({ state, history }: Reads, input: BillInput): string | null {
  const hit = billHit(history, input)
  if (hit === null) return null
  const payment = payloadOf<RecordedBillPayment>(hit.event)
  return billText(payment, outcomeOf(state, history, payment))
}

/**
 * Returns the position of the payment, which commands take; null when the account has no payment with this
 * transaction id.
 */
export function billPosition({ history }: Reads, input: BillInput): Position | null {
  return billHit(history, input)?.position ?? null
}

function billHit(history: HistoryReads, { account, transactionId: given }: BillInput): Hit | null {
  const transactionId = given.toLowerCase()
  return history.byId(transactionIndexKey(transactionId), ({ event }) => {
    const isOwn = event.type === 'bill.paid' && event.account === account
    return isOwn && payloadOf<RecordedBillPayment>(event).transaction_id === transactionId
  })
}

function indexKeysOf(account: AccountNumber, { product, biller_ref }: ListBillPaymentsQuery): IndexKey[] {
  const indexKeys = [
    ...(product === undefined ? [] : [billsIndexKey(account, 'product', product)]),
    ...(biller_ref === undefined ? [] : [billsIndexKey(account, 'biller_ref', biller_ref)]),
  ]
  return indexKeys.length === 0 ? [billsIndexKey(account)] : indexKeys
}
