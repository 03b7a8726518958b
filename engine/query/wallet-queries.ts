// Queries for wallets: one by account, tag, phone or recipient of a payout.
import type { OperatorWallet } from '../contract/operator.ts'
import { operatorWallet } from '../domain/wallet/block-decide.ts'
import type { Wallet } from '../domain/wallet/wallet-state.ts'
import { type Environment, environmentOfPhone } from '../kernel/environment.ts'
import type { OfAccount } from './account-queries.ts'
import type { Reads } from './reads.ts'
import { partFinder } from './search.ts'

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

export interface WalletSearchInput {
  readonly environment: Environment | null
  /** A part of the tag, of the phone, or of given and family name in either order. */
  readonly q: string
  /** Wallets that earlier slices read. */
  readonly offset: number
  readonly readMax: number
  readonly foundMax: number
}

export interface WalletSearchSlice {
  readonly wallets: readonly OperatorWallet[]
  /** Offset of the next slice; null at the end. */
  readonly next: number | null
}

/** Searches the next wallets in the order of their creation. Millions of them are read in slices. */
export function searchWallets({ state }: Reads, { environment, q, offset, readMax, foundMax }: WalletSearchInput): WalletSearchSlice {
  const isIn = partFinder(q.replace(/^\s*@/, ''))
  const wallets: OperatorWallet[] = []
  let read = 0
  for (const wallet of state.wallets.after(offset)) {
    if (read === readMax || wallets.length === foundMax) return { wallets, next: offset + read }
    read++
    if (environment !== null && environmentOfPhone(wallet.phone) !== environment) continue
    const { tag, phone, given_name, family_name } = wallet
    const texts = [tag, phone, `${given_name} ${family_name} ${given_name}`]
    if (texts.some(isIn)) wallets.push(operatorWallet(state, wallet))
  }
  return { wallets, next: null }
}
