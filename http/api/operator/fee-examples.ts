// Examples of fees in the OpenAPI document. A test validates each against its schema.
import type { Approval } from '../../../engine/contract/approval.ts'
import type { Fee, FeeReport, FeeRules, MerchantFeePlan, SetFeePlanBody } from '../../../engine/contract/fees.ts'
import { MERCHANT } from './operator-examples.ts'
import { RULE_CHANGE } from './rules-examples.ts'

export const FEE_RULES: FeeRules = {
  plans: [
    {
      name: 'standard',
      rules: [
        { on: 'payout', percent_bp: 100, fixed: 0, min: 50, max: 5000, borne_by: 'merchant' },
        { on: 'charge', percent_bp: 150, fixed: 0, borne_by: 'merchant' },
        { on: 'bill', percent_bp: 0, fixed: 100, borne_by: 'payer' },
        { on: 'transfer', percent_bp: 100, fixed: 0, max: 1000, borne_by: 'payer' },
      ],
      refund_fees: true,
    },
    { name: 'ong', rules: [], refund_fees: false },
  ],
  default_plan: 'standard',
}

export const FEE_RULES_CHANGE: Approval = {
  ...RULE_CHANGE,
  subject: { kind: 'rules', id: 'live', name: 'fees' },
  change: { kind: 'fee_rules', environment: 'live', currency: 'XOF', rules: FEE_RULES },
  before: { kind: 'fee_rules', currency: 'XOF', rules: { plans: [], default_plan: null } },
}

export const FEE_PLAN_REQUEST: SetFeePlanBody = { plan: 'ong', environment: 'live' }

export const FEE_PLAN: MerchantFeePlan = { merchant_id: MERCHANT.id, environment: 'live', currency: 'XOF', plan: 'ong' }

export const FEE_PLAN_CHANGE: Approval = {
  ...RULE_CHANGE,
  merchant_id: MERCHANT.id,
  change: { kind: 'fee_plan', environment: 'live', merchant_id: MERCHANT.id, plan: 'ong' },
  before: { kind: 'fee_plan', currency: 'XOF', plan: null },
}

export const FEE: Fee = { fee: 100, borne_by: 'merchant' }

export const TRANSFER_FEE: Fee = { fee: 25, borne_by: 'payer' }

export const FEE_REPORT: FeeReport = {
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-12-01T00:00:00.000Z',
  environment: 'live',
  currency: 'XOF',
  amount: 152_300,
  rows: [
    { plan: 'standard', on: 'payout', merchant_id: MERCHANT.id, count: 1204, amount: 130_150 },
    { plan: 'standard', on: 'transfer', merchant_id: null, count: 611, amount: 22_150 },
  ],
}
