// Requests about what repeats: schedules and mandates. Their starts lie near ends of months often.
import type { Command, CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { ModelMandate } from '../models/mandates.ts'
import type { ModelSchedule } from '../models/schedules.ts'
import type { Models } from '../models.ts'
import { caller, merchantAccount, minutes, payer, recipient, text, wallet } from './pick.ts'

const DAY_MS = 86_400_000

/** Within minutes, or on the 29th to 31st of a month to come. */
function start(drawing: Drawing): number {
  const { prng, nowMs } = drawing
  if (prng.chance(0.5)) return minutes(drawing, 120)
  const month = new Date(nowMs)
  const atMs = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + prng.below(3), 29 + prng.below(3), prng.below(24))
  return atMs > nowMs ? atMs : minutes(drawing, 600)
}

function end({ prng }: Drawing, fromMs: number): number {
  return fromMs + (prng.chance(0.05) ? -1000 : 1 + prng.below(90 * DAY_MS))
}

function plan(models: Models, drawing: Drawing, account: number) {
  const of = models.accounts.account(account).environment
  const line = () => ({
    recipient: recipient(models, drawing, of),
    amount: 1 + drawing.prng.below(500),
    reference: text(drawing),
    note: text(drawing),
  })
  const { prng } = drawing
  const sources = [...models.disbursements.disbursements.values()].filter((one) => one.account === account)
  const source = prng.chance(0.6)
    ? recent(prng, prng.chance(0.1) ? sources.filter(({ validAmount }) => validAmount === 0) : sources)
    : undefined
  const disbursementId = prng.chance(0.02) ? 'ghost' : source?.id
  const payees = disbursementId === undefined ? { lines: Array.from({ length: 1 + prng.below(4) }, line) } : { lines: [], disbursementId }
  return { recurrence: drawing.prng.pick(['once', 'weekly', 'monthly'] as const), reference: text(drawing), ...payees }
}

function ofSchedule(
  models: Models,
  make: (schedule: { readonly merchant: number; readonly id: string }) => Command,
  state?: ModelSchedule['state'],
): Draw {
  return (drawing) => {
    const all = [...models.schedules.schedules.values()]
    const fitting = drawing.prng.chance(0.8) && state !== undefined ? all.filter((one) => one.state === state) : all
    const schedule = recent(drawing.prng, fitting)
    if (schedule === undefined) return null
    const merchant = drawing.prng.chance(0.97) ? schedule.account : (merchantAccount(models, drawing) ?? schedule.account)
    return make({ merchant, id: drawing.prng.chance(0.02) ? 'ghost' : schedule.id })
  }
}

function mandateOf({ mandates }: Models, { prng }: Drawing, states: readonly ModelMandate['state'][]): ModelMandate | undefined {
  const all = [...mandates.mandates.values()]
  return recent(prng, prng.chance(0.85) ? all.filter(({ state }) => states.includes(state)) : all)
}

const scheduleDraws = (models: Models) =>
  ({
    CreateSchedule: (drawing) => {
      // Few merchants have disbursements whose lines a schedule could pay.
      const source = drawing.prng.chance(0.6) ? recent(drawing.prng, [...models.disbursements.disbursements.values()]) : undefined
      const merchant = source?.account ?? merchantAccount(models, drawing)
      if (merchant === undefined) return null
      const startMs = drawing.prng.chance(0.03) ? drawing.nowMs - 1000 : start(drawing)
      return { type: 'CreateSchedule', merchant, startMs, ...plan(models, drawing, merchant), by: caller(models, drawing, merchant) }
    },
    ReplaceSchedule: (drawing) => {
      const made = ofSchedule(models, (schedule) => ({ type: 'PauseSchedule', ...schedule }))(drawing)
      if (made?.type !== 'PauseSchedule') return null
      const { prng, nowMs } = drawing
      const next = prng.chance(0.7) ? {} : { startMs: prng.chance(0.1) ? nowMs - 1000 : start(drawing) }
      return { type: 'ReplaceSchedule', merchant: made.merchant, id: made.id, ...plan(models, drawing, made.merchant), ...next }
    },
    PauseSchedule: ofSchedule(models, (schedule) => ({ type: 'PauseSchedule', ...schedule }), 'active'),
    ResumeSchedule: ofSchedule(models, (schedule) => ({ type: 'ResumeSchedule', ...schedule }), 'paused'),
    CancelSchedule: ofSchedule(models, (schedule) => ({ type: 'CancelSchedule', ...schedule })),
    RunSchedule: ofSchedule(models, (schedule) => ({ type: 'RunSchedule', ...schedule, dueMs: null }), 'active'),
  }) satisfies Partial<Record<CommandType, Draw>>

