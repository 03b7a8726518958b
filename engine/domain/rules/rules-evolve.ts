// How the operator's rules change.
import type { EventTable } from '../noun-module.ts'
import type { State } from '../state.ts'
import type { RulesChanged } from './rule-changed.ts'

export const RULES_EVENTS = {
  'rules.changed@1': change,
  'fee.taken@1': null,
  'fee.returned@1': null,
} satisfies EventTable

function change({ rules }: State, changed: RulesChanged): void {
  switch (changed.kind) {
    case 'limit_rules':
      return rules.limitRules.set(changed.environment, { environment: changed.environment, rules: changed.rules })
    case 'wallet_tier':
      return setTier(rules, changed)
    case 'merchant_limits':
      return rules.merchantRules.set(String(changed.account), { account: changed.account, limits: changed.limits })
    case 'fee_rules': {
      const { environment, currency, rules: fees } = changed
      return rules.feeRules.set(`${environment}:${currency}`, { environment, currency, rules: fees })
    }
    case 'fee_plan':
      return setFeePlan(rules, changed)
  }
}

function setTier({ walletTiers }: State['rules'], { account, tier }: Extract<RulesChanged, { kind: 'wallet_tier' }>): void {
  const key = String(account)
  if (tier !== null) walletTiers.set(key, { account, tier })
  else if (walletTiers.get(key) !== undefined) walletTiers.delete(key)
}

function setFeePlan({ feePlans }: State['rules'], { account, plan }: Extract<RulesChanged, { kind: 'fee_plan' }>): void {
  const key = String(account)
  if (plan !== null) feePlans.set(key, { account, plan })
  else if (feePlans.get(key) !== undefined) feePlans.delete(key)
}
