// Rules of the operator about money: limits of wallets and merchants. Decisions are in engine/domain/rules.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { Approval } from '../../../engine/contract/approval.ts'
import { tagInput } from '../../../engine/contract/common.ts'
import { RulesOfCurrencyQuery } from '../../../engine/contract/fees.ts'
import { LimitRules, SetLimitRulesBody, SetTierBody, WalletTierSet } from '../../../engine/contract/limits.ts'
import { because } from '../../../engine/contract/reasons.ts'
import type { KeptCurrencies } from '../../../engine/kernel/currency.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { type Call, type Route, route } from '../../server/route.ts'
import { type DualControl, isDualControlled } from './dual-control.ts'
import { rulesCurrency } from './rules-currency.ts'
import { LIMIT_RULES, LIMIT_RULES_REQUEST, RULE_CHANGE, TIER_CHANGE, WALLET_TIER } from './rules-examples.ts'

export interface RulesParts extends DualControl {
  readonly engine: Pick<EngineApi, 'query'>
  readonly currencies: KeptCurrencies
}

const LIMITS = '/v1/operator/rules/limits'

export function rulesRoutes(parts: RulesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: LIMITS,
      operationId: 'getLimitRules',
      tag: 'Operator',
      summary: 'Get the limits of wallets and merchants',
      description: 'Nothing is limited before an operator sets it, or the setting `LIMITS_PRESET` of an empty log.',
      auth: 'operator',
      idempotency: 'none',
      query: RulesOfCurrencyQuery,
      responses: [{ status: 200, description: 'As they apply now.', schema: LimitRules, example: LIMIT_RULES }],
      errors: [],
      handle: (call) => {
        const currency = rulesCurrency(parts, call)
        if (currency === null) return call.refuse('invalid_parameter', 'currency', because('currency_not_kept'))
        const { environment = 'live' } = call.query
        call.answer(200, JSON.stringify(parts.engine.query('rules.limits', { environment, currency })))
      },
    }),
    setLimitsRoute(parts),
    tierRoute(parts),
  ]
}

function setLimitsRoute(parts: RulesParts): Route {
  return route({
    method: 'PUT',
    path: LIMITS,
    operationId: 'setLimitRules',
    tag: 'Operator',
    summary: 'Set the limits of wallets and merchants',
    description: `Replaces all of them in the environment and currency, for movements from the answer on; sums of the day and of the month count from their beginning, UTC. A payee above
its limit: the payout or line fails with \`recipient_limit_exceeded\`, a transfer or payment is 403 with that code. A wallet that pays more than its tier
allows: 403 \`limit_exceeded\` with \`param\` = the limit, and a message that says what is left. A payout above the limits of its merchant fails with
\`merchant_limit_exceeded\`, a charge above \`charge_max\` is 403 \`limit_exceeded\`. Amounts count without fees; deposits count as received; refunds pass
over limits and give back what their payment took. ${DUAL_CONTROL_RULE}`,
    auth: 'operator',
    operatorRoles: ['admin'],
    idempotency: 'none',
    query: RulesOfCurrencyQuery,
    body: SetLimitRulesBody,
    bodyExample: LIMIT_RULES_REQUEST,
    responses: [
      { status: 200, description: 'As they apply from now on.', schema: LimitRules, example: LIMIT_RULES },
      { status: 202, description: 'Waits for another administrator.', schema: Approval, example: RULE_CHANGE },
    ],
    commands: ['ChangeRules'],
    unreachable: ['not_found', 'wallet_not_found'],
    errors: [],
    currencyOf: (call) => rulesCurrency(parts, call),
    handle: (call) => {
      const currency = rulesCurrency(parts, call)
      if (currency === null) return call.refuse('invalid_parameter', 'currency', because('currency_not_kept'))
      const { environment = 'live' } = call.query
      const change = { kind: 'limit_rules', environment, currency, rules: wholeRules(call.body) } as const
      call.submit({ type: 'ChangeRules', change, isDualControlled: isDualControlled(parts) }, AUDIT_ACCOUNT)
    },
  })
}

function tierRoute(parts: RulesParts): Route {
  return route({
    method: 'POST',
    path: '/v1/operator/wallets/{tag}/tier',
    operationId: 'setWalletTier',
    tag: 'Operator',
    summary: 'Give a wallet a tier of limits',
    description: `Its limits apply to movements from the answer on. Null gives the default tier back. ${DUAL_CONTROL_RULE}`,
    auth: 'operator',
    operatorRoles: ['admin'],
    idempotency: 'accepted',
    params: { tag: tagInput() },
    body: SetTierBody,
    bodyExample: { tier: 'verified', environment: 'live', reason: 'Pièce d’identité vérifiée.' },
    responses: [
      { status: 200, description: 'The tier that applies.', schema: WalletTierSet, example: WALLET_TIER },
      { status: 202, description: 'Waits for another administrator.', schema: Approval, example: TIER_CHANGE },
    ],
    commands: ['ChangeRules'],
    unreachable: ['not_found'],
    errors: [],
    currencyOf: (call) => {
      const { environment = 'live' } = call.body
      const wallet = parts.engine.query('wallets.byTag', { environment, tag: tagOf(call) })
      return wallet === null ? null : parts.engine.query('accounts.currency', { account: wallet.account })
    },
    handle: (call) => {
      const { tier, environment = 'live', reason } = call.body
      const change = { kind: 'wallet_tier', environment, tag: tagOf(call), tier, reason } as const
      call.submit({ type: 'ChangeRules', change, isDualControlled: isDualControlled(parts) }, AUDIT_ACCOUNT)
    },
  })
}

function tagOf({ params }: Pick<Call, 'params'>): string {
  return normalizeTag(String(params[0])) as string
}

/** Absent limits are none. */
export function wholeRules({ wallet_tiers = [], default_tier = null, merchant = {} }: SetLimitRulesBody): LimitRules {
  return {
    wallet_tiers: wallet_tiers.map(
      ({ name, balance_max = null, received_month_max = null, sent_day_max = null, sent_month_max = null }) => ({
        ...{ name, balance_max, received_month_max, sent_day_max, sent_month_max },
      }),
    ),
    default_tier,
    merchant: {
      payout_max: merchant.payout_max ?? null,
      payout_day_max: merchant.payout_day_max ?? null,
      charge_max: merchant.charge_max ?? null,
      balance_max: merchant.balance_max ?? null,
    },
  }
}

export const DUAL_CONTROL_RULE =
  'With OPERATOR_DUAL_CONTROL or OPERATOR_DAY_CONTROL set, a change in live waits for another administrator: 202, and `POST /v1/operator/approvals/{id}/approve`.'
