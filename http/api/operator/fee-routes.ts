// Fees of the operator: plans, the plan of a merchant, and the report of what was taken. Decisions are in engine/domain/rules.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { Approval } from '../../../engine/contract/approval.ts'
import { uuid } from '../../../engine/contract/common.ts'
import {
  FeeReport,
  FeeReportQuery,
  FeeRules,
  MerchantFeePlan,
  RulesOfCurrencyQuery,
  SetFeePlanBody,
  SetFeeRulesBody,
} from '../../../engine/contract/fees.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { parseTime } from '../../../engine/contract/time-text.ts'
import type { KeptCurrencies } from '../../../engine/kernel/currency.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, route } from '../../server/route.ts'
import { type DualControl, isDualControlled } from './dual-control.ts'
import { FEE_PLAN, FEE_PLAN_CHANGE, FEE_PLAN_REQUEST, FEE_REPORT, FEE_RULES, FEE_RULES_CHANGE } from './fee-examples.ts'
import { countedFees } from './fee-report.ts'
import { rulesCurrency } from './rules-currency.ts'
import { DUAL_CONTROL_RULE } from './rules-routes.ts'

export interface FeeParts extends DualControl {
  readonly engine: Pick<EngineApi, 'query'>
  readonly currencies: KeptCurrencies
}

const FEES = '/v1/operator/rules/fees'
const DAY_MS = 86_400_000

export function feeRoutes(parts: FeeParts): readonly Route[] {
  return [getFeesRoute(parts), setFeesRoute(parts), planRoute(parts), reportRoute(parts)]
}

function getFeesRoute(parts: FeeParts): Route {
  return route({
    method: 'GET',
    path: FEES,
    operationId: 'getFeeRules',
    tag: 'Operator',
    summary: 'Get the plans of fees',
    description: 'Nothing costs a fee before an operator sets it.',
    auth: 'operator',
    idempotency: 'none',
    query: RulesOfCurrencyQuery,
    responses: [{ status: 200, description: 'As they apply now.', schema: FeeRules, example: FEE_RULES }],
    errors: [],
    handle: (call) => {
      const currency = rulesCurrency(parts, call)
      if (currency === null) return call.refuse('invalid_parameter', 'currency', because('currency_not_kept'))
      const { environment = 'live' } = call.query
      call.answer(200, JSON.stringify(parts.engine.query('fees.rules', { environment, currency })))
    },
  })
}

const FEES_PROSE = `Replaces all plans of the environment and currency, for movements from the answer on. A fee is the amount × \`percent_bp\` ÷ 10 000,
rounded half up, plus \`fixed\`, then not below \`min\` and not above \`max\`. It is decided with its movement, in the same record, as a transaction of its own:
type \`fee\`, with \`fee_of\`. Too little for amount and fee together fails as for the amount. A fee that the merchant bears on a charge or bill is taken from
what the merchant holds with the payment. Refunds follow the plan of the payment: with \`refund_fees\` the fee goes back as \`fee_refund\`. The fee of a
withdrawal is held with its request. A merchant whose plan is no more has the default plan.`

function setFeesRoute(parts: FeeParts): Route {
  return route({
    method: 'PUT',
    path: FEES,
    operationId: 'setFeeRules',
    tag: 'Operator',
    summary: 'Set the plans of fees',
    description: `${FEES_PROSE} ${DUAL_CONTROL_RULE}`,
    auth: 'operator',
    operatorRoles: ['admin'],
    idempotency: 'none',
    query: RulesOfCurrencyQuery,
    body: SetFeeRulesBody,
    bodyExample: FEE_RULES,
    responses: [
      { status: 200, description: 'As they apply from now on.', schema: FeeRules, example: FEE_RULES },
      { status: 202, description: 'Waits for another administrator.', schema: Approval, example: FEE_RULES_CHANGE },
    ],
    commands: ['ChangeRules'],
    unreachable: ['not_found', 'wallet_not_found'],
    errors: [],
    currencyOf: (call) => rulesCurrency(parts, call),
    handle: (call) => {
      const currency = rulesCurrency(parts, call)
      if (currency === null) return call.refuse('invalid_parameter', 'currency', because('currency_not_kept'))
      const { environment = 'live' } = call.query
      const change = { kind: 'fee_rules', environment, currency, rules: wholeFees(call.body) } as const
      call.submit({ type: 'ChangeRules', change, isDualControlled: isDualControlled(parts) }, AUDIT_ACCOUNT)
    },
  })
}

