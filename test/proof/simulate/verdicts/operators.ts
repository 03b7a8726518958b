// What requests about operators must come to.
import { firstCode, type Verdicts } from '../entry.ts'
import type { Models } from '../models.ts'

/** What the engine's limits are meant to be, written down a second time. */
const [OPERATORS, WAITING] = [200, 100]

export const operatorVerdicts = ({ operators }: Models) => {
  const isFull = (): boolean => operators.operators.size >= OPERATORS
  const waiting = (id: string): 'not_found' | 'approval_not_waiting' | null => {
    const state = operators.requests.get(id)?.state
    return state === undefined ? 'not_found' : state === 'waiting' ? null : 'approval_not_waiting'
  }
  return {
    CreateOperator: (command, { operatorId }) =>
      firstCode([
        [operators.isTaken(command.email), 'email_taken'],
        [isFull(), 'too_many_operators'],
        [operators.needsTwo(command, operatorId) && operators.waiting.length >= WAITING, 'too_many_approvals'],
      ]),
    ApproveOperator: ({ id }, { operatorId }) => {
      const request = operators.requests.get(id)
      const isNew = request?.kind !== 'revoke'
      return (
        waiting(id) ??
        firstCode([
          [request?.by === operatorId || (!isNew && request?.operatorId === operatorId), 'second_person_required'],
          [isNew && isFull(), 'too_many_operators'],
        ])
      )
    },
    RefuseOperator: ({ id }, { operatorId }) => {
      const request = operators.requests.get(id)
      const isOther = request?.kind === 'revoke' && request.operatorId === operatorId && request.by !== operatorId
      return waiting(id) ?? (isOther ? 'second_person_required' : null)
    },
    RevokeOperator: ({ id, isDualControlled }) => {
      const operator = operators.operators.get(id)
      if (operator === undefined) return 'not_found'
      if (isDualControlled !== true || operator.role !== 'admin') return null
      return firstCode([
        [operators.waiting.some(({ kind, operatorId }) => kind === 'revoke' && operatorId === id), 'approval_waiting'],
        [operators.waiting.length >= WAITING, 'too_many_approvals'],
      ])
    },
  } satisfies Verdicts
}
