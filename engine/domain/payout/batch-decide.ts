// One batch: many payouts decided in one turn.
import type { Context, Decision } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { isAbovePolicy, sumOfLines } from '../merchant/payout-policy.ts'
import { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { State } from '../state.ts'
import { type BatchOrder, dryRunReport, planBatch } from './batch.ts'
import type { BatchForm } from './batch-line.ts'

export interface CreateBatch extends BatchOrder {
  readonly type: 'CreateBatch'
}

export const CREATE_BATCH_REJECTIONS = [...MERCHANT_STOPS, 'approval_required'] as const

/** Returns `created` and the report. `form`: the newest when absent. Rejections: MERCHANT_STOPS, approval_required. */
export function decideCreateBatch(
  state: State,
  command: CreateBatch,
  context: Context,
  form?: BatchForm,
): Decision<(typeof CREATE_BATCH_REJECTIONS)[number]> {
  const stop = state.merchants.stopOf(command.merchant)
  if (stop !== null) return { refusal: stop }
  if (isAbovePolicy(state, command.merchant, sumOfLines(command.lines))) return { refusal: 'approval_required', param: 'items' }
  const { events, reportIndex, transactions, frames, spend } = planBatch(state, command, context, form)
  return {
    environment: state.accounts.environment(command.merchant),
    events,
    transactions,
    frames,
    spend,
    kind: 'created',
    body: reportIndex,
  }
}

/** A batch that pays nothing. */
export interface DryRunBatch extends BatchOrder {
  readonly type: 'DryRunBatch'
}

/** Returns `ok` and the report that the batch would get now. Beyond the budget of unknown recipients its lines say so. */
export function decideDryRunBatch(state: State, command: DryRunBatch, context: Context): Decision<never> {
  const checks = new RecipientChecks(state, command.merchant, context)
  const body = dryRunReport(state, command, context, checks)
  return { environment: checks.environment, events: checks.events(), transactions: [], frames: [], kind: 'ok', body }
}
