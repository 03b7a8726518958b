// A merchant's bill payments, as a list and one by one: the data of the webhook and what became of the payment since.
import type { Engine } from '../../engine/actor/engine.ts'
import type { Hit } from '../../engine/actor/history.ts'
import type { ListBillPaymentsQuery } from '../../engine/contract/bill.ts'
import type { BillPayment } from '../../engine/domain/bill/bill-state.ts'
import { billText, outcomeOf } from '../../engine/domain/bill/bill-versions.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import { billsTerm, transactionTerm } from '../../engine/domain/terms.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { Call, MerchantPrincipal } from '../server/route.ts'
import { answerDocuments } from './document-list.ts'

export function answerBills(
  call: Call<unknown, ListBillPaymentsQuery, MerchantPrincipal>,
  { state, history }: Pick<Engine, 'state' | 'history'>,
): void {
  const { account } = call.principal
  const { product, biller_ref } = call.query
  answerDocuments(call, history, {
    terms: terms(account, call.query),
    keep: ({ event }) => {
      if (event.type !== 'bill.paid' || event.account !== account) return false
      const payment = payloadOf<BillPayment>(event)
      return (product === undefined || payment.product === product) && (biller_ref === undefined || payment.biller_ref === biller_ref)
    },
    current: ({ event }) => {
      const payment = payloadOf<BillPayment>(event)
      return billText(payment, outcomeOf(state, history, payment))
    },
  })
}

/** The payment with this transaction id; null when the merchant's account has none. */
export function findBill({ history }: Pick<Engine, 'history'>, account: AccountNumber, transactionId: string): Hit | null {
  return history.first(transactionTerm(transactionId), ({ event }) => {
    const isOwn = event.type === 'bill.paid' && event.account === account
    return isOwn && payloadOf<BillPayment>(event).transaction_id === transactionId
  })
}

function terms(account: AccountNumber, { product, biller_ref }: ListBillPaymentsQuery): ReturnType<typeof billsTerm>[] {
  const filtered = [
    ...(product === undefined ? [] : [billsTerm(account, 'product', product)]),
    ...(biller_ref === undefined ? [] : [billsTerm(account, 'biller_ref', biller_ref)]),
  ]
  return filtered.length === 0 ? [billsTerm(account)] : filtered
}
