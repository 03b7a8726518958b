// Fees of the operator: plans with a rule for each kind of movement, what a movement costs, and the report of what was taken.
import { AMOUNT_MAX } from '../kernel/amount.ts'
import { CURRENCY_CODES } from '../kernel/currency.ts'
import { amount, balance, currency, environment, timestamp, uuid } from './common.ts'
import { moneyBody } from './money-body.ts'
import { choice, type Immutable, nameText, nullable, type Static, Type } from './schema.ts'

/** Maximum of plans of one environment and currency. */
export const FEE_PLANS_MAX = 50

/** Movements that a plan may have a rule for. */
export const FEE_KINDS = ['payout', 'charge', 'bill', 'transfer', 'withdrawal'] as const

export type FeeKind = (typeof FEE_KINDS)[number]

export const FEE_BEARERS = ['merchant', 'payer'] as const

export type FeeBearer = (typeof FEE_BEARERS)[number]

const BEARER_PROSE =
  'Who pays the fee beside the amount. Payouts and withdrawals are always borne by the merchant, and transfers by their payer.'

/** `fee` of a record. */
export function feeTaken(description = 'The fee that was taken beside the amount; 0 without one.') {
  return Type.Integer({ minimum: 0, description, examples: [0] })
}

/** `fee` of what a payer is shown. */
export function feeOfPayer() {
  return feeTaken('What the payer pays beside the amount, as the rules are now; 0 where the merchant bears the fee, and without one.')
}

function planName() {
  return nameText({ maxLength: 50, description: 'Name of the plan.', examples: ['standard'] })
}

function kind(description: string) {
  return choice(FEE_KINDS, { description })
}

const RULE_FIELDS = {
  on: kind('Movement that has the fee. Each at most once in a plan.'),
  percent_bp: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Hundredths of a percent of the amount, rounded half up to the smallest unit.',
    examples: [150],
  }),
  fixed: Type.Integer({ minimum: 0, maximum: AMOUNT_MAX, description: 'Added to it.', examples: [25] }),
}

const MIN = 'The least that is taken.'
const MAX = 'The most that is taken. Not below `min`.'

function bound(description: string) {
  return Type.Integer({ minimum: 0, maximum: AMOUNT_MAX, description, examples: [50] })
}

const FeeRuleBody = Type.Object(
  {
    ...RULE_FIELDS,
    min: Type.Optional(nullable(bound(MIN), { description: `${MIN} Null or absent: none.` })),
    max: Type.Optional(nullable(bound(MAX), { description: `${MAX} Null or absent: none.` })),
    borne_by: choice(FEE_BEARERS, { description: BEARER_PROSE }),
  },
  { $id: 'FeeRuleBody', additionalProperties: false },
)

const REFUND_FEES = 'Whether a refund gives the fee of its payment back.'

const FeePlanBody = Type.Object(
  {
    name: planName(),
    rules: Type.Array(FeeRuleBody, { maxItems: FEE_KINDS.length, description: 'A movement without a rule costs nothing.' }),
    refund_fees: Type.Optional(Type.Boolean({ default: false, description: REFUND_FEES })),
  },
  { $id: 'FeePlanBody', additionalProperties: false },
)

const DEFAULT_PLAN = 'Plan of merchants without one of their own, and of transfers. Null: they cost nothing.'

export const SetFeeRulesBody = moneyBody(
  {
    plans: Type.Optional(
      Type.Array(FeePlanBody, { maxItems: FEE_PLANS_MAX, description: 'Each name once. Absent: no plans, so nothing costs a fee.' }),
    ),
    default_plan: Type.Optional(nullable(planName(), { description: DEFAULT_PLAN })),
  },
  { $id: 'SetFeeRulesBody' },
)

export type SetFeeRulesBody = Static<typeof SetFeeRulesBody>

const FeeRule = Type.Object(
  {
    ...RULE_FIELDS,
    min: Type.Optional(bound(`${MIN} Absent: none.`)),
    max: Type.Optional(bound(`${MAX} Absent: none.`)),
    borne_by: choice(FEE_BEARERS, { description: BEARER_PROSE }),
  },
  { $id: 'FeeRule', description: 'What a kind of movement costs.' },
)

export type FeeRule = Immutable<Static<typeof FeeRule>>

const FeePlan = Type.Object(
  {
    name: planName(),
    rules: Type.Array(FeeRule, { description: 'A movement without a rule costs nothing.' }),
    refund_fees: Type.Boolean({ description: REFUND_FEES }),
  },
  { $id: 'FeePlan', description: 'The fees of the merchants that have the plan.' },
)

