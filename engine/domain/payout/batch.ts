// What a batch leaves behind: a payout for each line that is well formed, a transaction for each that is paid, and the
// report. All of it is one record, so a crash pays all of it or nothing. Runs of schedules are planned here too.
import type { BatchLine } from '../../contract/batch-line.ts'
import type { Amount } from '../../kernel/amount.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, PlannedTransaction } from '../decision.ts'
import { allowanceOf, spendOf } from '../merchant/key-allowance.ts'
import { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { KeySpend, StoredEvent } from '../record.ts'
import { type AllowedMovement, MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { plannedFrame } from '../stream/stream-frames.ts'
import type { PlannedFrame } from '../stream/stream-state.ts'
import { manyOutboxEvents } from '../webhook/merchant-event.ts'
import { BatchCompleted, BatchPayout } from './batch-events.ts'
import { BATCH_FORM } from './batch-form.ts'
import type { BatchForm, BatchHead, DecidedLine, ReportHead } from './batch-line.ts'
import { decideLines } from './line-fates.ts'
import type { PayoutFailure } from './payout-state.ts'

export interface BatchOrder {
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  readonly lines: readonly BatchLine[]
  readonly reference: string
  /** The schedule that pays it, null for a batch of its own. */
  readonly scheduleId: string | null
  /** The API key that pays, of a run: that made the schedule; null or absent: a member. */
  readonly keyId?: string | null
  /** Present: the lines are a turn of that disbursement. Deciding ends before the first line with a failure of `stopsAt`. */
  readonly turnOf?: { readonly id: string; readonly stopsAt: ReadonlySet<PayoutFailure> }
}

const NOWHERE: ReadonlySet<PayoutFailure> = new Set()

export interface PlannedBatch {
  readonly id: string
  readonly paidCount: number
  readonly failedCount: number
  /** The failure of `stopsAt` at which deciding ended; null: every line was decided. */
  readonly stoppedBy: PayoutFailure | null
  readonly events: readonly StoredEvent[]
  /** Index of `batch.completed` among the events: its text is the report. */
  readonly reportIndex: number
  readonly transactions: readonly PlannedTransaction[]
  readonly frames: readonly PlannedFrame[]
  /** What the key has paid; null where no key pays. */
  readonly spend: KeySpend | null
}

export function planBatch(state: State, order: BatchOrder, context: Context, form: BatchForm = BATCH_FORM): PlannedBatch {
  const { merchant, lines } = order
  const checks = new RecipientChecks(state, merchant, context)
  const rules = new MovementRules(state, context)
  const allowance = allowanceOf(state, order.keyId, context)
  const { turnOf } = order
  const rulesOfLines = { checks, allowance, rules, stopsAt: turnOf?.stopsAt ?? NOWHERE }
  const { fates, stoppedBy } = decideLines(state, merchant, lines, rulesOfLines)
  const id = context.newId()
  const head: BatchHead = {
    id,
    merchant,
    scheduleId: order.scheduleId,
    ...headOf(state, order, context),
    form,
    disbursementId: turnOf?.id ?? null,
  }
  const decided: DecidedLine[] = []
  const events: StoredEvent[] = []
  const transactions: PlannedTransaction[] = []
  const frames: PlannedFrame[] = []
  for (let index = 0; index < fates.length; index++) {
    const line = lines[index] as BatchLine
    const fate = fates[index] as (typeof fates)[number]
    const isPaid = typeof fate !== 'string'
    const payoutId = line.fault === null ? context.newId() : null
    const transactionId = isPaid ? context.newId() : null
    const isRecent = isPaid && wasPaidRecently(merchant, line, context)
    const decidedLine: DecidedLine = { line, payoutId, transactionId, failure: isPaid ? null : fate, fee: feeOf(fate), isRecent }
    decided.push(decidedLine)
    if (payoutId === null) continue
    const eventIndex = events.push(new BatchPayout(head, decidedLine)) - 1
    if (!isPaid) continue
    const account = fate.posting.credit
    transactions.push(rules.transaction(fate, { id: transactionId as string, reference: line.reference, eventIndex }))
    frames.push(plannedFrame(account, 'payment.received', eventIndex), plannedFrame(account, 'balance.updated', eventIndex))
  }
  const reportIndex = events.push(new BatchCompleted(head, decided)) - 1
  const paidCount = transactions.length
  const planned = { id, paidCount, failedCount: fates.length - paidCount, stoppedBy, reportIndex, transactions, frames }
  const paidAmount = transactions.reduce((sum, { posting }) => sum + posting.amount, 0)
  return {
    ...planned,
    spend: spendOf(order.keyId, paidAmount),
    events: [...withOutbox(state, merchant, context, events), ...checks.events()],
  }
}

/** The report of these lines without any payment: all ids are null. Unknown recipients count in `checks`. */
export function dryRunReport(state: State, order: BatchOrder, context: Context, checks: RecipientChecks): string {
  const rules = new MovementRules(state, context)
  const allowance = allowanceOf(state, order.keyId, context)
  const { fates } = decideLines(state, order.merchant, order.lines, { checks, allowance, rules, stopsAt: NOWHERE })
  const decided = order.lines.map((line, index): DecidedLine => {
    const fate = fates[index] as (typeof fates)[number]
    const failure = typeof fate === 'string' ? fate : null
    const isRecent = failure === null && wasPaidRecently(order.merchant, line, context)
    return { line, payoutId: null, transactionId: null, failure, fee: feeOf(fate), isRecent }
  })
  return BATCH_FORM.reportText({ id: null, ...headOf(state, order, context) }, decided)
}

function feeOf(fate: AllowedMovement | PayoutFailure): Amount {
  return typeof fate === 'string' || fate.fee === null ? 0 : fate.fee.posting.amount
}

function wasPaidRecently(merchant: AccountNumber, { recipient, amount }: BatchLine, context: Context): boolean {
  return amount !== null && context.wasPaidRecently({ merchant, recipient, amount })
}

function headOf(state: State, { merchant, reference }: BatchOrder, { timeMs }: Pick<Context, 'timeMs'>): Omit<ReportHead, 'id'> {
  const { accounts } = state
  return { environment: accounts.environment(merchant), currency: accounts.currency(merchant), reference, created_at: rfc3339(timeMs) }
}

/** The events, which begin the record, and the webhook events of each for endpoints that ask. */
function withOutbox(state: State, merchant: AccountNumber, context: Context, events: readonly StoredEvent[]): StoredEvent[] {
  const types = events.map(({ type }) =>
    type === 'disbursement.paid' ? null : (type as 'payout.paid' | 'payout.failed' | 'batch.completed'),
  )
  return [...events, ...manyOutboxEvents(state, context, merchant, types)]
}
