// Queries for the whole ledger: the trial balance of one environment.
import type { TrialBalance } from '../contract/operator.ts'
import type { Environment } from '../kernel/environment.ts'
import { ACCOUNT_KINDS } from '../ledger/accounts.ts'
import type { Reads } from './reads.ts'

export interface OfEnvironment {
  readonly environment: Environment
}

/** Returns debits and credits by kind of account. One pass over all accounts: about 20 ms for a million. */
export function trialBalance({ state, lastSequence }: Reads, { environment }: OfEnvironment): TrialBalance {
  const { accounts, transactionCounts } = state
  const rows = ACCOUNT_KINDS.map((type) => ({ type, count: 0, debit: 0, credit: 0, held: 0 }))
  const byKind = Object.fromEntries(rows.map((row) => [row.type, row])) as Record<(typeof ACCOUNT_KINDS)[number], (typeof rows)[number]>
  for (let account = 0; account < accounts.count; account++) {
    if (accounts.environment(account) !== environment) continue
    const row = byKind[accounts.kind(account)]
    const balance = accounts.balance(account)
    row.count++
    row.held += accounts.held(account)
    if (balance < 0) row.debit -= balance
    else row.credit += balance
  }
  const debit = rows.reduce((sum, row) => sum + row.debit, 0)
  const credit = rows.reduce((sum, row) => sum + row.credit, 0)
  return { balanced: debit === credit, accounts: rows, transactions: transactionCounts[environment], last_sequence: lastSequence }
}
