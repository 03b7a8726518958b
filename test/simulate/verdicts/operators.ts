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
    ApproveOperator: ({ id }, { operatorId }) =>
      waiting(id) ??
      firstCode([
        [operators.requests.get(id)?.by === operatorId, 'second_person_required'],
        [isFull(), 'too_many_operators'],
      ]),
    RefuseOperator: ({ id }) => waiting(id),
    RevokeOperator: ({ id }) => (operators.operators.has(id) ? null : 'not_found'),
  } satisfies Verdicts
}
