// A change of the operator's rules: checked, and recorded as one event with its entry of the audit trail. Under dual control it waits
// first; the approving turn checks it again.
import type { MerchantRule } from '../../contract/limits.ts'
import { type MerchantLimits, type OwnLimits, wholeLimits } from '../../contract/merchant-limits.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Environment } from '../../kernel/environment.ts'
import { type Context, type Decision, event } from '../decision.ts'
import type { MerchantLimitsSet, MerchantRow } from '../merchant/merchant-state.ts'
import { aboutMerchant, rulesSubject, walletSubject } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { setFeePlan, setFeeRules } from './fee-rule-change.ts'
import { presentRules } from './present-rules.ts'
import { changed, invalid, type RuleChangeRejection, rulesChanged } from './rule-changed.ts'
import type { LimitRulesChange, MerchantLimitsChange, RuleChange, WalletTierChange } from './rules-state.ts'

/**
 * Returns `ok` and the rules as they apply from now on. Rejections: not_found (merchant), wallet_not_found, invalid_request (a tier
 * or plan that is none, a name or kind of movement twice, a maximum below its minimum).
 */
export function decideRuleChange(state: State, change: RuleChange, context: Context): Decision<RuleChangeRejection> {
  switch (change.kind) {
    case 'limit_rules':
      return setLimitRules(state, change, context)
    case 'wallet_tier':
      return setWalletTier(state, change, context)
    case 'merchant_limits':
      return setMerchantLimits(state, change, context)
    case 'fee_rules':
      return setFeeRules(state, change, context)
    case 'fee_plan':
      return setFeePlan(state, change, context)
  }
}

function setLimitRules(state: State, change: LimitRulesChange, context: Context): Decision<RuleChangeRejection> {
  const { environment, currency, rules } = change
  const names = rules.wallet_tiers.map(({ name }) => name)
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (twice >= 0) return invalid(`wallet_tiers.${twice}.name`, 'name_twice')
  if (rules.default_tier !== null && !names.includes(rules.default_tier)) return invalid('default_tier', 'tier_unknown')
  const audit = operatorActed(context, {
    ...{ action: 'rules.limits', target: environment, subject: rulesSubject(environment, 'limits'), environment },
    details: { currency, ...rules, before: presentRules(state, change) },
  })
  return changed(environment, [rulesChanged(state, environment, change), audit], rules)
}

function setWalletTier(state: State, change: WalletTierChange, context: Context): Decision<RuleChangeRejection> {
  const { environment, tag, tier, reason } = change
  const wallet = state.wallets.byTag(environment, tag)
  if (wallet === undefined) return { refusal: 'wallet_not_found', param: 'tag' }
  const { id, account } = wallet
  const currency = state.accounts.currency(account)
  if (tier !== null && !state.rules.hasTier(environment, currency, tier)) return invalid('tier', 'tier_unknown')
  const audit = operatorActed(context, {
    ...{ action: 'wallet.tier', target: `@${tag}`, subject: walletSubject(wallet), environment },
    details: { tier, reason, before: presentRules(state, change) },
  })
  const answer = { id, tag, environment, tier: tier ?? state.rules.limitsOf(environment, currency).default_tier }
  return changed(environment, [rulesChanged(state, environment, { kind: 'wallet_tier', account, tier }), audit], answer)
}

function setMerchantLimits(state: State, change: MerchantLimitsChange, context: Context): Decision<RuleChangeRejection> {
  const { environment, merchant_id, limits: wanted } = change
  const merchant = state.merchants.merchants.get(merchant_id)
  if (merchant === undefined) return { refusal: 'not_found' }
  const { unknown_recipients, unknown_recipients_per_minute, ...money } = wanted
  const account = merchant.accounts[environment]
  const { limits: before = {} } = merchant
  const lookups: OwnLimits = changedBy(before, { unknown_recipients, unknown_recipients_per_minute })
  const own = state.rules.ownRuleOf(account)
  const limits: Immutable<Partial<MerchantRule>> = changedBy(own, money)
  const events: StoredEvent[] = []
  if (JSON.stringify(lookups) !== JSON.stringify(before)) {
    const set: MerchantLimitsSet = { merchant_id, limits: lookups }
    events.push(event('merchant.limits_set', 1, merchant.accounts.live, set))
  }
  const isMoney = JSON.stringify(limits) !== JSON.stringify(own)
  if (isMoney) events.push(rulesChanged(state, environment, { kind: 'merchant_limits', account, limits }))
  const answer = merchantLimits(state, { ...merchant, limits: lookups }, environment, limits)
  const details = { ...wholeLimits(lookups), ...(isMoney ? { environment, ...limits } : {}), before: presentRules(state, change) }
  const act = { ...aboutMerchant(merchant), action: 'merchant.limits', environment: isMoney ? environment : null, details }
  if (events.length > 0) events.push(operatorActed(context, act))
  return changed(environment, events, answer)
}

/** Returns the limits of a merchant as they apply; `own`: those in place of the rules'. */
export function merchantLimits(
  { accounts, rules }: Pick<State, 'accounts' | 'rules'>,
  merchant: Pick<MerchantRow, 'id' | 'accounts' | 'limits'>,
  environment: Environment,
  own: Immutable<Partial<MerchantRule>> = rules.ownRuleOf(merchant.accounts[environment]),
): MerchantLimits {
  const { payout_max, payout_day_max, charge_max, balance_max } = {
    ...rules.limitsOf(environment, accounts.currency(merchant.accounts[environment])).merchant,
    ...own,
  }
  return { merchant_id: merchant.id, ...wholeLimits(merchant.limits), environment, payout_max, payout_day_max, charge_max, balance_max }
}

/** Returns the limits with those that were sent; null takes one away. */
function changedBy<Limits extends object>(
  before: Limits,
  wanted: { readonly [Name in keyof Limits]?: Limits[Name] | null | undefined },
): Limits {
  const sent = Object.entries(wanted).filter(([, value]) => value !== undefined)
  return Object.fromEntries(Object.entries({ ...before, ...Object.fromEntries(sent) }).filter(([, value]) => value !== null)) as Limits
}
