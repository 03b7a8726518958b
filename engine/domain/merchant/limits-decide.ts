// Limits of one merchant, changed by operators.
import { type MerchantLimits, type OwnLimits, type SetMerchantLimitsBody, wholeLimits } from '../../contract/merchant-limits.ts'
import type { Immutable } from '../../contract/schema.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { MerchantRow } from './merchant-state.ts'

export interface SetMerchantLimits {
  readonly type: 'SetMerchantLimits'
  readonly merchantId: string
  /** A limit that is absent stays; null takes the default. */
  readonly limits: Immutable<SetMerchantLimitsBody>
}

/** The payload of `merchant.limits_set`: all limits that differ from the defaults, as they are from then on. */
export interface MerchantLimitsSet {
  readonly merchant_id: string
  readonly limits: OwnLimits
}

export const SET_MERCHANT_LIMITS_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the limits as they apply from now on. Rejections: not_found. */
export function decideSetMerchantLimits(
  state: State,
  { merchantId, limits: wanted }: SetMerchantLimits,
  context: Context,
): Decision<(typeof SET_MERCHANT_LIMITS_REJECTIONS)[number]> {
  const merchant = state.merchants.merchants.get(merchantId)
  if (merchant === undefined) return { refusal: 'not_found' }
  const { limits: before = {} } = merchant
  const limits: OwnLimits = Object.fromEntries(Object.entries({ ...before, ...wanted }).filter(([, value]) => value !== null))
  if (JSON.stringify(limits) === JSON.stringify(before)) return answered(merchant, [])
  const set: MerchantLimitsSet = { merchant_id: merchantId, limits }
  const audit = operatorActed(context, 'merchant.limits', merchantId, null, wholeLimits(limits))
  return answered({ ...merchant, limits }, [event('merchant.limits_set', 1, merchant.accounts.live, set), audit])
}

function answered({ id, limits }: MerchantRow, events: readonly StoredEvent[]): Accepted {
  const all: MerchantLimits = { merchant_id: id, ...wholeLimits(limits) }
  return { environment: 'live', events, transactions: [], frames: [], kind: 'ok', body: JSON.stringify(all) }
}
