// The fate of each line of a batch, in order, over balances that run along: what decides a batch, a run of a schedule
// and a dry run. Changes nothing.
import type { BatchLine } from '../../contract/batch-line.ts'
import { type Amount, isAmount } from '../../kernel/amount.ts'
import { WALLET_BALANCE_MAX } from '../../kernel/limits.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { State } from '../state.ts'
import { payoutFailure, phoneFailure } from './payout-decide.ts'
import type { PayoutFailure } from './payout-state.ts'

/**
 * Returns for each line the account of its recipient, or the failure. A line without enough balance fails and the next is still
 * tried.
 */
export function decideLines(state: State, merchant: AccountNumber, lines: readonly BatchLine[]): (AccountNumber | PayoutFailure)[] {
  const { accounts, wallets } = state
  const environment = accounts.environment(merchant)
  const asked = sumOf(lines)
  /** What this batch has given to wallets that it may bring to their ceiling; nearly always empty. */
  const given = new Map<AccountNumber, Amount>()
  const fates: (AccountNumber | PayoutFailure)[] = []
  let available = accounts.available(merchant)
  const stop = state.merchants.stopOf(merchant)
  for (let index = 0; index < lines.length; index++) {
    const { fault, recipient, amount } = lines[index] as BatchLine
    if (fault !== null || amount === null || stop !== null) {
      fates.push(fault ?? stop ?? 'invalid_amount')
      continue
    }
    const account = wallets.payeeOf(environment, recipient)
    const early = phoneFailure({ environment, recipient, amount, available })
    if (early !== null || typeof account === 'string') {
      fates.push(early ?? (account as PayoutFailure))
      continue
    }
    const balance = accounts.balance(account)
    const isNearCeiling = balance + asked > WALLET_BALANCE_MAX
    const before = isNearCeiling ? (given.get(account) ?? 0) : 0
    const failure = payoutFailure(balance + before, amount, available)
    fates.push(failure ?? account)
    if (failure !== null) continue
    if (isNearCeiling) given.set(account, before + amount)
    available -= amount
  }
  return fates
}

function sumOf(lines: readonly BatchLine[]): Amount {
  let sum = 0
  for (let index = 0; index < lines.length; index++) {
    const { amount } = lines[index] as BatchLine
    if (isAmount(amount)) sum += amount
  }
  return sum
}
