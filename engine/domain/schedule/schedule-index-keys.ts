// Index keys of schedules of payouts and their runs.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { IndexEntries, IndexEvent } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import { SCHEDULE_CHANGES, type ScheduleChange } from './schedule-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const SCHEDULE_INDEX_KEYS = { schedule: 40, schedules: 41, scheduleRuns: 42 } as const

const KEYS = SCHEDULE_INDEX_KEYS

export const SCHEDULE_INDEXED: Readonly<Record<string, IndexEvent>> = {
  'schedule.created': ({ account }, index, entries) => entries.addEntry(KEYS.schedules, account, '', index),
  ...Object.fromEntries(SCHEDULE_CHANGES.map((change) => [change, indexChange])),
}

function indexChange(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { schedule_id } = payloadOf<ScheduleChange>(event)
  entries.addEntry(KEYS.schedule, 0, schedule_id, index)
  if (event.type === 'schedule.ran') entries.addEntry(KEYS.scheduleRuns, event.account, schedule_id, index)
}

/** What became of a schedule since its creation. */
export function scheduleIndexKey(id: string): IndexKey {
  return { kind: KEYS.schedule, owner: 0, value: id }
}

/** The creation of each schedule of a merchant's account. */
export function schedulesIndexKey(merchant: AccountNumber): IndexKey {
  return { kind: KEYS.schedules, owner: merchant, value: '' }
}

export function scheduleRunsIndexKey(merchant: AccountNumber, id: string): IndexKey {
  return { kind: KEYS.scheduleRuns, owner: merchant, value: id }
}
