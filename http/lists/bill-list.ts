// The list of a merchant's bill payments: what it was told by webhook, and what became of the fulfillment since.
import type { Engine } from '../../engine/actor/engine.ts'
import type { ListBillPaymentsQuery } from '../../engine/contract/bill.ts'
import type { BillPayment } from '../../engine/domain/bill/state.ts'
import { billPaidData, fulfillmentOf } from '../../engine/domain/bill/versions.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import { billsTerm } from '../../engine/domain/terms.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { Call, MerchantPrincipal } from '../route.ts'
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
      const { environment, paid_at } = payment
      return JSON.stringify({ ...billPaidData(payment), environment, paid_at, fulfillment: fulfillmentOf(state, history, payment) })
    },
  })
}

function terms(account: AccountNumber, { product, biller_ref }: ListBillPaymentsQuery): ReturnType<typeof billsTerm>[] {
  const filtered = [
    ...(product === undefined ? [] : [billsTerm(account, 'product', product)]),
    ...(biller_ref === undefined ? [] : [billsTerm(account, 'biller_ref', biller_ref)]),
  ]
  return filtered.length === 0 ? [billsTerm(account)] : filtered
}
