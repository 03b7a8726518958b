// Queries for payout schedules: one by id, its runs, and the list, each schedule in its current state.
import type { ListRunsQuery, ListSchedulesQuery } from '../contract/schedule.ts'
import { disbursementOf } from '../domain/disbursement/disbursement-state.ts'
import { findDisbursement } from '../domain/disbursement/disbursement-versions.ts'
import { payloadOf } from '../domain/record.ts'
import { runOf } from '../domain/schedule/run-outcome.ts'
import { scheduleRunsIndexKey, schedulesIndexKey } from '../domain/schedule/schedule-index-keys.ts'
import type { ScheduleRan, ScheduleRun } from '../domain/schedule/schedule-state.ts'
import { createdSchedule, type FoundSchedule, findSchedule, scheduleOf } from '../domain/schedule/schedule-versions.ts'
import type { State } from '../domain/state.ts'
import { type DocumentSlice, documentSlice, type SliceInput } from './document-slice.ts'
import { historyPage, type ListInput, type ListPage } from './list-page.ts'
import type { OwnId } from './payout-queries.ts'
import type { Reads } from './reads.ts'
import { isFoundIn, searchOf } from './search.ts'

/** Returns JSON text of the schedule with its lines; null when the merchant has none with this id. */
export function getSchedule(reads: Reads, input: OwnId): string | null {
  const found = ownSchedule(reads, input)
  return found === null ? null : JSON.stringify(scheduleOf(reads.history, found))
}

export function hasSchedule(reads: Reads, input: OwnId): boolean {
  return ownSchedule(reads, input) !== null
}

/** Returns null when the cursor belongs to another kind of list. */
export function listSchedules({ state, history }: Reads, { account, query }: SliceInput<ListSchedulesQuery>): DocumentSlice | null {
  const search = searchOf(query.q)
  return documentSlice(history, query, {
    indexKeys: [schedulesIndexKey(account)],
    keep: ({ event }) => event.type === 'schedule.created' && event.account === account,
    current: ({ event }) => {
      const found = findSchedule(state, history, createdSchedule(event).id)
      if (found === null || (query.state !== undefined && found.status.state !== query.state)) return null
      const schedule = scheduleOf(history, found)
      const { id, reference, items } = schedule
      if (search !== null && !isFoundIn(search, [id, reference, ...items.map(({ recipient }) => recipient)])) return null
      return JSON.stringify(schedule)
    },
  })
}

export interface ScheduleRunsInput extends ListInput<ListRunsQuery> {
  readonly id: string
}

/** Returns null when the cursor belongs to another kind of list. */
export function listScheduleRuns({ state, history }: Reads, { account, id: given, query }: ScheduleRunsInput): ListPage | null {
  const id = given.toLowerCase()
  return historyPage(history, query, {
    indexKeys: [scheduleRunsIndexKey(account, id)],
    keep: ({ event }) => event.type === 'schedule.ran' && event.account === account && payloadOf<ScheduleRan>(event).schedule_id === id,
    render: ({ event }) => JSON.stringify(asItIsNow(state, history, payloadOf<ScheduleRan>(event).run)),
  })
}

/** A run that is a disbursement is as far as that. */
function asItIsNow(state: State, history: Reads['history'], run: ScheduleRun): ScheduleRun {
  const row = run.disbursement_id === undefined ? null : findDisbursement(state, history, run.disbursement_id)
  return row?.run === undefined ? run : runOf(row.run, disbursementOf(row.plan, row.status))
}

function ownSchedule({ state, history }: Reads, { account, id }: OwnId): FoundSchedule | null {
  const found = findSchedule(state, history, id.toLowerCase())
  return found?.account === account ? found : null
}
