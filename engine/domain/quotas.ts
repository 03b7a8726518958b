// Quotas in decisions: who may have one row more, and the rejection of the others. Counts are in engine/kernel/quota.ts.
import type { Quota, QuotaHolder, RowCount } from '../kernel/quota.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { SharedState, State } from './state.ts'

/** Rejection of an account that has used up its share: 429 with `param` = the name of the quota. Not stored under a key. */
export interface QuotaRefusal {
  readonly refusal: 'quota_exceeded'
  readonly param: string
  readonly retryAfterS: number
}

/**
 * Returns whether the account is proven: a merchant that an operator activated or whose live account holds money, not
 * suspended; a wallet with live money. The last part of each quota is for proven accounts, in test too.
 */
export function isProven({ accounts, merchants }: State, account: AccountNumber): boolean {
  const merchant = merchants.byAccount(account)
  if (merchant === undefined) return accounts.environment(account) === 'live' && accounts.balance(account) > 0
  const { live } = merchant.accounts
  if (merchants.stopOf(live) !== null) return false
  return merchant.activation?.state === 'active' || accounts.balance(live) > 0
}

/** Returns the rejection where the account has no room for one row more; null where it has. */
export function quotaRefusal(state: State, quota: Quota, account: AccountNumber): QuotaRefusal | null {
  const part = state.accounts.environment(account)
  return state.quotas.use(quota).hasRoom(part, account, isProven(state, account)) ? null : quotaExceeded(quota)
}

/** The same for rows of a merchant that belong to no environment. */
export function merchantQuotaRefusal(state: State, quota: Quota, merchantId: string): QuotaRefusal | null {
  const live = state.merchants.merchants.get(merchantId)?.accounts.live
  const isKnown = live !== undefined && isProven(state, live)
  return state.quotas.use(quota).hasRoom('both', merchantId, isKnown) ? null : quotaExceeded(quota)
}

export function quotaExceeded({ name, retryAfterS }: Quota): QuotaRefusal {
  return { refusal: 'quota_exceeded', param: name, retryAfterS }
}

/** Returns how a table counts its rows for the quota: by their account, in the environment of the account. */
export function countedByAccount<Row extends { readonly account: AccountNumber }>(
  { quotas, accounts }: SharedState,
  quota: Quota,
): RowCount<Row> {
  const use = quotas.counted(quota)
  return { useOf: () => use, partOf: ({ account }) => accounts.environment(account), holderOf: ({ account }) => account }
}

/** The same for rows without an environment. */
export function countedBy<Row>({ quotas }: SharedState, quota: Quota, holderOf: (row: Row) => QuotaHolder): RowCount<Row> {
  const use = quotas.counted(quota)
  return { useOf: () => use, partOf: () => 'both', holderOf }
}
