// How the run log counts.
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { NumberedCodeRun } from './code-run-state.ts'

export const CODE_RUN_EVENTS = {
  'code_run.recorded@1': count,
} satisfies EventTable

function count(state: State, run: NumberedCodeRun, event: StoredEvent, record: LogRecord): void {
  state.codeRuns.add(event.account, run, record.timeMs, event.text.length)
}
