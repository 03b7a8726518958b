// Decider of the replacement of a schedule's plan: its lines, reference and recurrence, from the next occurrence on. A run
// and a replacement are turns of one mailbox: a run that is due pays the plan that stands when its turn begins.
import { nextOccurrence } from '../../kernel/calendar.ts'
import { positionOf } from '../../kernel/position.ts'
import { parseRfc3339, rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { isAbovePolicy } from '../merchant/payout-policy.ts'
import { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { State } from '../state.ts'
import { lineWarnings } from './line-warnings.ts'
import { payeesOf, type WantedPayees } from './schedule-payees.ts'
import type { LiveSchedule, ScheduleRecurrence, ScheduleReplaced, ScheduleStatus } from './schedule-state.ts'
import { findSchedule } from './schedule-versions.ts'

export interface ReplaceSchedule extends WantedPayees {
  readonly type: 'ReplaceSchedule'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  readonly id: string
  readonly recurrence: ScheduleRecurrence
  readonly reference: string
  /** The next occurrence, from which the recurrence counts. Absent: the next occurrence stays. */
  readonly startMs?: TimeMs
}

export const REPLACE_SCHEDULE_REJECTIONS = [
  'not_found',
  'schedule_not_active',
  'items_required',
  'approval_required',
  'invalid_start_at',
  'rate_limited',
] as const

/**
 * Returns `ok` and the schedule with its warnings. The state stays: a paused schedule stays paused. Rejections, in this
 * precedence: not_found, schedule_not_active (completed or cancelled), not_found and items_required (of the disbursement that has its lines),
 * approval_required, invalid_start_at, rate_limited (the budget of
 * unknown recipients is spent).
 */
export function decideReplaceSchedule(
  state: State,
  command: ReplaceSchedule,
  context: Context,
): Decision<(typeof REPLACE_SCHEDULE_REJECTIONS)[number]> {
  const { merchant, id, startMs } = command
  const live = state.schedules.live.get(id)
  if (live === undefined) {
    const finished = findSchedule(state, context.past, id)
    return { refusal: finished?.account === merchant ? 'schedule_not_active' : 'not_found' }
  }
  if (live.account !== merchant) return { refusal: 'not_found' }
  const payees = payeesOf(state, context.past, merchant, command)
  if ('refusal' in payees) return payees
  if (isAbovePolicy(state, merchant, payees.plan.total_amount)) return { refusal: 'approval_required', param: payees.param }
  if (startMs !== undefined && startMs <= context.timeMs) return { refusal: 'invalid_start_at', param: 'start_at' }
  const checks = new RecipientChecks(state, merchant, context)
  const warnings = lineWarnings(checks, command.lines)
  if (warnings === null) return checks.limited('recipient', command.lines.length)
  const replaced: ScheduleReplaced = {
    schedule_id: id,
    status: startMs === undefined ? live.status : statusFrom(live.status, startMs),
    created_position: live.createdPosition,
    plan_position: positionOf(context.sequence, 0),
    plan: { recurrence: command.recurrence, reference: command.reference, ...payees.plan },
    ...payees.source,
    anchor_at: rfc3339(startMs ?? anchorMs(live, command.recurrence, context.timeMs)),
    warnings,
  }
  const events = [event('schedule.replaced', 1, merchant, replaced), ...checks.events()]
  return { environment: checks.environment, events, transactions: [], frames: [], kind: 'ok', body: 0 }
}

/** A paused schedule has no next occurrence: it counts from the new one when it is resumed. */
function statusFrom(status: ScheduleStatus, startMs: TimeMs): ScheduleStatus {
  return status.state === 'active' ? { ...status, next_run_at: rfc3339(startMs) } : status
}

/**
 * Another recurrence counts from the occurrence that is next by the old one. The same recurrence keeps its day: a
 * monthly schedule of the 31st may be next on the 28th of February.
 */
function anchorMs({ recurrence, startMs, status }: LiveSchedule, wanted: ScheduleRecurrence, timeMs: TimeMs): TimeMs {
  if (wanted === recurrence) return startMs
  const { next_run_at } = status
  if (next_run_at !== null) return parseRfc3339(next_run_at)
  return nextOccurrence(startMs, recurrence, timeMs) ?? startMs
}
