// Deciders that record runs of merchants' code. They move no money. A log that is too long is left out; the run
// itself is always recorded.
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { type NumberedCodeRun, RUNS_WRITTEN_PER_DAY_MAX } from './code-run-state.ts'

/** A run as its end is reported: within the limits of the sandbox. */
export type CodeRunReport = Omit<NumberedCodeRun, 'id' | 'number' | 'request_id' | 'created_at'>

/** A run that a customer caused. */
export interface RecordCodeRun {
  readonly type: 'RecordCodeRun'
  readonly merchant: AccountNumber
  readonly run: CodeRunReport
}

/** The end of what a merchant tried out. */
export interface EndTrial {
  readonly type: 'EndTrial'
  readonly merchant: AccountNumber
  /** Null where nothing ran and no call was made. */
  readonly run: CodeRunReport | null
  /** X-Request-Id, by which the merchant finds its own run among those of other callers. */
  readonly requestId: string
  /** JSON text of the merchant's answer, also on replays of its key. */
  readonly answer: string
}

/** Returns `ok`. */
export function decideRecordCodeRun(state: State, { merchant, run }: RecordCodeRun, context: Context): Decision<never> {
  return accepted(state, merchant, [recorded(state, merchant, { ...run, request_id: null }, context)], '{}')
}

/** Returns `ok` and the result of the trial. */
export function decideEndTrial(state: State, { merchant, run, requestId, answer }: EndTrial, context: Context): Decision<never> {
  return accepted(state, merchant, run === null ? [] : [recorded(state, merchant, { ...run, request_id: requestId }, context)], answer)
}

const NOT_KEPT = '(this log was not kept: the logs of today are too long)'

function recorded(
  state: State,
  merchant: AccountNumber,
  report: CodeRunReport & Pick<NumberedCodeRun, 'request_id'>,
  context: Context,
): StoredEvent {
  const number = state.codeRuns.countOf(merchant, report.product) + 1
  const run: NumberedCodeRun = { id: context.newId(), number, ...report, created_at: rfc3339(context.timeMs) }
  const whole = event('code_run.recorded', 1, merchant, run)
  if (state.codeRuns.writtenOn(merchant, context.timeMs) + whole.text.length <= RUNS_WRITTEN_PER_DAY_MAX) return whole
  return event('code_run.recorded', 1, merchant, { ...run, fetches: [], logs: run.logs.length === 0 ? [] : [NOT_KEPT] })
}

function accepted(state: State, merchant: AccountNumber, events: readonly StoredEvent[], body: string): Accepted {
  return { environment: state.accounts.environment(merchant), events, transactions: [], frames: [], kind: 'ok', body }
}
