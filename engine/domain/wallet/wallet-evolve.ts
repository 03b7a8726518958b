// How wallets change.
import { assert } from '../../kernel/assert.ts'
import { environmentOfPhone } from '../../kernel/environment.ts'
import type { EventTable } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { Wallet } from './wallet-state.ts'

export const WALLET_EVENTS = {
  'wallet.created@1': createWallet,
} satisfies EventTable

function createWallet(state: State, wallet: Wallet): void {
  const account = state.accounts.open('wallet', environmentOfPhone(wallet.phone))
  assert(account === wallet.account, 'account numbers follow the log')
  state.wallets.set(wallet)
}
