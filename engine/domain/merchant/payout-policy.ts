// The payout policy of a merchant's account: what one person alone may not pay, asked by every decision that pays or plans payouts.
import type { Amount } from '../../kernel/amount.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { State } from '../state.ts'

/** Returns whether a second person must approve the amount. */
export function isAbovePolicy({ merchants }: State, account: AccountNumber, amount: Amount): boolean {
  const above = merchants.approvalAbove(account)
  return above !== null && amount > above
}

/** Returns the sum of well-formed lines. */
export function sumOfLines(lines: readonly { readonly amount: Amount | null; readonly fault?: unknown }[]): Amount {
  let sum = 0
  for (const { amount, fault = null } of lines) if (fault === null && amount !== null) sum += amount
  return sum
}
