// One batch: many payouts decided in one turn.
import type { Context, Decision } from '../decision.ts'
import type { MerchantStop } from '../merchant/merchant-state.ts'
import type { State } from '../state.ts'
import { type BatchOrder, planBatch } from './batch.ts'
import type { BatchForm } from './batch-line.ts'

export interface CreateBatch extends BatchOrder {
  readonly type: 'CreateBatch'
}

/** Returns `created` and the report. `form`: the newest when absent. Rejections: MERCHANT_STOPS. */
export function decideCreateBatch(state: State, command: CreateBatch, context: Context, form?: BatchForm): Decision<MerchantStop> {
  const stop = state.merchants.stopOf(command.merchant)
  if (stop !== null) return { refusal: stop }
  const { events, reportIndex, transactions, frames } = planBatch(state, command, context, form)
  return { environment: state.accounts.environment(command.merchant), events, transactions, frames, kind: 'created', body: reportIndex }
}
