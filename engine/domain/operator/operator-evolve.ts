// How operators with a name change, and requests for new ones. The audit trail changes no state.
import type { EventTable } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { OperatorRequest, OperatorRow } from './operator-state.ts'

export const OPERATOR_EVENTS = {
  'operator.acted@1': null,
  'operator.created@1': createOperator,
  'operator.revoked@1': revokeOperator,
  'operator.requested@1': request,
  'operator.request_decided@1': decided,
} satisfies EventTable

function createOperator({ operators }: State, row: OperatorRow): void {
  operators.operators.set(row.id, row)
}

function revokeOperator({ operators }: State, { id }: Pick<OperatorRow, 'id'>): void {
  operators.operators.delete(id)
}

function request({ operators }: State, waiting: OperatorRequest): void {
  operators.waiting.set(waiting.id, waiting)
}

function decided({ operators }: State, { id }: Pick<OperatorRequest, 'id'>): void {
  operators.waiting.delete(id)
}
