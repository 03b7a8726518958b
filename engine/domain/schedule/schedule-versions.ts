// A schedule as it stands: what the log keeps of its creation and of its newest plan, and what became of it since.
import { assert } from '../../kernel/assert.ts'
import type { Position } from '../../kernel/position.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { event, type Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { scheduleIndexKey } from './schedule-index-keys.ts'
import {
  type PlannedSchedule,
  SCHEDULE_CHANGES,
  type Schedule,
  type ScheduleChange,
  type SchedulePlan,
  type ScheduleReplaced,
  type ScheduleStatus,
  type StoredSchedule,
} from './schedule-state.ts'

export interface FoundSchedule {
  /** Account number of the merchant. */
  readonly account: AccountNumber
  readonly status: ScheduleStatus
  readonly createdPosition: Position
  /** Where its newest plan stands: its creation or its newest replacement. */
  readonly planPosition: Position
}

type Documents = Pick<Past, 'eventAt'>

const CHANGES: ReadonlySet<string> = new Set(SCHEDULE_CHANGES)

/** Null when there is none with this id. */
export function findSchedule(state: State, past: Past, id: string): FoundSchedule | null {
  const live = state.schedules.live.get(id)
  if (live !== undefined) return live
  const last = past.latest(scheduleIndexKey(id), (found) => CHANGES.has(found.type) && payloadOf<ScheduleChange>(found).schedule_id === id)
  if (last === null) return null
  const { status, created_position, plan_position } = payloadOf<ScheduleChange>(last)
  return { account: last.account, status, createdPosition: created_position, planPosition: plan_position }
}

/** The whole record, lines included. */
export function scheduleOf(past: Documents, { status, createdPosition, planPosition }: Omit<FoundSchedule, 'account'>): Schedule {
  const created = createdSchedule(past.eventAt(createdPosition))
  if (planPosition === createdPosition) return { ...created, ...status }
  const replaced = past.eventAt(planPosition)
  assert(replaced.type === 'schedule.replaced', 'a schedule knows where its plan stands')
  return { ...withPlan(created, payloadOf<ScheduleReplaced>(replaced).plan), ...status }
}

/** A plan of lines of its own has no disbursement. */
function withPlan({ disbursement_id: _, ...created }: Schedule, plan: SchedulePlan): Schedule {
  return { ...created, ...plan }
}

export function createdSchedule(created: StoredEvent): Schedule {
  assert(created.type === 'schedule.created', 'a schedule knows where it was created')
  const { warnings: _, by: __, source_position: ___, ...schedule } = payloadOf<StoredSchedule>(created)
  return schedule
}

/** The schedule as it stood after the event. */
const scheduleText = (event: StoredEvent, past: Documents): string => {
  const { status, created_position, plan_position } = payloadOf<ScheduleChange>(event)
  return JSON.stringify(scheduleOf(past, { status, createdPosition: created_position, planPosition: plan_position }))
}

/** The plan is read from the event itself: when its turn answers, its record has no place in the history yet. */
const replacedText = (event: StoredEvent, past: Documents): string => {
  const { created_position, plan, status, warnings } = payloadOf<ScheduleReplaced>(event)
  const planned: PlannedSchedule = { ...withPlan(createdSchedule(past.eventAt(created_position)), plan), ...status, warnings }
  return JSON.stringify(planned)
}

const createdText = (event: StoredEvent): string => {
  const { by: _, source_position: __, ...planned } = payloadOf<StoredSchedule>(event)
  return JSON.stringify(planned)
}

/** Events whose text is not the schedule. What `schedule.ran` answers is its run. */
export const SCHEDULE_DOCUMENTS = {
  'schedule.created@1': createdText,
  'schedule.paused@1': scheduleText,
  'schedule.resumed@1': scheduleText,
  'schedule.completed@1': scheduleText,
  'schedule.cancelled@1': scheduleText,
  'schedule.replaced@1': replacedText,
} as const

export function scheduleChanged(
  change: 'paused' | 'resumed' | 'completed' | 'cancelled',
  id: string,
  { account, createdPosition, planPosition }: FoundSchedule,
  status: ScheduleStatus,
): StoredEvent {
  const payload: ScheduleChange = { schedule_id: id, status, created_position: createdPosition, plan_position: planPosition }
  return event(`schedule.${change}`, 1, account, payload)
}
