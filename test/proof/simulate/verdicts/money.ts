// What payouts, transfers, deposits, withdrawals and their approvals must come to.
import type { Verdict, Verdicts } from '../entry.ts'
import { ACCOUNT_MAX, type Environment, WALLET_MAX } from '../models/accounts.ts'
import type { Models } from '../models.ts'
import { confirmation } from './cash.ts'

interface Movement {
  readonly target: { readonly tag: string } | { readonly merchantId: string }
  readonly environment: Environment
  readonly amount: number
  readonly helper?: number
}

function targetOf({ accounts }: Models, { target, environment }: Movement): number | 'recipient_not_found' | 'not_found' {
  if ('tag' in target) return accounts.wallet(environment, target.tag)?.account ?? 'recipient_not_found'
  return accounts.merchant(target.merchantId)?.[environment] ?? 'not_found'
}

function deposit(models: Models, movement: Movement): ReturnType<Verdict> {
  const { accounts } = models
  const { amount, helper, environment } = movement
  if (helper !== undefined && accounts.stopOf(helper) === 'merchant_suspended') return 'merchant_suspended'
  const account = targetOf(models, movement)
  if (typeof account !== 'number') return account
  if (accounts.walletAt(account)?.block === 'blocked') return 'wallet_blocked'
  const { kind, balance } = accounts.account(account)
  const isTooMuch = balance + amount > (kind === 'wallet' ? WALLET_MAX : ACCOUNT_MAX)
  return isTooMuch || accounts.settlement(environment).balance - amount < -ACCOUNT_MAX ? 'recipient_limit_exceeded' : null
}

function withdrawal(models: Models, movement: Movement): ReturnType<Verdict> {
  const account = targetOf(models, movement)
  if (typeof account !== 'number') return account
  return models.accounts.available(account) < movement.amount ? 'insufficient_balance' : null
}

const approvalVerdicts = (models: Models) =>
  ({
    ApproveMovement: ({ id }, { operatorId }) => {
      const approval = models.money.approvals.get(id)
      if (approval === undefined) return 'not_found'
      if (approval.state !== 'waiting') return 'approval_not_waiting'
      if (approval.by === operatorId) return 'second_person_required'
      const { kind, requestId, merchantId, tag, environment, amount } = approval
      if (kind === 'top_up_confirmation') return confirmation(models, requestId ?? '', amount)
      if (kind === 'withdrawal_payment') return null
      const target = merchantId === null ? { tag: tag ?? '' } : { merchantId }
      return (kind === 'deposit' ? deposit : withdrawal)(models, { target, environment, amount })
    },
    RefuseMovement: ({ id }) => {
      const state = models.money.approvals.get(id)?.state
      return state === undefined ? 'not_found' : state === 'waiting' ? null : 'approval_not_waiting'
    },
  }) satisfies Verdicts

export const moneyVerdicts = (models: Models) => {
  const { accounts, payoutRules, fees } = models
  return {
    ...approvalVerdicts(models),
    CreatePayout: ({ merchant, recipient, amount, keyId = null }, { timeMs }) => {
      const needsApproval = payoutRules.needsApproval(merchant, [amount])
      const isShort = accounts.available(merchant) < fees.cost('payout', merchant, amount) || !payoutRules.covers(keyId, amount, timeMs)
      const isLimited = !isShort && models.recipients.looker(merchant, timeMs)(recipient) === 'limited'
      return accounts.stopOf(merchant) ?? (needsApproval ? 'approval_required' : isLimited ? 'rate_limited' : null)
    },
    DryRunBatch: () => null,
    CheckRecipient: ({ merchant, recipient }, { timeMs }) =>
      models.recipients.looker(merchant, timeMs)(recipient) === 'limited' ? 'rate_limited' : null,
    CreateBatch: ({ merchant, lines }) => {
      const amounts = lines.map(({ amount, fault }) => (fault === null ? amount : null))
      return accounts.stopOf(merchant) ?? (payoutRules.needsApproval(merchant, amounts) ? 'approval_required' : null)
    },
    Deposit: (command) => deposit(models, command),
    Withdraw: (command) => withdrawal(models, command),
    CreateTransfer: ({ sender, recipient, amount }) => {
      const { environment } = accounts.account(sender)
      const wallet = accounts.wallet(environment, recipient)
      if (accounts.walletAt(sender)?.block === 'blocked') return 'wallet_blocked'
      if (wallet === undefined) return 'recipient_not_found'
      if (wallet.account === sender) return 'self_transfer'
      if (wallet.block === 'blocked') return 'recipient_blocked'
      if (accounts.available(sender) < fees.cost('transfer', sender, amount)) return 'insufficient_balance'
      return accounts.account(wallet.account).balance + amount > WALLET_MAX ? 'recipient_limit_exceeded' : null
    },
  } satisfies Verdicts
}
