// One transfer: from a wallet to another, decided in one turn. The caller has checked the PIN.
import type { Amount } from '../../kernel/amount.ts'
import { WALLET_BALANCE_MAX } from '../../kernel/limits.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import type { State } from '../state.ts'
import { paymentFrames } from '../stream/stream-frames.ts'
import type { Transfer } from './transfer-state.ts'

export interface CreateTransfer {
  readonly type: 'CreateTransfer'
  /** The sender's account; it determines the environment. */
  readonly sender: AccountNumber
  /** Normalized tag. */
  readonly recipient: string
  readonly amount: Amount
  readonly note: string
}

export const CREATE_TRANSFER_REJECTIONS = [
  'wallet_blocked',
  'recipient_not_found',
  'self_transfer',
  'recipient_blocked',
  'recipient_limit_exceeded',
  'insufficient_balance',
] as const

/**
 * Returns `created` and the transfer. Rejections, in this precedence: wallet_blocked, recipient_not_found, self_transfer,
 * recipient_blocked, recipient_limit_exceeded, insufficient_balance.
 */
export function decideCreateTransfer(
  state: State,
  command: CreateTransfer,
  context: Context,
): Decision<(typeof CREATE_TRANSFER_REJECTIONS)[number]> {
  const { sender, recipient, amount, note } = command
  const { accounts } = state
  if (state.wallets.byAccount(sender)?.blocked === true) return { refusal: 'wallet_blocked' }
  const environment = accounts.environment(sender)
  const wallet = state.wallets.byTag(environment, recipient)
  if (wallet === undefined) return { refusal: 'recipient_not_found', param: 'recipient' }
  if (wallet.account === sender) return { refusal: 'self_transfer', param: 'recipient' }
  if (wallet.blocked) return { refusal: 'recipient_blocked' }
  if (accounts.balance(wallet.account) + amount > WALLET_BALANCE_MAX) return { refusal: 'recipient_limit_exceeded' }
  if (accounts.available(sender) < amount) return { refusal: 'insufficient_balance' }
  const transfer: Transfer = {
    transaction_id: context.newId(),
    recipient,
    amount,
    currency: accounts.currency(sender),
    note,
    balance_after: accounts.balance(sender) - amount,
    created_at: rfc3339(context.timeMs),
  }
  const postings = [{ debit: sender, credit: wallet.account, amount }]
  return {
    environment,
    events: [event('transfer.made', 1, sender, transfer)],
    transactions: [{ id: transfer.transaction_id, type: 'transfer', reference: '', eventIndex: 0, postings }],
    frames: [...paymentFrames(sender, 'payment.sent', 0), ...paymentFrames(wallet.account, 'payment.received', 0)],
    kind: 'created',
    body: 0,
  }
}
