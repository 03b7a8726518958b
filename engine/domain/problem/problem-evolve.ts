// Appliers of problems. A refund of the payment ends its problem.
import { positionOf } from '../../kernel/position.ts'
import type { BillRefunded } from '../bill/bill-state.ts'
import type { ChargeChange } from '../charge/charge-state.ts'
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { ProblemAnswered, ProblemOpened } from './problem-state.ts'

export const PROBLEM_EVENTS = {
  'problem.opened@1': open,
  'problem.answered@1': answer,
} satisfies EventTable

/** Refunds are events of charges and bills. */
export const PROBLEM_FOLLOWS = {
  'charge.refunded@1': ({ problems }: State, { transaction_id }: ChargeChange): void => end(problems, transaction_id),
  'bill.refunded@1': ({ problems }: State, { transaction_id }: BillRefunded): void => end(problems, transaction_id),
} as const

function open({ problems }: State, { problem, wallet }: ProblemOpened, event: StoredEvent, record: LogRecord): void {
  const position = positionOf(record.sequence, record.events.indexOf(event))
  problems.open.set(problem.transaction_id, { account: wallet, position })
  problems.ofMerchants.set(problem.transaction_id, { account: event.account })
}

function answer({ problems }: State, { transaction_id }: ProblemAnswered): void {
  end(problems, transaction_id)
}

function end(problems: State['problems'], transactionId: string | null): void {
  if (transactionId === null || problems.open.get(transactionId) === undefined) return
  problems.open.delete(transactionId)
  problems.ofMerchants.delete(transactionId)
}
