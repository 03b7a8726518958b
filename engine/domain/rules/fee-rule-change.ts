// Changes of fees: plans of an environment and currency, and the plan of a merchant.
import type { FeePlan } from '../../contract/fees.ts'
import type { Context, Decision } from '../decision.ts'
import { aboutMerchant, rulesSubject } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { State } from '../state.ts'
import { presentRules } from './present-rules.ts'
import { changed, invalid, type RuleChangeRejection, rulesChanged } from './rule-changed.ts'
import type { FeePlanChange, FeeRulesChange } from './rules-state.ts'

export function setFeeRules(state: State, change: FeeRulesChange, context: Context): Decision<RuleChangeRejection> {
  const { environment, currency, rules } = change
  const names = rules.plans.map(({ name }) => name)
  const twice = secondOf(names)
  if (twice >= 0) return invalid(`plans.${twice}.name`, 'name_twice')
  for (const [index, plan] of rules.plans.entries()) {
    const refused = planRefusal(plan, `plans.${index}.rules`)
    if (refused !== null) return refused
  }
  if (rules.default_plan !== null && !names.includes(rules.default_plan)) return invalid('default_plan', 'plan_unknown')
  const audit = operatorActed(context, {
    ...{ action: 'rules.fees', target: environment, subject: rulesSubject(environment, 'fees'), environment },
    details: { currency, ...rules, before: presentRules(state, change) },
  })
  return changed(environment, [rulesChanged(state, environment, change), audit], rules)
}

function planRefusal({ rules }: FeePlan, path: string): Decision<'invalid_request'> | null {
  const twice = secondOf(rules.map(({ on }) => on))
  if (twice >= 0) return invalid(`${path}.${twice}.on`, 'name_twice')
  const reversed = rules.findIndex(({ min, max }) => min !== undefined && max !== undefined && max < min)
  return reversed < 0 ? null : invalid(`${path}.${reversed}.max`, 'max_below_min')
}

/** Index of the first name that stands before; -1 without one. */
function secondOf(names: readonly string[]): number {
  return names.findIndex((name, index) => names.indexOf(name) !== index)
}

export function setFeePlan(state: State, change: FeePlanChange, context: Context): Decision<RuleChangeRejection> {
  const { environment, merchant_id, plan } = change
  const merchant = state.merchants.merchants.get(merchant_id)
  if (merchant === undefined) return { refusal: 'not_found' }
  const account = merchant.accounts[environment]
  const currency = state.accounts.currency(account)
  if (plan !== null && !state.rules.hasFeePlan(environment, currency, plan)) return invalid('plan', 'plan_unknown')
  const details = { plan, before: presentRules(state, change) }
  const audit = operatorActed(context, { ...aboutMerchant(merchant), action: 'merchant.fee_plan', environment, details })
  const answer = { merchant_id, environment, currency, plan: plan ?? state.rules.feesOf(environment, currency).default_plan }
  return changed(environment, [rulesChanged(state, environment, { kind: 'fee_plan', account, plan }), audit], answer)
}
