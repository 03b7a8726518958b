// Queries for bill payments: one by transaction id, and the merchant's list, each with its current fulfillment and
// refund.
import type { Hit } from '../actor/hit.ts'
import type { ListBillPaymentsQuery } from '../contract/bill.ts'
import { billsIndexKey } from '../domain/bill/bill-index-keys.ts'
import type { RecordedBillPayment } from '../domain/bill/bill-state.ts'
import { billText, outcomeOf } from '../domain/bill/bill-versions.ts'
import { payloadOf } from '../domain/record.ts'
import { transactionIndexKey } from '../domain/record-index-keys.ts'
import type { IndexKey } from '../kernel/index-key.ts'
import type { Position } from '../kernel/position.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { type DocumentSlice, documentSlice, type SliceInput } from './document-slice.ts'
import type { HistoryReads, Reads } from './reads.ts'

/** Returns null when the cursor belongs to another kind of list. */
export function listBills({ state, history }: Reads, { account, query }: SliceInput<ListBillPaymentsQuery>): DocumentSlice | null {
  const { product, biller_ref } = query
  return documentSlice(history, query, {
    indexKeys: indexKeysOf(account, query),
    keep: ({ event }) => {
      if (event.type !== 'bill.paid' || event.account !== account) return false
      const payment = payloadOf<RecordedBillPayment>(event)
      return (product === undefined || payment.product === product) && (biller_ref === undefined || payment.biller_ref === biller_ref)
    },
    current: ({ event }) => {
      const payment = payloadOf<RecordedBillPayment>(event)
      return billText(payment, outcomeOf(state, history, payment))
    },
  })
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
