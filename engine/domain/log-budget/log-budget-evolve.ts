// How the counts of bytes change.
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { LogCounted } from './log-budget-state.ts'

export const LOG_BUDGET_EVENTS = {
  'log.counted@1': count,
} satisfies EventTable

function count(state: State, counted: LogCounted, { account }: StoredEvent, { timeMs }: LogRecord): void {
  state.logBudget.add(account, timeMs, counted)
}
