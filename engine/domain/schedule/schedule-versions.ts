// A schedule as it stands: what the log keeps of its creation, and what became of it since.
import { assert } from '../../kernel/assert.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { event, type Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { scheduleIndexKey } from './schedule-index-keys.ts'
import { SCHEDULE_CHANGES, type Schedule, type ScheduleChange, type ScheduleStatus } from './schedule-state.ts'

export interface FoundSchedule {
  /** Account number of the merchant. */
  readonly account: AccountNumber
  readonly status: ScheduleStatus
  readonly createdPosition: number
}

const CHANGES: ReadonlySet<string> = new Set(SCHEDULE_CHANGES)

/** Null when there is none with this id. */
export function findSchedule(state: State, past: Past, id: string): FoundSchedule | null {
  const live = state.schedules.live.get(id)
  if (live !== undefined) return live
  const last = past.latest(scheduleIndexKey(id), (found) => CHANGES.has(found.type) && payloadOf<ScheduleChange>(found).schedule_id === id)
  if (last === null) return null
  const { status, created_position } = payloadOf<ScheduleChange>(last)
  return { account: last.account, status, createdPosition: created_position }
}

/** The whole record, lines included. */
export function scheduleOf(
  past: Pick<Past, 'eventAt'>,
  { status, createdPosition }: Pick<FoundSchedule, 'status' | 'createdPosition'>,
): Schedule {
  return { ...createdSchedule(past.eventAt(createdPosition)), ...status }
}

export function createdSchedule(created: StoredEvent): Schedule {
  assert(created.type === 'schedule.created', 'a schedule knows where it was created')
  return payloadOf<Schedule>(created)
}

const scheduleText = (event: StoredEvent, past: Pick<Past, 'eventAt'>): string => {
  const { status, created_position } = payloadOf<ScheduleChange>(event)
  return JSON.stringify(scheduleOf(past, { status, createdPosition: created_position }))
}

/** Events whose text is not the schedule. What `schedule.ran` answers is its run. */
export const SCHEDULE_DOCUMENTS = {
  'schedule.paused@1': scheduleText,
  'schedule.resumed@1': scheduleText,
  'schedule.completed@1': scheduleText,
  'schedule.cancelled@1': scheduleText,
} as const

export function scheduleChanged(
  change: 'paused' | 'resumed' | 'completed' | 'cancelled',
  id: string,
  { account, createdPosition }: FoundSchedule,
  status: ScheduleStatus,
): StoredEvent {
  const payload: ScheduleChange = { schedule_id: id, status, created_position: createdPosition }
  return event(`schedule.${change}`, 1, account, payload)
}
