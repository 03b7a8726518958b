// How each command of the engine is drawn. A command without a draw does not compile.
import type { CommandType } from '../../../engine/domain/command.ts'
import { accountDraws } from './draws/accounts.ts'
import { apiKeyDraws } from './draws/api-keys.ts'
import { billerDraws } from './draws/billers.ts'
import { billDraws } from './draws/bills.ts'
import { cashDraws } from './draws/cash.ts'
import { chargeDraws } from './draws/charges.ts'
import { contactDraws } from './draws/contacts.ts'
import { disbursementDraws } from './draws/disbursements.ts'
import { memberDraws } from './draws/members.ts'
import { merchantNameDraws } from './draws/merchant-names.ts'
import { moneyDraws } from './draws/money.ts'
import { noticeDraws } from './draws/notices.ts'
import { operatorDraws } from './draws/operators.ts'
import { outboxDraws } from './draws/outboxes.ts'
import { planDraws } from './draws/plans.ts'
import { problemDraws } from './draws/problems.ts'
import { signInDraws } from './draws/sign-in.ts'
import type { Draw } from './entry.ts'
import type { Models } from './models.ts'

export type DrawTable = Readonly<Record<CommandType, Draw>>

export function drawsOf(models: Models): DrawTable {
  return {
    ...accountDraws(models),
    ...merchantNameDraws(models),
    ...moneyDraws(models),
    ...chargeDraws(models),
    ...planDraws(models),
    ...contactDraws(models),
    ...problemDraws(models),
    ...disbursementDraws(models),
    ...cashDraws(models),
    ...billerDraws(models),
    ...billDraws(models),
    ...signInDraws(models),
    ...memberDraws(models),
    ...noticeDraws(models),
    ...apiKeyDraws(models),
    ...operatorDraws(models),
    ...outboxDraws(models),
  }
}
