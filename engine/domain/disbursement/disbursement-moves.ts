// What a start makes of a disbursement, and the merchant event of its new state.
import { parseRfc3339, rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context } from '../decision.ts'
import { isAbovePolicy } from '../merchant/payout-policy.ts'
import type { StoredEvent } from '../record.ts'
import { runEnded } from '../schedule/run-outcome.ts'
import type { State } from '../state.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import type { Disbursement, DisbursementPlan, DisbursementProgress, DisbursementRow, DisbursementStatus } from './disbursement-state.ts'

export const NEW_STATUS: DisbursementStatus = {
  state: 'ready',
  paid_count: 0,
  paid_amount: 0,
  failed_count: 0,
  failed_amount: 0,
  fee_amount: 0,
  approval: null,
  pause_reason: null,
  started_at: null,
  completed_at: null,
  cancelled_at: null,
}

interface Planned {
  readonly plan: DisbursementPlan
  readonly progress: DisbursementProgress
}

/** It waits for a second person where the policy asks for one. */
export function started(state: State, merchant: AccountNumber, planned: Planned, context: Context): DisbursementProgress {
  const { plan, progress } = planned
  if (!isAbovePolicy(state, merchant, plan.valid_amount)) return released(planned, context)
  const approval = { state: 'pending', by: null, at: null, reason: null } as const
  return { ...progress, status: { ...progress.status, state: 'awaiting_approval', approval } }
}

/** It waits for its time, or its first turn is due now. */
export function released({ plan, progress }: Planned, { timeMs }: Pick<Context, 'timeMs'>): DisbursementProgress {
  const startMs = plan.start_at === null ? null : parseRfc3339(plan.start_at)
  if (startMs !== null && startMs > timeMs) return { ...progress, status: { ...progress.status, state: 'scheduled' }, due_ms: startMs }
  return running(progress, timeMs)
}

export function running(progress: DisbursementProgress, timeMs: number): DisbursementProgress {
  const { status } = progress
  const started_at = status.started_at ?? rfc3339(timeMs)
  return { ...progress, status: { ...status, state: 'running', pause_reason: null, started_at }, due_ms: timeMs }
}

const EVENT_STATES = ['awaiting_approval', 'paused', 'completed', 'cancelled', 'rejected'] as const

/** The merchant event of the state that the disbursement has entered, and the end of the run that it is; none for other states. */
export function disbursementEntered(
  state: State,
  context: Context,
  { account, run }: Pick<DisbursementRow, 'account' | 'run'>,
  disbursement: Disbursement,
): readonly StoredEvent[] {
  const entered = EVENT_STATES.find((one) => one === disbursement.state)
  if (entered === undefined) return []
  const ended = run === undefined ? [] : runEnded(state, context, account, run, disbursement)
  return [...ended, ...outboxEvents(state, context, { account, type: `disbursement.${entered}`, about: { data: disbursement } })]
}
