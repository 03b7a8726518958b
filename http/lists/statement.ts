// Statement lines: a ledger transaction as one of its accounts sees it, as a record and as a line of CSV.
import type { History, Hit } from '../../engine/actor/history.ts'
import type { Transaction as StatementLine, TransactionDetail } from '../../engine/contract/transaction.ts'
import type { BillPayment, BillRefunded } from '../../engine/domain/bill/bill-state.ts'
import type { Charge, ChargeChange } from '../../engine/domain/charge/charge-state.ts'
import { isChargeVersion } from '../../engine/domain/charge/charge-versions.ts'
import { isMandateVersion, mandateIdOf } from '../../engine/domain/mandate/mandate-versions.ts'
import type { Payout } from '../../engine/domain/payout/payout-state.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import type { State } from '../../engine/domain/state.ts'
import { transactionTerm } from '../../engine/domain/terms.ts'
import { CURRENCY } from '../../engine/kernel/amount.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { rfc3339 } from '../../engine/kernel/time.ts'
import type { AccountNumber, AppliedPosting, Transaction } from '../../engine/ledger/transaction.ts'
import { csvText } from './csv-text.ts'

/** The transaction that the hit stands for when the account has a side in it. */
export function transactionOf(hit: Hit, account: AccountNumber): Transaction | null {
  for (const transaction of hit.record.transactions) {
    if (transaction.eventIndex === hit.eventIndex && postingOf(transaction, account) !== undefined) return transaction
  }
  return null
}

/** For a hit in which the account has a side: the list's `keep` has made sure of that. */
export function statementLine(state: State, hit: Hit, account: AccountNumber): StatementLine {
  const transaction = transactionOf(hit, account)
  const posting = transaction === null ? undefined : postingOf(transaction, account)
  assert(transaction !== null && posting !== undefined, 'the account has a side in the transaction')
  const comesIn = posting.credit === account
  const payout = hit.event.type === 'payout.paid' ? payloadOf<Payout>(hit.event) : null
  const charge = isChargeVersion(hit.event) ? payloadOf<Charge | ChargeChange>(hit.event) : null
  const isBill = hit.event.type === 'bill.paid' || hit.event.type === 'bill.refunded'
  const bill = isBill ? payloadOf<BillPayment | BillRefunded>(hit.event) : null
  return {
    id: transaction.id,
    type: transaction.type,
    amount: comesIn ? posting.amount : -posting.amount,
    balance_after: comesIn ? posting.creditBalance : posting.debitBalance,
    currency: CURRENCY,
    reference: transaction.reference,
    counterparty: counterparty(state, comesIn ? posting.debit : posting.credit),
    charge_id: charge?.id ?? bill?.charge_id ?? null,
    payout_id: payout?.id ?? null,
    batch_id: payout?.batch_id ?? null,
    created_at: rfc3339(hit.record.timeMs),
  }
}

/** The transaction with this id when the account has a side in it. */
export function findTransaction(history: Pick<History, 'first'>, account: AccountNumber, id: string): Hit | null {
  return history.first(transactionTerm(id), (hit) => transactionOf(hit, account)?.id === id)
}

/** The same with both sides of everything that was posted. */
export function transactionDetail(state: State, hit: Hit, account: AccountNumber): TransactionDetail {
  const postings = transactionOf(hit, account)?.postings ?? []
  const entry = (side: AccountNumber, direction: 'debit' | 'credit', amount: number) => ({
    account_type: state.accounts.kind(side),
    account_name: counterparty(state, side),
    direction,
    amount,
    currency: CURRENCY,
  })
  return {
    ...statementLine(state, hit, account),
    mandate_id: isMandateVersion(hit.event) ? mandateIdOf(hit.event) : null,
    postings: postings.flatMap(({ debit, credit, amount }) => [entry(debit, 'debit', amount), entry(credit, 'credit', amount)]),
  }
}

function postingOf(transaction: Transaction, account: AccountNumber): AppliedPosting | undefined {
  return transaction.postings.find((posting) => posting.debit === account || posting.credit === account)
}

/** Tag of a wallet, name of a merchant, null for accounts of the house. */
function counterparty(state: State, other: AccountNumber): string | null {
  return state.wallets.byAccount(other)?.tag ?? state.merchants.byAccount(other)?.name ?? null
}

const CSV_COLUMNS = [
  'id',
  'type',
  'amount',
  'balance_after',
  'currency',
  'reference',
  'counterparty',
  'charge_id',
  'payout_id',
  'batch_id',
  'created_at',
] as const satisfies readonly (keyof StatementLine)[]

/** RFC 4180: commas, CRLF, the names in the first line. */
export const CSV_HEADER = `${CSV_COLUMNS.join(',')}\r\n`

export function csvLine(line: StatementLine): string {
  return csvText(CSV_COLUMNS.map((column) => line[column]))
}
