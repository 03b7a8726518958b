// What requests about disbursements must come to.
import type { Caller } from '../../../../engine/contract/created-by.ts'
import { firstCode, type Verdicts } from '../entry.ts'
import { ACCOUNT_MAX } from '../models/accounts.ts'
import type { DisbursementState, ModelDisbursement } from '../models/disbursement-rows.ts'
import { isOver, isValid } from '../models/disbursement-rows.ts'
import type { Models } from '../models.ts'

const OPEN: readonly DisbursementState[] = ['ready', 'awaiting_approval', 'scheduled', 'running', 'paused']

const FROM: Readonly<Record<string, readonly DisbursementState[]>> = {
  start: ['ready'],
  approve: ['awaiting_approval'],
  reject: ['awaiting_approval'],
  pause: ['running'],
  resume: ['paused'],
  cancel: [...OPEN, 'cancelled'],
}

interface Asked {
  readonly merchant: number
  readonly id: string
}

/** The person behind a caller; null: it has been removed. */
export function personOf({ accounts, apiKeys, members }: Models, merchant: number, { kind, id }: Caller): string | null {
  const merchantId = accounts.merchantAt(merchant).id
  if (kind === 'member') return members.users.get(id)?.merchantId === merchantId ? id : null
  const key = [...apiKeys.keys.values()].find((one) => one.id === id && one.merchantId === merchantId)
  return key === undefined ? null : (key.madeBy ?? id)
}

export const disbursementVerdicts = (models: Models) => {
  const { accounts, disbursements } = models
  const own = ({ merchant, id }: Asked): ModelDisbursement | undefined => {
    const found = disbursements.disbursements.get(id)
    return found?.account === merchant ? found : undefined
  }
  const leadsOn = (command: Asked & { readonly verb: string }) => {
    const found = own(command)
    if (found === undefined) return 'not_found'
    return FROM[command.verb]?.includes(found.state) === true ? null : 'invalid_disbursement_state'
  }
  return {
    JudgeDisbursementLines: ({ merchant }) => accounts.stopOf(merchant),
    CreateDisbursement: ({ merchant, chunks }) => {
      const sum = chunks.reduce((all, chunk) => all + chunk.total_amount, 0)
      return accounts.stopOf(merchant) ?? (sum > ACCOUNT_MAX ? 'invalid_request' : null)
    },
    ReleaseDisbursement: (command) => {
      const { merchant, verb, by } = command
      const person = verb === 'start' ? undefined : personOf(models, merchant, by)
      return (
        leadsOn(command) ??
        firstCode([
          [person === null, 'unauthorized'],
          [person !== undefined && person === own(command)?.person, 'second_person_required'],
          [verb === 'start' && own(command)?.lines.some(isValid) === false, 'no_valid_lines'],
          [verb === 'reject' && command.reason === undefined, 'invalid_request'],
        ]) ??
        (verb === 'reject' ? null : accounts.stopOf(merchant))
      )
    },
    MoveDisbursement: (command) => leadsOn(command) ?? (command.verb === 'resume' ? accounts.stopOf(command.merchant) : null),
    RetryDisbursement: (command) => {
      const found = own(command)
      const isRight = found !== undefined && isOver(found.state) && found.state !== 'rejected' && !found.isRetried
      return (
        accounts.stopOf(command.merchant) ??
        firstCode([
          [found === undefined, 'not_found'],
          [!isRight, 'invalid_disbursement_state'],
          [found?.failed.count === 0, 'no_failed_lines'],
          [command.chunks.reduce((sum, chunk) => sum + chunk.total_count, 0) !== found?.failed.count, 'invalid_disbursement_state'],
        ])
      )
    },
    AdvanceDisbursement: (command) => {
      const found = own(command)
      return found?.dueMs === command.dueMs && !isOver(found.state) ? null : 'invalid_disbursement_state'
    },
  } satisfies Verdicts
}