export type FeePlan = Immutable<Static<typeof FeePlan>>

export const FeeRules = Type.Object(
  {
    plans: Type.Array(FeePlan, { description: 'Plans of fees.' }),
    default_plan: nullable(planName(), { description: DEFAULT_PLAN }),
  },
  { $id: 'FeeRules', description: 'The fees of one environment and currency, as they apply to movements from now on.' },
)

export type FeeRules = Immutable<Static<typeof FeeRules>>

/** Of rules and reports, which are of one environment and currency. */
export const RULES_CURRENCY = choice(CURRENCY_CODES, {
  description: 'One of the currencies of the deployment; default its first.',
  examples: ['XOF'],
})

export const RulesOfCurrencyQuery = Type.Object({
  environment: Type.Optional(environment({ default: 'live' })),
  currency: Type.Optional(RULES_CURRENCY),
})

export type RulesOfCurrencyQuery = Static<typeof RulesOfCurrencyQuery>

export const SetFeePlanBody = moneyBody(
  {
    plan: nullable(planName(), {
      description: 'One of the plans of the environment and of the merchant’s currency; null: the default plan.',
    }),
    environment: Type.Optional(environment({ default: 'live' })),
  },
  { $id: 'SetFeePlanBody' },
)

export type SetFeePlanBody = Static<typeof SetFeePlanBody>

export const MerchantFeePlan = Type.Object(
  {
    merchant_id: uuid({ description: 'Id of the merchant.' }),
    environment: environment(),
    currency: currency(),
    plan: nullable(planName(), { description: 'The plan that applies; null without one.' }),
  },
  { $id: 'MerchantFeePlan', description: 'The plan of a merchant, as it applies to movements from now on.' },
)

export type MerchantFeePlan = Static<typeof MerchantFeePlan>

export const FeeQuery = Type.Object({ on: kind('Kind of the movement.'), amount: amount() })

export type FeeQuery = Static<typeof FeeQuery>

export const MyFeeQuery = Type.Object({
  on: choice(['transfer', 'bill'], { description: 'Kind of the movement.' }),
  amount: amount(),
  biller: Type.Optional(
    Type.String({ maxLength: 64, description: 'Slug of the biller: with `on=bill`, and only there.', examples: ['senelec'] }),
  ),
})

export type MyFeeQuery = Static<typeof MyFeeQuery>

export const Fee = Type.Object(
  {
    fee: Type.Integer({ minimum: 0, description: 'The fee beside the amount; 0 without a rule.', examples: [100] }),
    borne_by: choice(FEE_BEARERS, { description: 'Who pays it.' }),
  },
  { $id: 'Fee', description: 'What a movement of the amount costs, as the rules are now.' },
)

export type Fee = Static<typeof Fee>

export const FeeReportQuery = Type.Object({
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Inclusive. Default: the start of the day of `to` in UTC.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive. Default: now.' })),
  environment: Type.Optional(environment({ default: 'live' })),
  currency: Type.Optional(RULES_CURRENCY),
  by: Type.Optional(choice(['day'], { description: 'Also by day in UTC: rows carry `day`.' })),
})

export type FeeReportQuery = Static<typeof FeeReportQuery>

const FeeReportRow = Type.Object(
  {
    plan: planName(),
    on: kind('Kind of the movements.'),
    merchant_id: nullable(uuid({ description: 'The merchant whose plan it was.' }), { description: 'Null for transfers.' }),
    day: Type.Optional(Type.String({ format: 'date', description: 'Day in UTC, with `by=day` alone.', examples: ['2026-11-28'] })),
    count: Type.Integer({ minimum: 0, description: 'Fees that were taken.', examples: [14] }),
    amount: balance({ description: 'Their sum, minus the fees that refunds of the period gave back.', examples: [1400] }),
  },
  { $id: 'FeeReportRow', description: 'Fees of one plan, kind of movement and merchant.' },
)

export type FeeReportRow = Static<typeof FeeReportRow>

export const FeeReport = Type.Object(
  {
    from: timestamp({ description: 'Start of the period.' }),
    to: timestamp({ description: 'End of the period.' }),
    environment: environment(),
    currency: currency(),
    amount: balance({ description: 'Sum of the rows: the change of the fee account in the period.', examples: [1400] }),
    rows: Type.Array(FeeReportRow, { description: 'By plan, kind of movement and merchant.' }),
  },
  { $id: 'FeeReport', description: 'Fees that were taken in a period.' },
)

export type FeeReport = Static<typeof FeeReport>
