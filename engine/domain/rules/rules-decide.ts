// Commands that change the operator's rules. A change of live rules under dual control waits for another administrator.
import type { SetMerchantLimitsBody } from '../../contract/merchant-limits.ts'
import type { Immutable } from '../../contract/schema.ts'
import { type Context, type Decision, isRefused } from '../decision.ts'
import { requestApproval } from '../funding/approval-request.ts'
import type { State } from '../state.ts'
import { decideRuleChange } from './rule-change.ts'
import { RULE_CHANGE_REJECTIONS } from './rule-changed.ts'
import type { RuleChange } from './rules-state.ts'

export interface ChangeRules {
  readonly type: 'ChangeRules'
  readonly change: RuleChange
  /** Whether another administrator decides about live rules; absent: no. */
  readonly isDualControlled?: boolean
}

export const CHANGE_RULES_REJECTIONS = [...RULE_CHANGE_REJECTIONS, 'too_many_approvals'] as const

/**
 * Returns `ok` and the rules as they apply from now on, or `accepted` and the request where another administrator must approve.
 * Rejections: those of the change, too_many_approvals.
 */
export function decideChangeRules(
  state: State,
  { change, isDualControlled = false }: ChangeRules,
  context: Context,
): Decision<(typeof CHANGE_RULES_REJECTIONS)[number]> {
  const decision = decideRuleChange(state, change, context)
  // What changes no rule needs no second person.
  if (isRefused(decision) || !isDualControlled || change.environment !== 'live') return decision
  return decision.events.some(({ type }) => type === 'rules.changed') ? askSecondPerson(state, change, context) : decision
}

/** Limits of one merchant: those of money wait for another administrator as rules do. */
export interface SetMerchantLimits {
  readonly type: 'SetMerchantLimits'
  readonly merchantId: string
  readonly limits: Immutable<Omit<SetMerchantLimitsBody, 'currency'>>
  readonly isDualControlled?: boolean
}

/** Returns `ok` and the limits as they apply from now on, or `accepted` and the request. Rejections: those of ChangeRules. */
export function decideSetMerchantLimits(
  state: State,
  { merchantId, limits: sent, isDualControlled = false }: SetMerchantLimits,
  context: Context,
): Decision<(typeof CHANGE_RULES_REJECTIONS)[number]> {
  const { environment = 'live', ...limits } = sent
  const change: RuleChange = { kind: 'merchant_limits', environment, merchant_id: merchantId, limits }
  return decideChangeRules(state, { type: 'ChangeRules', change, isDualControlled }, context)
}

function askSecondPerson(state: State, change: RuleChange, context: Context): Decision<'too_many_approvals'> {
  const merchant_id = 'merchant_id' in change ? change.merchant_id : null
  const tag = 'tag' in change ? change.tag : null
  const { environment } = change
  const movement = { kind: 'rule_change', because: 'rules', request_id: null, amount: null, currency: null, reference: '' } as const
  return requestApproval(state, { ...movement, merchant_id, tag, environment, change }, context)
}
