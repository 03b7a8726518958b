// Blocking of wallets by operators. A blocked wallet sees its history, receives nothing but refunds, and pays nothing.
import type { OperatorWallet } from '../../contract/operator.ts'
import { type Environment, environmentOfPhone } from '../../kernel/environment.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { walletSubject } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { WalletBlocked } from './wallet-evolve.ts'
import type { Wallet } from './wallet-state.ts'

interface WalletOfOperator {
  readonly environment: Environment
  /** Normalized. */
  readonly tag: string
}

export interface BlockWallet extends WalletOfOperator {
  readonly type: 'BlockWallet'
  readonly reason: string
}

export interface UnblockWallet extends WalletOfOperator {
  readonly type: 'UnblockWallet'
}

export const BLOCK_WALLET_REJECTIONS = ['wallet_not_found'] as const

/** Returns `ok` and the wallet; one that is blocked gets the new reason. Rejections: wallet_not_found. */
export function decideBlockWallet(
  state: State,
  { environment, tag, reason }: BlockWallet,
  context: Context,
): Decision<(typeof BLOCK_WALLET_REJECTIONS)[number]> {
  const wallet = state.wallets.byTag(environment, tag)
  if (wallet === undefined) return { refusal: 'wallet_not_found', param: 'tag' }
  if (wallet.blocked && wallet.block_reason === reason) return answered(state, wallet, [])
  const blocked: WalletBlocked = { reason }
  const audit = operatorActed(context, {
    ...{ action: 'wallet.block', target: `@${tag}`, subject: walletSubject(wallet), environment },
    details: { reason },
  })
  const events = [event('wallet.blocked', 1, wallet.account, blocked), audit]
  return answered(state, { ...wallet, blocked: true, block_reason: reason }, events)
}

export const UNBLOCK_WALLET_REJECTIONS = ['wallet_not_found'] as const

/** Returns `ok` and the wallet, also when it was not blocked. Rejections: wallet_not_found. */
export function decideUnblockWallet(
  state: State,
  { environment, tag }: UnblockWallet,
  context: Context,
): Decision<(typeof UNBLOCK_WALLET_REJECTIONS)[number]> {
  const wallet = state.wallets.byTag(environment, tag)
  if (wallet === undefined) return { refusal: 'wallet_not_found', param: 'tag' }
  if (!wallet.blocked) return answered(state, wallet, [])
  const audit = operatorActed(context, {
    ...{ action: 'wallet.unblock', target: `@${tag}`, subject: walletSubject(wallet), environment },
    details: {},
  })
  const { block_reason: _, ...unblocked } = wallet
  return answered(state, { ...unblocked, blocked: false }, [event('wallet.unblocked', 1, wallet.account, {}), audit])
}

/** The wallet as operators see it. */
export function operatorWallet({ accounts }: Pick<State, 'accounts'>, wallet: Wallet): OperatorWallet {
  const { id, tag, phone, family_name, given_name, account, blocked, block_reason = null } = wallet
  const environment = environmentOfPhone(phone)
  const money = { available: accounts.available(account), pending: accounts.held(account), currency: accounts.currency(account) }
  return { id, tag, phone, family_name, given_name, environment, blocked, block_reason, ...money }
}

function answered(state: State, wallet: Wallet, events: readonly StoredEvent[]): Accepted {
  const environment = environmentOfPhone(wallet.phone)
  return { environment, events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(operatorWallet(state, wallet)) }
}
