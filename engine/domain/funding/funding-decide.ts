// Deciders of deposits and withdrawals. The other side of each posting is the environment's settlement account.
import type { Amount } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import type { Currency } from '../../kernel/currency.ts'
import type { Environment } from '../../kernel/environment.ts'
import { ACCOUNT_BALANCE_MAX } from '../../kernel/limits.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { subjectOfAccount } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import { type AllowedMovement, isBreach, MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { paymentFrames } from '../stream/stream-frames.ts'
import { type AskedMovement, countedAlone, type DualControlled, requestApproval, secondPersonCause } from './approval-request.ts'

export type FundingTarget = { readonly merchantId: string } | { readonly tag: string }

export interface Funding extends DualControlled {
  readonly target: FundingTarget
  readonly environment: Environment
  readonly amount: Amount
  readonly reference: string
  readonly by: 'operator' | 'test_helper'
  /** Account of the merchant that uses the test helper; absent for operators and demo data. */
  readonly helper?: AccountNumber
}

export interface Deposit extends Funding {
  readonly type: 'Deposit'
}

export interface Withdraw extends Funding {
  readonly type: 'Withdraw'
}

export const DEPOSIT_REJECTIONS = [
  'merchant_suspended',
  'not_found',
  'recipient_not_found',
  'wallet_blocked',
  'recipient_limit_exceeded',
  'too_many_approvals',
] as const

/** The payer of a deposit is not the blocked one, so its rejection is a conflict. */
export const DEPOSIT_KINDS = { wallet_blocked: 'conflict' } as const

/**
 * Returns `created` and `{transaction_id, balance_after}`, or `accepted` and the request where a second operator must
 * approve. Rejections: merchant_suspended (of the helper's user), not_found, recipient_not_found, wallet_blocked,
 * recipient_limit_exceeded, too_many_approvals.
 */
export function decideDeposit(state: State, command: Deposit, context: Context): Decision<(typeof DEPOSIT_REJECTIONS)[number]> {
  if (command.helper !== undefined && state.merchants.isSuspended(command.helper)) return { refusal: 'merchant_suspended' }
  const account = targetAccount(state, command)
  if (typeof account !== 'number') return { refusal: account.missing }
  const settlement = state.accounts.own('settlement', command.environment, state.accounts.currency(account))
  if (state.wallets.byAccount(account)?.blocked === true) return { refusal: 'wallet_blocked' }
  const movement = new MovementRules(state, context).judge('deposit', settlement, account, command.amount)
  if (isBreach(movement)) return { refusal: 'recipient_limit_exceeded' }
  if (state.accounts.balance(settlement) - command.amount < -ACCOUNT_BALANCE_MAX) return { refusal: 'recipient_limit_exceeded' }
  const because = secondPersonCause(state, command, context)
  if (because !== null) return requestApproval(state, { ...asked('deposit', command, state.accounts.currency(account)), because }, context)
  return fundingDecision(state, command, context, account, movement)
}

export const WITHDRAW_REJECTIONS = ['not_found', 'recipient_not_found', 'insufficient_balance', 'too_many_approvals'] as const

/**
 * Returns `created` and `{transaction_id, balance_after}`, or `accepted` and the request where a second operator must
 * approve. Rejections: not_found, recipient_not_found, insufficient_balance, too_many_approvals.
 */
export function decideWithdraw(state: State, command: Withdraw, context: Context): Decision<(typeof WITHDRAW_REJECTIONS)[number]> {
  const account = targetAccount(state, command)
  if (typeof account !== 'number') return { refusal: account.missing }
  const settlement = state.accounts.own('settlement', command.environment, state.accounts.currency(account))
  if (state.accounts.available(account) < command.amount) return { refusal: 'insufficient_balance' }
  const because = secondPersonCause(state, command, context)
  if (because !== null)
    return requestApproval(state, { ...asked('withdrawal', command, state.accounts.currency(account)), because }, context)
  const movement = new MovementRules(state, context).judge('withdrawal', account, settlement, command.amount)
  assert(!isBreach(movement), 'nothing limits a withdrawal')
  return fundingDecision(state, command, context, account, movement)
}

function asked(
  kind: AskedMovement['kind'],
  { target, environment, amount, reference }: Funding,
  currency: Currency,
): Omit<AskedMovement, 'because'> {
  const account = 'tag' in target ? { merchant_id: null, tag: target.tag } : { merchant_id: target.merchantId, tag: null }
  return { kind, request_id: null, ...account, environment, amount, currency, reference }
}

function targetAccount(state: State, command: Funding): AccountNumber | { readonly missing: 'recipient_not_found' | 'not_found' } {
  const { target, environment } = command
  if ('tag' in target) return state.wallets.byTag(environment, target.tag)?.account ?? { missing: 'recipient_not_found' }
  return state.merchants.merchants.get(target.merchantId)?.accounts[environment] ?? { missing: 'not_found' }
}

function fundingDecision(
  state: State,
  command: Deposit | Withdraw,
  context: Context,
  account: AccountNumber,
  movement: AllowedMovement,
): Accepted {
  const { target, environment, amount, reference } = command
  const type = command.type === 'Deposit' ? 'deposit' : 'withdrawal'
  const transactionId = context.newId()
  const balanceAfter = state.accounts.balance(account) + (type === 'deposit' ? amount : -amount)
  const made = event(`${type}.made`, 1, account, {
    transaction_id: transactionId,
    amount,
    reference,
    by: command.by,
    created_at: rfc3339(context.timeMs),
  })
  const targetName = 'tag' in target ? `@${target.tag}` : target.merchantId
  const audit = operatorActed(context, {
    ...{ action: `${type}.create`, target: targetName, subject: subjectOfAccount(state, account), environment },
    details: { transaction_id: transactionId, amount, reference, ...command.approval },
    money: { amount, currency: state.accounts.currency(account), reference },
  })
  return {
    environment,
    events: command.by === 'operator' ? [made, audit, ...countedAlone(command, context)] : [made],
    transactions: [new MovementRules(state, context).transaction(movement, { id: transactionId, reference, eventIndex: 0 })],
    frames:
      state.accounts.kind(account) === 'wallet' ? paymentFrames(account, type === 'deposit' ? 'payment.received' : 'payment.sent', 0) : [],
    kind: 'created',
    body: JSON.stringify({ transaction_id: transactionId, balance_after: balanceAfter }),
  }
}
