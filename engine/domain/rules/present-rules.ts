// What an operator's change of rules replaces: the present rules in the form of the change, for the second person and the audit trail.
import { wholeLimits } from '../../contract/merchant-limits.ts'
import { assert } from '../../kernel/assert.ts'
import type { State } from '../state.ts'
import type { FeePlanChange, MerchantLimitsChange, PresentRules, RuleChange } from './rules-state.ts'

/** Returns what the change would replace. The merchant or wallet of the change exists. */
export function presentRules(state: State, change: RuleChange): PresentRules {
  const { kind, environment } = change
  switch (kind) {
    case 'limit_rules':
      return { kind, currency: change.currency, rules: state.rules.limitsOf(environment, change.currency) }
    case 'fee_rules':
      return { kind, currency: change.currency, rules: state.rules.feesOf(environment, change.currency) }
    case 'wallet_tier': {
      const account = state.wallets.byTag(environment, change.tag)?.account
      assert(account !== undefined, 'a tier is changed for a wallet that exists')
      const tier = state.rules.walletTiers.get(String(account))?.tier ?? null
      return { kind, currency: state.accounts.currency(account), tier }
    }
    case 'fee_plan': {
      const { account } = merchantOf(state, change)
      const plan = state.rules.feePlans.get(String(account))?.plan ?? null
      return { kind, currency: state.accounts.currency(account), plan }
    }
    case 'merchant_limits': {
      const { account, limits: lookups } = merchantOf(state, change)
      const present: Readonly<Record<string, number | null | undefined>> = { ...wholeLimits(lookups), ...state.rules.ownRuleOf(account) }
      const names = Object.keys(change.limits)
      const limits = Object.fromEntries(names.map((name) => [name, present[name] ?? null]))
      return { kind, currency: state.accounts.currency(account), limits }
    }
  }
}

function merchantOf({ merchants }: State, { merchant_id, environment }: FeePlanChange | MerchantLimitsChange) {
  const merchant = merchants.merchants.get(merchant_id)
  assert(merchant !== undefined, 'rules are changed for a merchant that exists')
  return { account: merchant.accounts[environment], limits: merchant.limits }
}
