// Appliers of top-ups and withdrawals. A withdrawal's hold is placed by its request and ends with it.
import { positionOf } from '../../kernel/position.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import {
  type CashRequest,
  type CashRequestChange,
  type CashRequestKind,
  NEVER_MS,
  type TopUp,
  type Withdrawal,
  type WithdrawalAccountRow,
} from './cash-request-state.ts'

export const CASH_REQUEST_EVENTS = {
  'top_up.requested@1': openTopUp,
  'top_up.confirmed@1': close,
  'top_up.refused@1': close,
  'top_up.cancelled@1': close,
  'withdrawal.requested@1': openWithdrawal,
  'withdrawal.paid@1': capture,
  'withdrawal.refused@1': release,
  'withdrawal.cancelled@1': release,
  'withdrawal_account.added@1': keepAccount,
  'withdrawal_account.confirmed@1': keepAccount,
  'withdrawal_account.deleted@1': deleteAccount,
} satisfies EventTable

function openTopUp(state: State, request: TopUp, event: StoredEvent, record: LogRecord): void {
  open(state, 'top_up', request, event, record)
}

function openWithdrawal(state: State, request: Withdrawal, event: StoredEvent, record: LogRecord): void {
  state.holds.place({ id: request.id, account: event.account, amount: request.amount + request.fee, expires_at: NEVER_MS })
  open(state, 'withdrawal', request, event, record)
}

function open(state: State, kind: CashRequestKind, request: CashRequest, event: StoredEvent, record: LogRecord): void {
  const { id, created_at } = request
  const position = positionOf(record.sequence, record.events.indexOf(event))
  const payment_reference = 'payment_reference' in request ? request.payment_reference : null
  state.cashRequests.open.set(id, { id, kind, account: event.account, payment_reference, created_at, position })
}

function close(state: State, { id }: CashRequestChange): void {
  state.cashRequests.open.delete(id)
}

function capture(state: State, change: CashRequestChange, _event: StoredEvent, record: LogRecord): void {
  state.holds.capture(change.id, record.timeMs)
  close(state, change)
}

function release(state: State, change: CashRequestChange): void {
  state.holds.void(change.id)
  close(state, change)
}

function keepAccount({ cashRequests }: State, row: WithdrawalAccountRow): void {
  cashRequests.accounts.set(row.saved.id, row)
}

function deleteAccount({ cashRequests }: State, { id }: { readonly id: string }): void {
  cashRequests.accounts.delete(id)
}