function planRoute(parts: FeeParts): Route {
  return route({
    method: 'POST',
    path: '/v1/operator/merchants/{id}/fee-plan',
    operationId: 'setFeePlan',
    tag: 'Operator',
    summary: 'Give a merchant a plan of fees',
    description: `It applies to movements from the answer on. Null gives the default plan back. ${DUAL_CONTROL_RULE}`,
    auth: 'operator',
    operatorRoles: ['admin'],
    idempotency: 'accepted',
    params: { id: uuid({ description: 'Id of the merchant.' }) },
    body: SetFeePlanBody,
    bodyExample: FEE_PLAN_REQUEST,
    responses: [
      { status: 200, description: 'The plan that applies.', schema: MerchantFeePlan, example: FEE_PLAN },
      { status: 202, description: 'Waits for another administrator.', schema: Approval, example: FEE_PLAN_CHANGE },
    ],
    commands: ['ChangeRules'],
    unreachable: ['wallet_not_found'],
    errors: [],
    currencyOf: (call) => parts.engine.query('merchants.byId', { id: idOf(call) })?.currency ?? null,
    handle: (call) => {
      const { plan, environment = 'live' } = call.body
      const change = { kind: 'fee_plan', environment, merchant_id: idOf(call), plan } as const
      call.submit({ type: 'ChangeRules', change, isDualControlled: isDualControlled(parts) }, AUDIT_ACCOUNT)
    },
  })
}

function reportRoute(parts: FeeParts): Route {
  return route({
    method: 'GET',
    path: '/v1/operator/reports/fees',
    operationId: 'getFeeReport',
    tag: 'Operator',
    summary: 'Report the fees of a period',
    description: `Sums by plan, kind of movement and merchant, with \`by=day\` also by day, from \`from\` (inclusive) to \`to\` (exclusive). Over all time their sum is the balance of the fee
account. Fees that a refund gave back count against the sum of their row. A period with more than 1 000 000 fees is 400 \`invalid_parameter\`: choose a
shorter one.`,
    auth: 'operator',
    idempotency: 'none',
    takesLong: true,
    query: FeeReportQuery,
    responses: [{ status: 200, description: 'The sums of the period.', schema: FeeReport, example: FEE_REPORT }],
    errors: [],
    handle: (call) => answerReport(parts, call),
  })
}

function answerReport(parts: FeeParts, call: Call<unknown, FeeReportQuery>): void {
  const { environment = 'live', from, to, by } = call.query
  const currency = rulesCurrency(parts, call)
  if (currency === null) return call.refuse('invalid_parameter', 'currency', because('currency_not_kept'))
  const toMs = (to === undefined ? null : parseTime(to)) ?? parts.engine.query('engine.time', null)
  const fromMs = (from === undefined ? null : parseTime(from)) ?? Math.floor(toMs / DAY_MS) * DAY_MS
  if (fromMs > toMs) return call.refuse('invalid_parameter', 'to', because('period_reversed'))
  later(call, async () => {
    const report = await countedFees(parts.engine, { environment, currency, fromMs, toMs, isByDay: by === 'day' })
    if (report === null) return call.refuse('invalid_parameter', 'from', because('period_too_long'))
    call.answer(200, JSON.stringify(report))
  })
}

function idOf({ params }: Pick<Call, 'params'>): string {
  return String(params[0]).toLowerCase()
}

/** Bounds that are absent or null are none. */
export function wholeFees({ plans = [], default_plan = null }: SetFeeRulesBody): FeeRules {
  return {
    plans: plans.map(({ name, rules, refund_fees = false }) => ({
      name,
      rules: rules.map(({ on, percent_bp, fixed, min, max, borne_by }) => ({
        ...{ on, percent_bp, fixed },
        ...(typeof min === 'number' ? { min } : {}),
        ...(typeof max === 'number' ? { max } : {}),
        borne_by,
      })),
      refund_fees,
    })),
    default_plan,
  }
}
