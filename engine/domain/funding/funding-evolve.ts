// How movements that wait for a second operator change, and what operators moved alone. Deposits and withdrawals change balances alone.
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { Approval, OperatorCounted } from './funding-state.ts'

export const FUNDING_EVENTS = {
  'deposit.made@1': null,
  'withdrawal.made@1': null,
  'approval.requested@1': request,
  'approval.decided@1': decided,
  'operator.counted@1': count,
} satisfies EventTable

function request({ approvals }: State, approval: Approval): void {
  approvals.waiting.set(approval.id, approval)
}

function decided({ approvals }: State, { id }: Pick<Approval, 'id'>): void {
  approvals.waiting.delete(id)
}

function count({ approvals }: State, counted: OperatorCounted, _event: StoredEvent, { timeMs }: LogRecord): void {
  approvals.countMovedAlone(counted, timeMs)
}
