// Queries for ledger accounts: balances and environment of one account, and the settlement account of an environment.
import { isProven } from '../domain/quotas.ts'
import type { Amount } from '../kernel/amount.ts'
import type { Currency } from '../kernel/currency.ts'
import type { Environment } from '../kernel/environment.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { OfEnvironment } from './ledger-queries.ts'
import type { Reads } from './reads.ts'

export interface OfAccount {
  readonly account: AccountNumber
}

export interface AccountBalance {
  /** Amount that can be spent now. */
  readonly available: Amount
  /** Amount under holds. */
  readonly held: Amount
  readonly currency: Currency
}

export function accountBalance({ state: { accounts } }: Reads, { account }: OfAccount): AccountBalance {
  return { available: accounts.available(account), held: accounts.held(account), currency: accounts.currency(account) }
}

export function accountEnvironment({ state }: Reads, { account }: OfAccount): Environment {
  return state.accounts.environment(account)
}

/** Returns whether the account is proven: the last part of each quota is for those. */
export function accountIsProven({ state }: Reads, { account }: OfAccount): boolean {
  return isProven(state, account)
}

/** Returns the settlement account. Its mailbox also takes commands that belong to no merchant and no wallet. */
export function settlementAccount({ state }: Reads, { environment }: OfEnvironment): AccountNumber {
  return state.settlementAccount(environment)
}

/** Returns the currency of the account, for the check of each request that names one. */
export function accountCurrency({ state }: Reads, { account }: OfAccount): Currency {
  return state.accounts.currency(account)
}
