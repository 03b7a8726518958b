// Suspension of merchants by operators. A suspended merchant reads everything and moves no money.
import { rfc3339 } from '../../kernel/time.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { aboutMerchant } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { publicMerchant } from './merchant-decide.ts'
import type { MerchantSuspended } from './merchant-evolve.ts'
import type { MerchantRow } from './merchant-state.ts'

export interface SuspendMerchant {
  readonly type: 'SuspendMerchant'
  readonly merchantId: string
  readonly reason: string
}

export interface ReinstateMerchant {
  readonly type: 'ReinstateMerchant'
  readonly merchantId: string
}

export const SUSPEND_MERCHANT_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the merchant; one that is suspended gets the new reason. Rejections: not_found. */
export function decideSuspendMerchant(
  state: State,
  { merchantId, reason }: SuspendMerchant,
  context: Context,
): Decision<(typeof SUSPEND_MERCHANT_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  if (merchant.suspension?.reason === reason) return answered(merchant, [])
  const suspension = { reason, suspended_at: rfc3339(context.timeMs) }
  const suspended: MerchantSuspended = { merchant_id: merchantId, ...suspension }
  const audit = operatorActed(context, { ...aboutMerchant(merchant), action: 'merchant.suspend', details: { reason } })
  return answered({ ...merchant, suspension }, [event('merchant.suspended', 1, merchant.accounts.live, suspended), audit])
}

export const REINSTATE_MERCHANT_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the merchant, also when it was not suspended. Rejections: not_found. */
export function decideReinstateMerchant(
  state: State,
  { merchantId }: ReinstateMerchant,
  context: Context,
): Decision<(typeof REINSTATE_MERCHANT_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  const { suspension, ...reinstated } = merchant
  if (suspension === undefined) return answered(merchant, [])
  const audit = operatorActed(context, { ...aboutMerchant(merchant), action: 'merchant.reinstate', details: {} })
  return answered(reinstated, [event('merchant.reinstated', 1, merchant.accounts.live, { merchant_id: merchantId }), audit])
}

function answered(merchant: MerchantRow, events: readonly StoredEvent[]): Accepted {
  return { environment: 'live', events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(publicMerchant(merchant)) }
}