export const planDraws = (models: Models) =>
  ({
    ...scheduleDraws(models),
    CreateMandate: (drawing) => {
      const { prng, nowMs } = drawing
      const merchant = merchantAccount(models, drawing)
      if (merchant === undefined) return null
      const of = models.accounts.account(merchant).environment
      // A customer without money: the attempts fail, and the mandate pauses before its end.
      const isPoor = prng.chance(0.25)
      const customer = (isPoor ? wallet : payer)(models, drawing, of)
      const sum = 1 + prng.below(500)
      const amounts = prng.pick([
        { amount: sum, maxAmount: null },
        { amount: sum, maxAmount: sum * 2 },
        { amount: null, maxAmount: sum * 2 },
        ...(prng.chance(0.05)
          ? [
              { amount: null, maxAmount: null },
              { amount: sum, maxAmount: sum - 1 },
            ]
          : []),
      ])
      const startMs = !isPoor && prng.chance(0.4) ? start(drawing) : null
      const endMs = isPoor ? nowMs + 4 * DAY_MS + prng.below(8 * DAY_MS) : prng.chance(0.3) ? end(drawing, startMs ?? nowMs) : null
      const terms = { interval: prng.pick(['weekly', 'monthly', 'monthly', 'yearly', 'on_demand'] as const), startMs, endMs }
      const texts = { reference: text(drawing), description: '', redirectUrl: '', approvalUrl: 'https://pay.example/mandates/x' }
      const maxPayments = prng.chance(0.3) ? 1 + prng.below(3) : null
      return {
        type: 'CreateMandate',
        merchant,
        token: drawing.name('mandate-'),
        customerTag: customer?.tag ?? 'ghost',
        ...amounts,
        ...terms,
        maxPayments,
        ...texts,
      }
    },
    ApproveMandate: (drawing) => {
      const mandate = mandateOf(models, drawing, ['pending', 'paused'])
      if (mandate === undefined) return null
      const { customer, terms } = mandate
      const subject = `mandate:${terms.token}`
      const code = [...models.signIn.challenges.values()].filter((one) => one.account === customer && one.subject === subject).at(-1)?.id
      return { type: 'ApproveMandate', customer, id: terms.id, challengeId: code ?? (drawing.prng.chance(0.03) ? 'ghost' : null) }
    },
    RejectMandate: (drawing) => {
      const mandate = mandateOf(models, drawing, ['pending'])
      return mandate === undefined ? null : { type: 'RejectMandate', customer: mandate.customer, id: mandate.terms.id }
    },
    CancelMandate: (drawing) => {
      const mandate = mandateOf(models, drawing, ['pending', 'active', 'paused'])
      if (mandate === undefined) return null
      return { type: 'CancelMandate', by: drawing.prng.chance(0.5) ? mandate.customer : mandate.account, id: mandate.terms.id }
    },
    AdvanceMandate: (drawing) => {
      const mandate = mandateOf(models, drawing, ['active'])
      return mandate === undefined ? null : { type: 'AdvanceMandate', merchant: mandate.account, id: mandate.terms.id, dueMs: null }
    },
    ChargeMandate: (drawing) => {
      const mandate = mandateOf(models, drawing, ['active'])
      if (mandate === undefined) return null
      const sum = drawing.prng.chance(0.7) ? 1 + drawing.prng.below(1000) : null
      return { type: 'ChargeMandate', merchant: mandate.account, id: mandate.terms.id, amount: sum, reference: text(drawing) }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
