// How the operator's rules change.
import type { EventTable } from '../noun-module.ts'
import type { LogRecord, StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { type LimitNear, windowOf } from './near-limits.ts'
import type { RulesChanged } from './rule-changed.ts'
import { type FeeRulesChange, keyOf, type LimitRulesChange } from './rules-state.ts'

export const RULES_EVENTS = {
  'rules.changed@1': change,
  'fee.taken@1': null,
  'fee.returned@1': null,
  'limit.near@1': noteNear,
} satisfies EventTable

function change({ rules }: State, changed: RulesChanged): void {
  switch (changed.kind) {
    case 'limit_rules':
      return setLimits(rules, changed)
    case 'wallet_tier':
      return setTier(rules, changed)
    case 'merchant_limits':
      return rules.merchantRules.set(String(changed.account), { account: changed.account, limits: changed.limits })
    case 'fee_rules':
      return setFees(rules, changed)
    case 'fee_plan':
      return setFeePlan(rules, changed)
  }
}

function setLimits({ limitRules }: State['rules'], { environment, currency, rules }: LimitRulesChange): void {
  limitRules.set(keyOf(environment, currency), { environment, currency, rules })
}

function setFees({ feeRules }: State['rules'], { environment, currency, rules }: FeeRulesChange): void {
  feeRules.set(keyOf(environment, currency), { environment, currency, rules })
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

function noteNear({ rules }: State, { limit }: LimitNear, { account }: StoredEvent, { timeMs }: LogRecord): void {
  const key = String(account)
  const windows = { ...rules.limitNotices.get(key)?.windows, [limit]: windowOf(limit, timeMs) }
  rules.limitNotices.set(key, { account, windows })
}
