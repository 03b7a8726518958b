// What the owner of a merchant decides about its payouts: limits of its API keys, and above which amount a second person approves.
import type { KeyLimits } from '../../contract/api-key.ts'
import type { Caller } from '../../contract/created-by.ts'
import type { PayoutPolicy } from '../../contract/payout-policy.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, type Decision, event } from '../decision.ts'
import type { State } from '../state.ts'

export interface SetKeyLimits {
  readonly type: 'SetKeyLimits'
  readonly merchantId: string
  readonly keyId: string
  /** Both are replaced. */
  readonly limits: KeyLimits
  /** The member who sets them; absent: none, as in a test. */
  readonly actedBy?: Caller
}

/** The payload of `api_key.limits_set`. */
export interface KeyLimitsSet {
  readonly key_id: string
  readonly merchant_id: string
  readonly limits: KeyLimits
  /** Absent: they were set with the creation of the key. */
  readonly acted_by?: Caller
}

export const SET_KEY_LIMITS_REJECTIONS = ['not_found'] as const

/** Returns `ok` and the key as lists show it. Rejections: not_found. */
export function decideSetKeyLimits(
  { merchants }: State,
  { merchantId, keyId, limits, actedBy }: SetKeyLimits,
  _context: Context,
): Decision<(typeof SET_KEY_LIMITS_REJECTIONS)[number]> {
  const merchant = merchants.merchants.get(merchantId)
  const key = merchants.keysOf(merchantId).find(({ id }) => id === keyId)
  if (merchant === undefined || key === undefined) return { refusal: 'not_found' }
  const set: KeyLimitsSet = { key_id: keyId, merchant_id: merchantId, limits, ...actor(actedBy) }
  const events = [event('api_key.limits_set', 1, merchant.accounts[key.environment], set)]
  return { ...answered(JSON.stringify({ ...merchants.listed(key), limits })), environment: key.environment, events }
}

export interface SetPayoutPolicy {
  readonly type: 'SetPayoutPolicy'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  readonly approvalAbove: number | null
  /** The member who sets it; absent: none, as in a test. */
  readonly actedBy?: Caller
}

/** The payload of `merchant.payout_policy_set`. */
export interface PayoutPolicySet extends PayoutPolicy {
  readonly acted_by?: Caller
}

/** Returns `ok` and the policy. */
export function decideSetPayoutPolicy(
  state: State,
  { merchant, approvalAbove, actedBy }: SetPayoutPolicy,
  _context: Context,
): Decision<never> {
  const policy: PayoutPolicy = { approval_above: approvalAbove }
  const environment = state.accounts.environment(merchant)
  const isSame = state.merchants.approvalAbove(merchant) === approvalAbove
  const set: PayoutPolicySet = { ...policy, ...actor(actedBy) }
  const events = isSame ? [] : [event('merchant.payout_policy_set', 1, merchant, set)]
  return { ...answered(JSON.stringify(policy)), environment, events }
}

function answered(body: string): Omit<Accepted, 'environment' | 'events'> {
  return { transactions: [], frames: [], kind: 'ok', body }
}

function actor(actedBy: Caller | undefined): { readonly acted_by?: Caller } {
  return actedBy === undefined ? {} : { acted_by: actedBy }
}
