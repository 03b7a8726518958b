// Deciders of withdrawal accounts. A new one in live waits a day: who takes over a session cannot send the money away at once.
import type { Caller } from '../../contract/created-by.ts'
import type { OperatorWithdrawalAccount } from '../../contract/withdrawal-account.ts'
import { assert } from '../../kernel/assert.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { subjectOfAccount } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import { quotaRefusal } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { ACCOUNT_WAIT_MS, WITHDRAWAL_ACCOUNTS } from './cash-request-limits.ts'
import type { WithdrawalAccount, WithdrawalAccountRow } from './cash-request-state.ts'

export interface AddWithdrawalAccount {
  readonly type: 'AddWithdrawalAccount'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  /** Checked and normalized. */
  readonly destination: Pick<WithdrawalAccount, 'kind' | 'name' | 'account' | 'provider'>
  readonly createdBy: Caller
}

export interface DeleteWithdrawalAccount {
  readonly type: 'DeleteWithdrawalAccount'
  readonly merchant: AccountNumber
  readonly id: string
}

export interface ConfirmWithdrawalAccount {
  readonly type: 'ConfirmWithdrawalAccount'
  readonly id: string
}

export const ADD_WITHDRAWAL_ACCOUNT_REJECTIONS = ['quota_exceeded'] as const

/** Returns `created` and the account. Rejections: quota_exceeded. */
export function decideAddWithdrawalAccount(
  state: State,
  { merchant, destination, createdBy }: AddWithdrawalAccount,
  context: Context,
): Decision<(typeof ADD_WITHDRAWAL_ACCOUNT_REJECTIONS)[number]> {
  const full = quotaRefusal(state, WITHDRAWAL_ACCOUNTS, merchant)
  if (full !== null) return full
  const { kind, name, account, provider } = destination
  const environment = state.accounts.environment(merchant)
  const saved: WithdrawalAccount = {
    ...{ id: context.newId(), kind, name, account, provider, environment },
    usable_from: rfc3339(context.timeMs + (environment === 'live' ? ACCOUNT_WAIT_MS : 0)),
    ...{ confirmed_at: null, created_by: createdBy, created_at: rfc3339(context.timeMs) },
  }
  const row: WithdrawalAccountRow = { merchant, saved }
  return accepted(saved, [event('withdrawal_account.added', 1, merchant, row)], 'created')
}

export const DELETE_WITHDRAWAL_ACCOUNT_REJECTIONS = ['not_found'] as const

/** Returns `ok` and `{id, deleted}`. Withdrawals to it that are open go on. Rejections: not_found. */
export function decideDeleteWithdrawalAccount(
  state: State,
  { merchant, id }: DeleteWithdrawalAccount,
): Decision<(typeof DELETE_WITHDRAWAL_ACCOUNT_REJECTIONS)[number]> {
  const row = ownAccount(state, merchant, id)
  if (row === null) return { refusal: 'not_found' }
  return {
    ...accepted(row.saved, [event('withdrawal_account.deleted', 1, merchant, { id })], 'ok'),
    body: JSON.stringify({ id, deleted: true }),
  }
}

export const CONFIRM_WITHDRAWAL_ACCOUNT_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the account, usable from now on; also when it was confirmed before. Rejections: not_found. */
export function decideConfirmWithdrawalAccount(
  state: State,
  { id }: ConfirmWithdrawalAccount,
  context: Context,
): Decision<(typeof CONFIRM_WITHDRAWAL_ACCOUNT_REJECTIONS)[number]> {
  const row = state.cashRequests.accounts.get(id)
  if (row === undefined) return { refusal: 'not_found' }
  const { merchant, saved } = row
  if (saved.confirmed_at !== null) return { ...accepted(saved, [], 'ok'), body: JSON.stringify(operatorAccount(state, row)) }
  const now = rfc3339(context.timeMs)
  const confirmed: WithdrawalAccountRow = {
    merchant,
    saved: { ...saved, confirmed_at: now, ...(saved.usable_from > now ? { usable_from: now } : {}) },
  }
  const audit = operatorActed(context, {
    ...{ action: 'withdrawal_account.confirm', target: id, subject: subjectOfAccount(state, merchant), environment: saved.environment },
    details: { kind: saved.kind, name: saved.name, account: saved.account },
  })
  const events = [event('withdrawal_account.confirmed', 1, merchant, confirmed), audit]
  return { ...accepted(confirmed.saved, events, 'ok'), body: JSON.stringify(operatorAccount(state, confirmed)) }
}

/** The account as operators see it. */
export function operatorAccount(
  { merchants }: Pick<State, 'merchants'>,
  { merchant, saved }: WithdrawalAccountRow,
): OperatorWithdrawalAccount {
  const owner = merchants.byAccount(merchant)
  assert(owner !== undefined, 'a withdrawal account belongs to a merchant')
  return { ...saved, merchant_id: owner.id, merchant_name: owner.name }
}

/** Returns the merchant's saved account; null when it has none with this id. */
export function ownAccount(
  { cashRequests }: Pick<State, 'cashRequests'>,
  merchant: AccountNumber,
  id: string,
): WithdrawalAccountRow | null {
  const row = cashRequests.accounts.get(id)
  return row?.merchant === merchant ? row : null
}

function accepted(saved: WithdrawalAccount, events: readonly StoredEvent[], kind: 'created' | 'ok'): Accepted {
  return { environment: saved.environment, events, transactions: [], frames: [], kind, body: JSON.stringify(saved) }
}
