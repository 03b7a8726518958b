// Queries for transactions: the statement of an account, and one transaction with its postings, for the account.
import type { Hit } from '../actor/index-hit.ts'
import type { ListTransactionsQuery, Transaction as StatementLine, TransactionDetail } from '../contract/transaction.ts'
import type { BillRefunded, RecordedBillPayment } from '../domain/bill/bill-state.ts'
import type { Charge, ChargeChange } from '../domain/charge/charge-state.ts'
import { isChargeVersion } from '../domain/charge/charge-versions.ts'
import { isMandateVersion, mandateIdOf } from '../domain/mandate/mandate-versions.ts'
import type { Payout } from '../domain/payout/payout-state.ts'
import { payloadOf } from '../domain/record.ts'
import { transactionsIndexKeys } from '../domain/record-index-keys.ts'
import { type FeeMoved, isFeeMoved } from '../domain/rules/fee-transactions.ts'
import { assert } from '../kernel/assert.ts'
import { type Position, sequenceOf } from '../kernel/position.ts'
import { isPhone } from '../kernel/recipient.ts'
import { foldReference, isReference } from '../kernel/reference.ts'
import { rfc3339, type TimeMs } from '../kernel/time.ts'
import type { AccountNumber, TransactionType } from '../ledger/transaction.ts'
import { type ListInput, type ListPage, listPage, pageWindow } from './list-page.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'
import { searchOf, searchPage } from './search.ts'
import { postingOf, transactionHit, transactionOf, waysToTransactions } from './transaction-search.ts'

/** Returns a page of the statement. Returns null when the cursor belongs to another kind of list. */
export function listTransactions(reads: Reads, { account, query }: ListInput<ListTransactionsQuery>): ListPage | null {
  const { state, history } = reads
  const window = pageWindow(query)
  if (window === null) return null
  const { type, reference } = query
  const folded = reference === undefined ? undefined : foldReference(reference)
  const keep = (hit: Hit): boolean => {
    const transaction = transactionOf(hit, account)
    if (transaction === null) return false
    return (type === undefined || transaction.type === type) && (folded === undefined || isReference(transaction.reference, folded))
  }
  const search = searchOf(query.q)
  const page =
    search === null
      ? history.page({ ...window, indexKeys: [transactionsIndexKeys(account, query)], keep })
      : searchPage(history, window, keep, waysToTransactions(reads, { account, type, search }))
  return listPage(page, (hit) => JSON.stringify(statementLine(state, hit, account)))
}

/** Returns the transaction with both sides of each posting; null when the account has no side in one with this id. */
export function getTransaction({ state, history }: Reads, { account, id: given }: OwnId): TransactionDetail | null {
  const id = given.toLowerCase()
  const hit = transactionHit(history, account, id)
  return hit === null ? null : transactionDetail(state, hit, account)
}

export interface MovementsInput {
  readonly account: AccountNumber
  /** Inclusive lower bound. */
  readonly fromMs: TimeMs
  /** Exclusive upper bound. */
  readonly toMs: TimeMs
  /** Transactions older than this position; null for the newest. */
  readonly below: Position | null
  readonly limit: number
}

/** Change of the account's balance by one transaction. */
export interface Movement {
  readonly position: Position
  readonly timeMs: TimeMs
  readonly type: TransactionType
  /** Credits minus debits. */
  readonly amount: number
}

export interface MovementsPage {
  /** Sorted newest first. */
  readonly movements: readonly Movement[]
  /** Position where the next page starts; null at the end. */
  readonly next: Position | null
}

/** Returns the movements of an account in a range of time, without their texts, for sums. */
export function listMovements({ history }: Reads, { account, fromMs, toMs, below, limit }: MovementsInput): MovementsPage {
  const { hits, next } = history.page({
    indexKeys: [transactionsIndexKeys(account)],
    keep: (hit) => transactionOf(hit, account) !== null,
    createdFromMs: fromMs,
    createdToMs: toMs,
    limit,
    ...(below === null ? {} : { below }),
  })
  return { movements: hits.map((hit) => movementOf(hit, account)), next }
}

