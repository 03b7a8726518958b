// Search of a statement: the ways to the transactions that a text means.
import type { Hit } from '../actor/index-hit.ts'
import { billIndexKey } from '../domain/bill/bill-index-keys.ts'
import type { BillRefunded, RecordedBillPayment } from '../domain/bill/bill-state.ts'
import { chargeByIdIndexKey, chargeIndexKey } from '../domain/charge/charge-index-keys.ts'
import type { Charge } from '../domain/charge/charge-state.ts'
import { payoutIndexKey, payoutsIndexKeys } from '../domain/payout/payout-index-keys.ts'
import type { Payout } from '../domain/payout/payout-state.ts'
import { payloadOf } from '../domain/record.ts'
import { transactionIndexKey, transactionsIndexKeys } from '../domain/record-index-keys.ts'
import { isPhone } from '../kernel/recipient.ts'
import { isReference } from '../kernel/reference.ts'
import type { AccountNumber, AppliedPosting, Transaction, TransactionType } from '../ledger/transaction.ts'
import type { HistoryReads, Reads } from './reads.ts'
import type { Search, Way } from './search.ts'

interface Searched {
  readonly account: AccountNumber
  readonly type: TransactionType | undefined
  readonly search: Search
}

/**
 * By reference, by the tag on the other side or the phone of payouts, and by the id of the transaction, its payout, its
 * charge or its bill. Payouts to a phone are not found by the tag of its wallet.
 */
export function waysToTransactions({ state, history }: Reads, { account, type, search }: Searched): Way[] {
  const { reference, tag, phone, id } = search
  const wallet = tag === null ? undefined : state.wallets.byTag(state.accounts.environment(account), tag)
  return [
    {
      indexKeys: [transactionsIndexKeys(account, { type, reference })],
      keep: (hit) => isReference(transactionOf(hit, account)?.reference ?? '', reference),
    },
    ...(wallet === undefined || wallet.account === account ? [] : [wayWithWallet(account, wallet.account, type)]),
    ...(phone === null ? [] : [{ indexKeys: payoutsIndexKeys(account, { recipient: phone }), keep: (hit: Hit) => isPayoutTo(hit, phone) }]),
    ...(id === null ? [] : waysById(history, account, id)),
  ]
}

/** Both accounts have an entry for each transaction between them, so no entry for the tag is needed. */
export function wayWithWallet(account: AccountNumber, wallet: AccountNumber, type?: TransactionType): Exclude<Way, readonly Hit[]> {
  return {
    indexKeys: [transactionsIndexKeys(account, { type }), transactionsIndexKeys(wallet, { type })],
    keep: (hit) => isOpenlyWith(hit, account, wallet),
  }
}

function isOpenlyWith(hit: Hit, account: AccountNumber, wallet: AccountNumber): boolean {
  const transaction = transactionOf(hit, account)
  if (transaction === null || postingOf(transaction, wallet) === undefined) return false
  return hit.event.type !== 'payout.paid' || !isPhone(payloadOf<Payout>(hit.event).recipient)
}

function isPayoutTo({ event }: Hit, phone: string): boolean {
  return event.type === 'payout.paid' && payloadOf<Payout>(event).recipient === phone
}

function waysById(history: HistoryReads, account: AccountNumber, id: string): Way[] {
  const payout = history.byId(payoutIndexKey(id), ({ event }) => {
    return event.type === 'payout.paid' && event.account === account && payloadOf<Payout>(event).id === id
  })
  const charge = history.first(chargeByIdIndexKey(id), ({ event }) => {
    return event.type === 'charge.created' && event.account === account && payloadOf<Charge>(event).id === id
  })
  const token = charge === null ? null : payloadOf<Charge>(charge.event).token
  return [
    [transactionHit(history, account, id) ?? [], payout ?? []].flat(),
    { indexKeys: [billIndexKey(id)], keep: (hit) => isOfBill(hit, id) },
    ...(token === null ? [] : [{ indexKeys: [chargeIndexKey(token)], keep: ({ event }: Hit) => isOfCharge(event, id) }]),
  ]
}

/** Returns the account's transaction with this id, which is in lower case. */
export function transactionHit(history: HistoryReads, account: AccountNumber, id: string): Hit | null {
  return history.byId(transactionIndexKey(id), (hit) => transactionOf(hit, account)?.id === id)
}

function isOfBill({ event }: Hit, chargeId: string): boolean {
  if (event.type !== 'bill.paid' && event.type !== 'bill.refunded') return false
  return payloadOf<RecordedBillPayment | BillRefunded>(event).charge_id === chargeId
}

function isOfCharge(event: Hit['event'], id: string): boolean {
  return event.type.startsWith('charge.') && payloadOf<{ readonly id?: string }>(event).id === id
}

/** Returns the transaction of the hit when the account has a side in it. */
export function transactionOf(hit: Hit, account: AccountNumber): Transaction | null {
  return hit.transactions.find((transaction) => postingOf(transaction, account) !== undefined) ?? null
}

export function postingOf(transaction: Transaction, account: AccountNumber): AppliedPosting | undefined {
  return transaction.postings.find((posting) => posting.debit === account || posting.credit === account)
}
