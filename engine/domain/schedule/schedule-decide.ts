// Schedules: created, paused, resumed, cancelled, each in one turn. Their replacement and their runs have files of their own.
import type { Caller } from '../../contract/created-by.ts'
import { nextOccurrence } from '../../kernel/calendar.ts'
import { rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { isAbovePolicy } from '../merchant/payout-policy.ts'
import { quotaRefusal } from '../quotas.ts'
import { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { lineWarnings } from './line-warnings.ts'
import { LIVE_SCHEDULES } from './schedule-limits.ts'
import { payeesOf, type WantedPayees } from './schedule-payees.ts'
import type { LiveSchedule, PlannedSchedule, ScheduleRecurrence, ScheduleStatus, StoredSchedule } from './schedule-state.ts'
import { type FoundSchedule, findSchedule, scheduleChanged, scheduleOf } from './schedule-versions.ts'

export interface CreateSchedule extends WantedPayees {
  readonly type: 'CreateSchedule'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  readonly recurrence: ScheduleRecurrence
  readonly startMs: TimeMs
  readonly reference: string
  /** Who makes it. The limits of a key hold for every run. */
  readonly by: Caller
}

interface ScheduleCommand {
  readonly merchant: AccountNumber
  readonly id: string
}

export interface PauseSchedule extends ScheduleCommand {
  readonly type: 'PauseSchedule'
}

export interface ResumeSchedule extends ScheduleCommand {
  readonly type: 'ResumeSchedule'
}

export interface CancelSchedule extends ScheduleCommand {
  readonly type: 'CancelSchedule'
}

export const CREATE_SCHEDULE_REJECTIONS = [
  ...MERCHANT_STOPS,
  'not_found',
  'items_required',
  'approval_required',
  'invalid_start_at',
  'quota_exceeded',
  'rate_limited',
] as const

/**
 * Returns `created` and the schedule with its warnings. Rejections, in this precedence: MERCHANT_STOPS, not_found and items_required (of
 * the disbursement that has its lines), approval_required, invalid_start_at, quota_exceeded, rate_limited (the budget of unknown recipients
 * is spent).
 */
export function decideCreateSchedule(
  state: State,
  command: CreateSchedule,
  context: Context,
): Decision<(typeof CREATE_SCHEDULE_REJECTIONS)[number]> {
  const { merchant, recurrence, startMs, reference, lines, by } = command
  const { accounts } = state
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  const payees = payeesOf(state, context.past, merchant, command)
  if ('refusal' in payees) return payees
  if (isAbovePolicy(state, merchant, payees.plan.total_amount)) return { refusal: 'approval_required', param: payees.param }
  if (startMs <= context.timeMs) return { refusal: 'invalid_start_at', param: 'start_at' }
  const full = quotaRefusal(state, LIVE_SCHEDULES, merchant)
  if (full !== null) return full
  const checks = new RecipientChecks(state, merchant, context)
  const warnings = lineWarnings(checks, lines)
  if (warnings === null) return checks.limited('recipient', lines.length)
  const start_at = rfc3339(startMs)
  const environment = accounts.environment(merchant)
  const schedule: PlannedSchedule = {
    id: context.newId(),
    state: 'active',
    recurrence,
    start_at,
    reference,
    ...payees.plan,
    currency: accounts.currency(merchant),
    environment,
    next_run_at: start_at,
    last_run_at: null,
    runs_count: 0,
    created_at: rfc3339(context.timeMs),
    cancelled_at: null,
    warnings,
  }
  const stored: StoredSchedule = { ...schedule, by, ...payees.source }
  const created = event('schedule.created', 1, merchant, stored)
  return { environment, events: [created, ...checks.events()], transactions: [], frames: [], kind: 'created', body: 0 }
}

export const PAUSE_SCHEDULE_REJECTIONS = ['not_found', 'schedule_not_active'] as const

/** Returns `ok` and the schedule, also when it was paused before. Rejections: not_found, schedule_not_active. */
export function decidePauseSchedule(
  state: State,
  command: PauseSchedule,
  context: Context,
): Decision<(typeof PAUSE_SCHEDULE_REJECTIONS)[number]> {
  const found = ownSchedule(state, command, context)
  if (found === null) return { refusal: 'not_found' }
  const { status } = found
  if (status.state === 'paused') return answered(state, context, found)
  if (status.state !== 'active') return { refusal: 'schedule_not_active' }
  const paused: ScheduleStatus = { ...status, state: 'paused', next_run_at: null }
  return answered(state, context, { ...found, status: paused }, scheduleChanged('paused', command.id, found, paused))
}

export const RESUME_SCHEDULE_REJECTIONS = ['not_found', 'schedule_not_active'] as const

/**
 * Returns `ok` and the schedule, also when it is active. What fell into the pause is skipped; when nothing is left,
 * the schedule is completed. Rejections: not_found, schedule_not_active.
 */
export function decideResumeSchedule(
  state: State,
  command: ResumeSchedule,
  context: Context,
): Decision<(typeof RESUME_SCHEDULE_REJECTIONS)[number]> {
  const found = ownSchedule(state, command, context)
  if (found === null) return { refusal: 'not_found' }
  const { status } = found
  if (status.state === 'active') return answered(state, context, found)
  if (status.state !== 'paused') return { refusal: 'schedule_not_active' }
  const { startMs, recurrence } = state.schedules.live.get(command.id) as LiveSchedule
  const nextMs = nextOccurrence(startMs, recurrence, context.timeMs)
  const resumed: ScheduleStatus =
    nextMs === null ? { ...status, state: 'completed' } : { ...status, state: 'active', next_run_at: rfc3339(nextMs) }
  const change = nextMs === null ? 'completed' : 'resumed'
  return answered(state, context, { ...found, status: resumed }, scheduleChanged(change, command.id, found, resumed))
}

export const CANCEL_SCHEDULE_REJECTIONS = ['not_found', 'schedule_not_active'] as const

/** Returns `ok` and the schedule, also when it was cancelled before. Rejections: not_found, schedule_not_active. */
export function decideCancelSchedule(
  state: State,
  command: CancelSchedule,
  context: Context,
): Decision<(typeof CANCEL_SCHEDULE_REJECTIONS)[number]> {
  const found = ownSchedule(state, command, context)
  if (found === null) return { refusal: 'not_found' }
  const { status } = found
  if (status.state === 'cancelled') return answered(state, context, found)
  if (status.state === 'completed') return { refusal: 'schedule_not_active' }
  const cancelled: ScheduleStatus = { ...status, state: 'cancelled', next_run_at: null, cancelled_at: rfc3339(context.timeMs) }
  return answered(state, context, { ...found, status: cancelled }, scheduleChanged('cancelled', command.id, found, cancelled))
}

function ownSchedule(state: State, { merchant, id }: ScheduleCommand, { past }: Context): FoundSchedule | null {
  const found = findSchedule(state, past, id)
  return found?.account === merchant ? found : null
}

function answered(state: State, { past }: Context, found: FoundSchedule, ...events: readonly StoredEvent[]): Accepted {
  return {
    environment: state.accounts.environment(found.account),
    events,
    transactions: [],
    frames: [],
    kind: 'ok',
    body: events.length === 0 ? JSON.stringify(scheduleOf(past, found)) : 0,
  }
}
