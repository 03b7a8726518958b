// Decider of one look at a recipient before paying.
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, Decision } from '../decision.ts'
import type { State } from '../state.ts'
import type { Wallet } from '../wallet/wallet-state.ts'
import { RecipientChecks } from './recipient-checks.ts'

export interface CheckRecipient {
  readonly type: 'CheckRecipient'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  /** Normalized tag or phone. */
  readonly recipient: string
}

/** Names of the wallet's owner; null when there is no wallet. Merchants get them masked. */
export type CheckedRecipient = Pick<Wallet, 'given_name' | 'family_name'> | null

export const CHECK_RECIPIENT_REJECTIONS = ['rate_limited'] as const

/** Returns `ok` and a CheckedRecipient. Rejections: rate_limited (the budget of unknown recipients is spent). */
export function decideCheckRecipient(
  state: State,
  { merchant, recipient }: CheckRecipient,
  context: Context,
): Decision<(typeof CHECK_RECIPIENT_REJECTIONS)[number]> {
  const checks = new RecipientChecks(state, merchant, context)
  const wallet = checks.walletOf(recipient)
  if (wallet === 'recipient_check_limited') return checks.limited('recipient')
  const found: CheckedRecipient =
    wallet === 'recipient_not_found' ? null : { given_name: wallet.given_name, family_name: wallet.family_name }
  const { environment } = checks
  return { environment, events: checks.events(), transactions: [], frames: [], kind: 'ok', body: JSON.stringify(found) }
}
