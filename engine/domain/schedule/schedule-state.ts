// Schedules of payouts. Live state holds what a turn needs of the ones that may still run; the lines that they pay
// stand in the log, and so do finished schedules.

import type { Caller } from '../../contract/created-by.ts'
import type {
  SCHEDULE_STATES,
  PlannedSchedule as ShapePlanned,
  Schedule as ShapeSchedule,
  ScheduleRun as ShapeScheduleRun,
} from '../../contract/schedule.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { Recurrence } from '../../kernel/calendar.ts'
import type { Position } from '../../kernel/position.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import { parseRfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { countedByAccount } from '../quotas.ts'
import type { SharedState } from '../state.ts'
import { LIVE_SCHEDULES } from './schedule-limits.ts'

export type ScheduleState = (typeof SCHEDULE_STATES)[number]

export const SCHEDULE_RECURRENCES = ['once', 'weekly', 'monthly'] as const satisfies readonly Recurrence[]

export type ScheduleRecurrence = (typeof SCHEDULE_RECURRENCES)[number]

/** The line of a schedule: checked for its shape on creation; whether its recipient exists is decided at each run. */
export interface ScheduleLine {
  /** Normalized tag or phone. */
  readonly recipient: string
  readonly amount: Amount
  readonly reference: string
  readonly note: string
}

/** What changes in a schedule after its creation. */
export interface ScheduleStatus {
  readonly state: ScheduleState
  /** Null unless it is active. */
  readonly next_run_at: string | null
  readonly last_run_at: string | null
  readonly runs_count: number
  readonly cancelled_at: string | null
}

/** The schedule as its merchant sees it. */
export type Schedule = Immutable<ShapeSchedule>

/** The answer of creation and replacement. */
export type PlannedSchedule = Immutable<ShapePlanned>

/** The payload of `schedule.created`. */
export interface StoredSchedule extends PlannedSchedule {
  /** Who made it. */
  readonly by: Caller
  /** Where the disbursement of its lines was created; absent: the lines stand here. */
  readonly source_position?: Position
}

/** The events that say what became of a schedule. */
export const SCHEDULE_CHANGES = [
  'schedule.ran',
  'schedule.paused',
  'schedule.resumed',
  'schedule.completed',
  'schedule.cancelled',
  'schedule.replaced',
] as const

/** The payload of each of them; `schedule.ran` and `schedule.replaced` have more. */
export interface ScheduleChange {
  readonly schedule_id: string
  readonly status: ScheduleStatus
  /** Where `schedule.created` stands. */
  readonly created_position: Position
  /** Where the plan stands that was valid: `schedule.created` or `schedule.replaced`. */
  readonly plan_position: Position
}

/** What a replacement changes. */
export type SchedulePlan = Pick<Schedule, 'recurrence' | 'reference' | 'items' | 'items_count' | 'total_amount' | 'disbursement_id'>

/** The payload of `schedule.replaced`. Its status is the one before, but for the next occurrence where that was replaced too. */
export interface ScheduleReplaced extends ScheduleChange {
  readonly plan: SchedulePlan
  /** Where the disbursement of its lines was created; absent: the lines stand in the plan. */
  readonly source_position?: Position
  /** The occurrence from which the recurrence counts. */
  readonly anchor_at: string
  readonly warnings: PlannedSchedule['warnings']
}

/** What became of one occurrence, as its merchant sees it. */
export type ScheduleRun = Immutable<ShapeScheduleRun>

/** The payload of `schedule.run_ended`: of a run that is a disbursement, when that has ended. */
export interface ScheduleRunEnded {
  readonly schedule_id: string
  readonly run: ScheduleRun
}

/** The payload of `schedule.ran`. */
export interface ScheduleRan extends ScheduleChange {
  readonly run: ScheduleRun
}

/** A schedule that may still run. */
export interface LiveSchedule {
  readonly id: string
  /** Account number of the merchant. */
  readonly account: AccountNumber
  readonly recurrence: ScheduleRecurrence
  /** The occurrence from which the recurrence counts. */
  readonly startMs: TimeMs
  readonly status: ScheduleStatus
  /** What the turn of a run costs, for those who plan bursts. */
  readonly linesCount: number
  readonly createdPosition: Position
  /** Where its plan stands: `schedule.created`, or the newest `schedule.replaced`. */
  readonly planPosition: Position
}

/** Kind of the timers that run schedules; their key is the id. */
export const SCHEDULE_TIMER = 'schedule'

declare module '../state.ts' {
  interface State {
    readonly schedules: Schedules
  }
}

export class Schedules extends SnapshotTables {
  /** Keyed by id. Setting a row also sets its timer, so a restored snapshot has the timers of its rows. */
  readonly live: Table<LiveSchedule>

  constructor(shared: SharedState) {
    super()
    const { timers } = shared
    this.live = new Table(this, 'schedule', countedByAccount(shared, LIVE_SCHEDULES), (row, before) => {
      const { id } = (row ?? before) as LiveSchedule
      const next = row?.status.next_run_at ?? null
      if (next === null) timers.cancel(SCHEDULE_TIMER, id)
      else timers.set(SCHEDULE_TIMER, id, parseRfc3339(next))
    })
  }
}
