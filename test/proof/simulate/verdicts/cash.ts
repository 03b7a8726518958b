// What requests about top-ups and withdrawals must come to.
import type { Verdict, Verdicts } from '../entry.ts'
import { ACCOUNT_MAX } from '../models/accounts.ts'
import type { ModelCash } from '../models/cash.ts'
import type { Models } from '../models.ts'

/** Saved withdrawal accounts of one account. */
const SAVED_MAX = 100

/** Whether a top-up of this amount fits into its account. */
export function confirmation({ accounts, cash }: Models, id: string, amount: number): ReturnType<Verdict> {
  const { balance, environment } = accounts.account(cash.requests.get(id)?.account ?? -1)
  const isTooMuch = balance + amount > ACCOUNT_MAX || accounts.settlement(environment).balance - amount < -ACCOUNT_MAX
  return isTooMuch ? 'recipient_limit_exceeded' : null
}

export const cashVerdicts = (models: Models) => {
  const { accounts, cash, money, payoutRules } = models
  const found = (id: string, kind: ModelCash['kind']): ModelCash | undefined => {
    const request = cash.requests.get(id)
    return request?.kind === kind ? request : undefined
  }
  const open = ({ id, state }: ModelCash): 'request_not_open' | 'approval_waiting' | null =>
    state !== 'requested' ? 'request_not_open' : money.waitingFor(id) ? 'approval_waiting' : null
  const cancel = (kind: ModelCash['kind'], { merchant, id }: { readonly merchant: number; readonly id: string }) => {
    const request = found(id, kind)
    if (request === undefined || request.account !== merchant) return 'not_found'
    return request.state === 'cancelled' ? null : open(request)
  }
  const refuse = (kind: ModelCash['kind'], { id }: { readonly id: string }) => {
    const request = found(id, kind)
    return request === undefined ? 'not_found' : open(request)
  }
  const settle = (kind: ModelCash['kind'], { id, merchant }: { readonly id: string; readonly merchant: number | null }) => {
    const request = found(id, kind)
    if (request === undefined || (merchant !== null && request.account !== merchant)) return 'not_found'
    return merchant !== null && accounts.stopOf(merchant) === 'merchant_suspended' ? 'merchant_suspended' : open(request)
  }
  return {
    RequestTopUp: ({ merchant }) => accounts.stopOf(merchant),
    CancelTopUp: (command) => cancel('top_up', command),
    RefuseTopUp: (command) => refuse('top_up', command),
    ConfirmTopUp: (command) => {
      const request = cash.requests.get(command.id)
      return settle('top_up', command) ?? confirmation(models, command.id, command.amount ?? request?.amount ?? 0)
    },
    AddWithdrawalAccount: ({ merchant }) => (cash.accountsOf(merchant).length >= SAVED_MAX ? 'quota_exceeded' : null),
    DeleteWithdrawalAccount: ({ merchant, id }) => (cash.saved.get(id)?.merchant === merchant ? null : 'not_found'),
    ConfirmWithdrawalAccount: ({ id }) => (cash.saved.has(id) ? null : 'not_found'),
    RequestWithdrawal: ({ merchant, amount, accountId }, { timeMs }) =>
      accounts.stopOf(merchant) ??
      (accountId === null ? null : cash.accountVerdict(merchant, accountId, timeMs)) ??
      (payoutRules.needsApproval(merchant, [amount]) ? 'approval_required' : null) ??
      (accounts.available(merchant) < models.fees.cost('withdrawal', merchant, amount) ? 'insufficient_balance' : null),
    CancelWithdrawal: (command) => cancel('withdrawal', command),
    RefuseWithdrawal: (command) => refuse('withdrawal', command),
    PayWithdrawal: (command) => settle('withdrawal', command),
  } satisfies Verdicts
}
