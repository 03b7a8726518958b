// What requests about schedules and mandates must come to.
import { firstCode, type Verdicts } from '../entry.ts'
import { ACCOUNT_MAX } from '../models/accounts.ts'
import { isValid } from '../models/disbursement-rows.ts'
import { dueOf, endOf, isAutomatic, isLive, type ModelMandate, mostOf } from '../models/mandates.ts'
import type { ModelSchedule } from '../models/schedules.ts'
import type { Models } from '../models.ts'

/** What the engine's limit is meant to be, written down a second time. */
const PENDING_PER_CUSTOMER = 20

interface Planned {
  readonly merchant: number
  readonly lines: readonly { readonly amount: number }[]
  readonly disbursementId?: string
}

const scheduleVerdicts = ({ accounts, disbursements, payoutRules, schedules, recipients }: Models) => {
  const payees = ({ merchant, lines, disbursementId }: Planned) => {
    const source = disbursements.disbursements.get(disbursementId ?? '')
    const amounts = disbursementId === undefined ? lines.map(({ amount }) => amount) : [source?.validAmount ?? 0]
    const valid = disbursementId === undefined ? lines : (source?.lines.filter(isValid) ?? [])
    return firstCode([
      [disbursementId !== undefined && source?.account !== merchant, 'not_found'],
      [valid.length === 0, 'items_required'],
      [payoutRules.needsApproval(merchant, amounts), 'approval_required'],
    ])
  }
  const areLimited = (merchant: number, lines: readonly { readonly recipient: string }[], timeMs: number): boolean => {
    const look = recipients.looker(merchant, timeMs)
    return lines.some(({ recipient }) => look(recipient) === 'limited')
  }
  const own = ({ merchant, id }: { readonly merchant: number; readonly id: string }): ModelSchedule['state'] | 'not_found' => {
    const schedule = schedules.schedules.get(id)
    return schedule?.account === merchant ? schedule.state : 'not_found'
  }
  const unless = (state: ModelSchedule['state'] | 'not_found', states: readonly ModelSchedule['state'][]) =>
    state === 'not_found' ? state : states.includes(state) ? null : 'schedule_not_active'
  return {
    CreateSchedule: (command, { timeMs }) => {
      const { merchant, startMs, lines } = command
      const late = startMs <= timeMs ? 'invalid_start_at' : areLimited(merchant, lines, timeMs) ? 'rate_limited' : null
      return accounts.stopOf(merchant) ?? payees(command) ?? late
    },
    PauseSchedule: (command) => unless(own(command), ['active', 'paused']),
    ResumeSchedule: (command) => unless(own(command), ['active', 'paused']),
    CancelSchedule: (command) => unless(own(command), ['active', 'paused', 'cancelled']),
    ReplaceSchedule: (command, { timeMs }) =>
      unless(own(command), ['active', 'paused']) ??
      payees(command) ??
      (command.startMs !== undefined && command.startMs <= timeMs ? 'invalid_start_at' : null) ??
      (areLimited(command.merchant, command.lines, timeMs) ? 'rate_limited' : null),
    RunSchedule: (command) => {
      const { nextMs = null } = schedules.schedules.get(command.id) ?? {}
      const isLate = command.dueMs !== null && command.dueMs !== nextMs
      return unless(own(command), ['active']) ?? (isLate ? 'schedule_not_active' : null)
    },
  } satisfies Verdicts
}

const collectVerdicts = ({ accounts, mandates }: Models) =>
  ({
    AdvanceMandate: ({ merchant, id, dueMs }) => {
      const mandate = mandates.mandates.get(id)
      if (mandate === undefined || mandate.account !== merchant) return 'not_found'
      const isDue = dueMs === null ? mandate.state === 'active' && isAutomatic(mandate) : dueOf(mandate) === dueMs
      return isDue ? null : 'mandate_not_active'
    },
    ChargeMandate: ({ merchant, id, amount: wanted }, { timeMs }) => {
      const mandate = mandates.mandates.get(id)
      if (mandate === undefined || mandate.account !== merchant) return 'not_found'
      const stop = accounts.stopOf(merchant)
      if (stop !== null) return stop
      const { terms, customer, state, nextMs } = mandate
      const dueMs = nextMs ?? (terms.start_at === null ? 0 : Date.parse(terms.start_at))
      const amount = wanted ?? terms.amount
      return firstCode([
        [state !== 'active' || hasEnded(mandate, timeMs), 'mandate_not_active'],
        [isAutomatic(mandate), 'mandate_not_on_demand'],
        [dueMs > timeMs, 'mandate_not_due'],
        [amount === null, 'amount_required'],
        [(amount ?? 0) > mostOf(mandate, timeMs), 'amount_out_of_bounds'],
        [accounts.walletAt(customer)?.block !== 'free', 'wallet_blocked'],
        [accounts.available(customer) < (amount ?? 0), 'insufficient_balance'],
        [accounts.account(merchant).balance + (amount ?? 0) > ACCOUNT_MAX, 'recipient_limit_exceeded'],
      ])
    },
  }) satisfies Verdicts

export const planVerdicts = (models: Models) => {
  const { accounts, mandates, signIn, recipients } = models
  return {
    ...scheduleVerdicts(models),
    ...collectVerdicts(models),
    CreateMandate: ({ merchant, amount, maxAmount, startMs, endMs, customerTag }, { timeMs }) => {
      const stop = accounts.stopOf(merchant)
      if (stop !== null) return stop
      if (amount === null && maxAmount === null) return 'amount_required'
      if (amount !== null && maxAmount !== null && amount > maxAmount) return 'amount_out_of_bounds'
      if (endMs !== null && endMs <= Math.max(timeMs, startMs ?? 0)) return 'invalid_request'
      if (recipients.looker(merchant, timeMs)(customerTag) === 'limited') return 'rate_limited'
      const wallet = accounts.wallet(accounts.account(merchant).environment, customerTag)
      if (wallet === undefined) return 'customer_not_found'
      return mandates.pendingOf(merchant, wallet.account) >= PENDING_PER_CUSTOMER ? 'rate_limited' : null
    },
    ApproveMandate: ({ customer, id, challengeId }, { timeMs }) => {
      const mandate = mandates.mandates.get(id)
      if (mandate === undefined || mandate.customer !== customer) return 'not_found'
      const { state, account, terms } = mandate
      if (state === 'active') return null
      if (accounts.walletAt(customer)?.block === 'blocked') return 'wallet_blocked'
      const stop = accounts.stopOf(account)
      if (stop !== null) return stop
      if ((state !== 'pending' && state !== 'paused') || hasEnded(mandate, timeMs)) return 'mandate_not_active'
      const subject = `mandate:${terms.token}`
      return challengeId === null || signIn.isGoodFor(challengeId, { subject, account: customer }, timeMs) ? null : 'otp_expired'
    },
    RejectMandate: ({ customer, id }) => {
      const mandate = mandates.mandates.get(id)
      if (mandate === undefined || mandate.customer !== customer) return 'not_found'
      return mandate.state === 'pending' || mandate.state === 'rejected' ? null : 'mandate_not_active'
    },
    CancelMandate: ({ by, id }) => {
      const mandate = mandates.mandates.get(id)
      if (mandate === undefined || (mandate.customer !== by && mandate.account !== by)) return 'not_found'
      return isLive(mandate.state) || mandate.state === 'cancelled' ? null : 'mandate_not_active'
    },
  } satisfies Verdicts
}

function hasEnded(mandate: ModelMandate, timeMs: number): boolean {
  return (endOf(mandate) ?? Number.POSITIVE_INFINITY) <= timeMs
}