/** Returns the change of the account's balance by the transaction of a hit in which it has a side. */
export function movementOf(hit: Hit, account: AccountNumber): Movement {
  const transaction = transactionOf(hit, account)
  assert(transaction !== null, 'the account has a side in the transaction')
  let amount = 0
  for (const posting of transaction.postings) {
    if (posting.credit === account) amount += posting.amount
    if (posting.debit === account) amount -= posting.amount
  }
  return { position: hit.position, timeMs: hit.timeMs, type: transaction.type, amount }
}

/** Returns the transaction of a hit in which the account has a side: `keep` of the list has checked that. */
function statementLine(state: Reads['state'], hit: Hit, account: AccountNumber): StatementLine {
  const transaction = transactionOf(hit, account)
  const posting = transaction === null ? undefined : postingOf(transaction, account)
  assert(transaction !== null && posting !== undefined, 'the account has a side in the transaction')
  const comesIn = posting.credit === account
  const payout = hit.event.type === 'payout.paid' ? payloadOf<Payout>(hit.event) : null
  const charge = isChargeVersion(hit.event) ? payloadOf<Charge | ChargeChange>(hit.event) : null
  const isBill = hit.event.type === 'bill.paid' || hit.event.type === 'bill.refunded'
  const bill = isBill ? payloadOf<RecordedBillPayment | BillRefunded>(hit.event) : null
  return {
    id: transaction.id,
    type: transaction.type,
    amount: comesIn ? posting.amount : -posting.amount,
    balance_after: comesIn ? posting.creditBalance : posting.debitBalance,
    currency: transaction.currency,
    reference: transaction.reference,
    counterparty: nameFor(state, hit, account, comesIn ? posting.debit : posting.credit),
    charge_id: charge?.id ?? bill?.charge_id ?? null,
    payout_id: payout?.id ?? null,
    batch_id: payout?.batch_id ?? null,
    ...(isFeeMoved(hit.event) ? { fee_of: payloadOf<FeeMoved>(hit.event).fee_of } : {}),
    created_at: rfc3339(hit.timeMs),
  }
}

function transactionDetail(state: Reads['state'], hit: Hit, account: AccountNumber): TransactionDetail {
  const postings = transactionOf(hit, account)?.postings ?? []
  const entry = (side: AccountNumber, direction: 'debit' | 'credit', amount: number) => ({
    account_type: state.accounts.kind(side),
    account_name: nameFor(state, hit, account, side),
    direction,
    amount,
    currency: state.accounts.currency(side),
  })
  return {
    ...statementLine(state, hit, account),
    mandate_id: isMandateVersion(hit.event) ? mandateIdOf(hit.event) : null,
    fee: feeBeside(hit, account),
    postings: postings.flatMap(({ debit, credit, amount }) => [entry(debit, 'debit', amount), entry(credit, 'credit', amount)]),
  }
}

/** Returns the fee that the account paid beside the transaction, in the same record. */
function feeBeside(hit: Hit, account: AccountNumber): number {
  const id = transactionOf(hit, account)?.id
  const { transactions, events } = hit.record
  const fees = transactions.filter(({ type, eventIndex, postings }) => {
    const event = events[eventIndex]
    return type === 'fee' && postings[0]?.debit === account && event !== undefined && payloadOf<FeeMoved>(event).fee_of === id
  })
  return fees.reduce((sum, { postings }) => sum + (postings[0]?.amount ?? 0), 0)
}

/**
 * Returns what the account sees of a side: tag of a wallet, name of a merchant at the time, null for settlement accounts. The merchant
 * of a payout to a phone sees the phone.
 */
function nameFor(state: Reads['state'], { event, position }: Hit, account: AccountNumber, side: AccountNumber): string | null {
  if (event.type === 'payout.paid' && side !== account && side !== event.account) {
    const { recipient } = payloadOf<Payout>(event)
    if (isPhone(recipient)) return recipient
  }
  return state.wallets.byAccount(side)?.tag ?? state.merchants.nameAt(side, sequenceOf(position))
}
