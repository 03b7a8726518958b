// Examples of the rules about money in the OpenAPI document.
import type { Approval } from '../../../engine/contract/approval.ts'
import type { LimitRules, MyLimits, SetLimitRulesBody, WalletTierSet } from '../../../engine/contract/limits.ts'
import { APPROVAL, MERCHANT } from './operator-examples.ts'

export const LIMIT_RULES: LimitRules = {
  wallet_tiers: [
    { name: 'basic', balance_max: 200_000, received_month_max: 200_000, sent_day_max: null, sent_month_max: null },
    { name: 'verified', balance_max: 2_000_000, received_month_max: 10_000_000, sent_day_max: 1_000_000, sent_month_max: null },
  ],
  default_tier: 'basic',
  merchant: { payout_max: 2_000_000, payout_day_max: 50_000_000, charge_max: 2_000_000, balance_max: null },
}

export const LIMIT_RULES_REQUEST: SetLimitRulesBody = {
  wallet_tiers: [
    { name: 'basic', balance_max: 200_000, received_month_max: 200_000 },
    { name: 'verified', balance_max: 2_000_000, received_month_max: 10_000_000, sent_day_max: 1_000_000 },
  ],
  default_tier: 'basic',
  merchant: { payout_max: 2_000_000, payout_day_max: 50_000_000, charge_max: 2_000_000 },
}

const CHANGE: Approval = {
  ...APPROVAL,
  kind: 'rule_change',
  because: 'rules',
  request_id: null,
  merchant_id: null,
  tag: null,
  amount: null,
  currency: null,
  reference: '',
}

export const RULE_CHANGE: Approval = {
  ...CHANGE,
  change: { kind: 'limit_rules', environment: 'live', currency: 'XOF', rules: LIMIT_RULES },
  before: { kind: 'limit_rules', currency: 'XOF', rules: { ...LIMIT_RULES, default_tier: null } },
}

export const TIER_CHANGE: Approval = {
  ...CHANGE,
  tag: 'awa_diallo',
  change: { kind: 'wallet_tier', environment: 'live', tag: 'awa_diallo', tier: 'verified', reason: 'Pièce d’identité vérifiée.' },
  before: { kind: 'wallet_tier', currency: 'XOF', tier: null },
}

export const WALLET_TIER: WalletTierSet = {
  id: '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f',
  tag: 'awa_diallo',
  environment: 'live',
  tier: 'verified',
}

export const MY_LIMITS: MyLimits = {
  tier: 'basic',
  limits: { balance_max: 200_000, received_month_max: 200_000, sent_day_max: null, sent_month_max: null },
  used: { balance_max: 75_000, received_month_max: 120_000, sent_day_max: 5000, sent_month_max: 45_000 },
  left: { balance_max: 125_000, received_month_max: 80_000, sent_day_max: null, sent_month_max: null },
}

export const MERCHANT_LIMITS_CHANGE: Approval = {
  ...CHANGE,
  merchant_id: MERCHANT.id,
  change: { kind: 'merchant_limits', environment: 'live', merchant_id: MERCHANT.id, limits: { payout_max: 5_000_000 } },
  before: { kind: 'merchant_limits', currency: 'XOF', limits: { payout_max: null } },
}
