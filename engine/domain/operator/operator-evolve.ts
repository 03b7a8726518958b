// How operators with a name change. The audit trail changes no state.
import type { EventTable } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { OperatorRow } from './operator-state.ts'

export const OPERATOR_EVENTS = {
  'operator.acted@1': null,
  'operator.acted@2': null,
  'operator.created@1': createOperator,
  'operator.revoked@1': revokeOperator,
} satisfies EventTable

function createOperator({ operators }: State, row: OperatorRow): void {
  operators.operators.set(row.id, row)
}

function revokeOperator({ operators }: State, { id }: Pick<OperatorRow, 'id'>): void {
  operators.operators.delete(id)
}
