// How wallets change.
import { assert } from '../../kernel/assert.ts'
import { environmentOfPhone } from '../../kernel/environment.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { EventTable } from '../noun-module.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { Wallet, WalletCreated } from './wallet-state.ts'

export const WALLET_EVENTS = {
  'wallet.created@1': createWallet,
  'wallet.blocked@1': blockWallet,
  'wallet.unblocked@1': unblockWallet,
} satisfies EventTable

function createWallet(state: State, { currency, ...wallet }: WalletCreated): void {
  const account = state.accounts.open('wallet', environmentOfPhone(wallet.phone), currency)
  assert(account === wallet.account, 'account numbers follow the log')
  state.wallets.set(wallet)
}

/** The payload of `wallet.blocked`. The wallet is that of the event's account. */
export interface WalletBlocked {
  readonly reason: string
}

function blockWallet({ wallets }: State, { reason }: WalletBlocked, { account }: StoredEvent): void {
  wallets.set({ ...knownWallet(wallets, account), blocked: true, block_reason: reason })
}

function unblockWallet({ wallets }: State, _payload: object, { account }: StoredEvent): void {
  const { block_reason: _, ...wallet } = knownWallet(wallets, account)
  wallets.set({ ...wallet, blocked: false })
}

function knownWallet(wallets: State['wallets'], account: AccountNumber): Wallet {
  const wallet = wallets.byAccount(account)
  assert(wallet !== undefined, 'the wallet is there')
  return wallet
}
