// One transfer: from a wallet to another, decided in one turn. The caller has checked the PIN.

import type { Immutable } from '../../contract/schema.ts'
import type { Transfer as ShapeTransfer } from '../../contract/transfer.ts'
import type { Amount } from '../../kernel/amount.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { feeBorneBy, isBreach, MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { paymentFrames } from '../stream/stream-frames.ts'

declare module '../../ledger/transaction.ts' {
  interface TransactionTypes {
    readonly transfer: true
  }
}

/** The transfer as its sender sees it, and as the log keeps it: `transfer.made`. */
export type Transfer = Immutable<ShapeTransfer>

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
  'currency_mismatch',
  'insufficient_balance',
  'limit_exceeded',
  'recipient_limit_exceeded',
] as const

/**
 * Returns `created` and the transfer. Rejections, in this precedence: wallet_blocked, recipient_not_found, self_transfer,
 * recipient_blocked, currency_mismatch, insufficient_balance, limit_exceeded, recipient_limit_exceeded.
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
  if (!accounts.isSameLedger(sender, wallet.account)) return { refusal: 'currency_mismatch', param: 'recipient' }
  const rules = new MovementRules(state, context)
  if (rules.isShort('transfer', sender, wallet.account, amount)) return { refusal: 'insufficient_balance' }
  const movement = rules.judge('transfer', sender, wallet.account, amount)
  if (isBreach(movement)) return movement.breach === 'payer' ? rules.refused(movement, sender) : { refusal: 'recipient_limit_exceeded' }
  const fee = feeBorneBy(movement, sender)
  const transfer: Transfer = {
    transaction_id: context.newId(),
    recipient,
    amount,
    currency: accounts.currency(sender),
    fee,
    note,
    balance_after: accounts.balance(sender) - amount - fee,
    created_at: rfc3339(context.timeMs),
  }
  return {
    environment,
    events: [event('transfer.made', 1, sender, transfer)],
    transactions: [rules.transaction(movement, { id: transfer.transaction_id, reference: '', eventIndex: 0 })],
    frames: [...paymentFrames(sender, 'payment.sent', 0), ...paymentFrames(wallet.account, 'payment.received', 0)],
    kind: 'created',
    body: 0,
  }
}
