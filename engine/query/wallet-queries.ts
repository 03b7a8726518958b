// Queries for wallets: one by account, tag or phone.
import type { Wallet } from '../domain/wallet/wallet-state.ts'
import type { Environment } from '../kernel/environment.ts'
import type { OfAccount } from './account-queries.ts'
import type { Reads } from './reads.ts'

export interface ByTag {
  readonly environment: Environment
  /** Normalized. */
  readonly tag: string
}

export interface ByPhone {
  /** E.164: it decides the environment. */
  readonly phone: string
}

export function walletByAccount({ state }: Reads, { account }: OfAccount): Wallet | null {
  return state.wallets.byAccount(account) ?? null
}

export function walletByTag({ state }: Reads, { environment, tag }: ByTag): Wallet | null {
  return state.wallets.byTag(environment, tag) ?? null
}

export function walletByPhone({ state }: Reads, { phone }: ByPhone): Wallet | null {
  return state.wallets.byPhone(phone) ?? null
}
