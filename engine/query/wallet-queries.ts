// Queries for wallets: one by account, tag, phone or recipient of a payout.
import type { OperatorWallet } from '../contract/operator.ts'
import { operatorWallet } from '../domain/wallet/block-decide.ts'
import type { Wallet } from '../domain/wallet/wallet-state.ts'
import { type Environment, environmentOfPhone } from '../kernel/environment.ts'
import type { OfAccount } from './account-queries.ts'
import type { Reads } from './reads.ts'

export interface ByTag {
  readonly environment: Environment
  /** Normalized tag. */
  readonly tag: string
}

export interface ByPhone {
  /** Number in E.164; it determines the environment. */
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

/** Returns the wallet with its balance. */
export function walletForOperator({ state }: Reads, { account }: OfAccount): OperatorWallet | null {
  const wallet = state.wallets.byAccount(account)
  return wallet === undefined ? null : operatorWallet(state, wallet)
}

export function countWallets({ state }: Reads): number {
  return state.wallets.size
}

export interface FirstWalletsInput {
  readonly limit: number
  /** Maximum of wallets that the query reads. */
  readonly readMax: number
}

/** Returns wallets of the test environment among the first wallets. */
export function firstTestWallets({ state }: Reads, { limit, readMax }: FirstWalletsInput): Wallet[] {
  const found: Wallet[] = []
  let read = 0
  for (const [, wallet] of state.wallets.rows()) {
    if (++read > readMax || found.length >= limit) break
    if (environmentOfPhone(wallet.phone) === 'test') found.push(wallet)
  }
  return found
}
