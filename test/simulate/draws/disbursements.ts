// Requests about disbursements. None is drawn: their crash proof is test/engine/domain/disbursement.
import type { CommandType } from '../../../engine/domain/command.ts'
import type { Draw } from '../entry.ts'

export const disbursementDraws = {
  CreateDisbursement: () => null,
  MoveDisbursement: () => null,
  ReleaseDisbursement: () => null,
  RetryDisbursement: () => null,
  AdvanceDisbursement: () => null,
} satisfies Partial<Record<CommandType, Draw>>
