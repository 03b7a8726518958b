// The operator's rules on the desk: limits by tier, limits of merchants, plans of fees, of one environment and currency.
import type { FeePlan } from '../../../engine/contract/fees.ts'
import { FEE_KINDS } from '../../../engine/contract/fees.ts'
import {
  MERCHANT_LIMIT_NAMES,
  type MerchantLimitName,
  type MerchantRule,
  WALLET_LIMITS,
  type WalletTier,
} from '../../../engine/contract/limits.ts'
import { type Immutable, type Static, Type } from '../../../engine/contract/schema.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { csrfField, DESK_FORM, DESK_PAGE, type Desk, type DeskCall, mayAct } from './desk.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import {
  amountField,
  feeRulesOf,
  limitRulesOf,
  queryOf,
  type Scope,
  sayChanged,
  scopeOf,
  scopeTabs,
  shownAmount,
  typedLimit,
} from './rules-view.ts'
import { FEE_KIND_NAMES, feeRuleText, LIMIT_LABELS, limitText, RULES_WORDS } from './rules-words.ts'

export const ADMIN = ['admin'] as const
const FIELD = Type.Optional(Type.String())
const MerchantLimitsForm = Type.Object({
  ...{ csrf: FIELD, environment: FIELD, currency: FIELD },
  ...{ payout_max: FIELD, payout_day_max: FIELD, charge_max: FIELD, balance_max: FIELD },
})

export function rulesPages(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/rules',
      operationId: 'showOperatorRules',
      summary: 'Limits and fees of an environment and currency',
      handle: (call) =>
        desk.signedIn(call, '../', (session) =>
          desk.answer(call, session, {
            title: OPERATOR_WORDS.rules,
            place: 'rules',
            root: '../',
            body: rulesBody(desk, session, scopeOf(desk, call.queryText)),
          }),
        ),
    }),
    route({
      ...DESK_FORM,
      path: '/operator/rules/merchants',
      operationId: 'setMerchantRulesForm',
      summary: 'Change the limits of merchants',
      body: MerchantLimitsForm,
      handle: (call) => desk.ownForm(call, '../../', () => later(call, () => setMerchantLimits(desk, call)), ADMIN),
    }),
  ]
}

/** The limits of merchants that were typed, or null where one is no amount or is not in the form: an absent field takes no limit away. */
export function typedMerchantLimits(
  sent: Readonly<Partial<Record<MerchantLimitName, string>>>,
  { currency }: Pick<Scope, 'currency'>,
): Record<MerchantLimitName, number | null> | null {
  const typed = MERCHANT_LIMIT_NAMES.map((name) => [name, sent[name] === undefined ? undefined : typedLimit(sent[name], currency)] as const)
  if (typed.some(([, limit]) => limit === undefined)) return null
  return Object.fromEntries(typed) as Record<MerchantLimitName, number | null>
}

async function setMerchantLimits(desk: Desk, call: DeskCall<Static<typeof MerchantLimitsForm>>): Promise<void> {
  const { environment = '', currency = '', ...sent } = call.body
  const scope = scopeOf(desk, new URLSearchParams({ environment, currency }).toString())
  const page = `../rules?${queryOf(scope)}`
  const merchant = typedMerchantLimits(sent, scope)
  if (merchant === null) return desk.redirectWith(call, page, RULES_WORDS.typeAmount)
  const body = { ...limitRulesOf(desk, scope), merchant }
  const query = { environment: scope.environment, currency: scope.currency }
  sayChanged(desk, call, page, await desk.ask(call, { operationId: 'setLimitRules', query, body }))
}

function rulesBody(desk: Desk, session: OperatorSession, scope: Scope): Html {
  return html`<h1>${OPERATOR_WORDS.rules}</h1>
${scopeTabs(desk, 'rules', scope)}
<h2>${RULES_WORDS.tiersOfWallets}</h2>
${tiersPart(desk, session, scope)}
<h2>${RULES_WORDS.limitsOfMerchants}</h2>
${merchantsPart(desk, session, scope)}
<h2>${RULES_WORDS.feePlans}</h2>
${plansPart(desk, session, scope)}`
}

function tiersPart(desk: Desk, session: OperatorSession, scope: Scope): Fragment {
  const { wallet_tiers, default_tier } = limitRulesOf(desk, scope)
  const columns: readonly Column<WalletTier>[] = [
    { name: RULES_WORDS.tier, isHeader: true, cell: ({ name }) => named(name, default_tier) },
    ...WALLET_LIMITS.map((limit) => ({
      ...{ name: LIMIT_LABELS[limit], isFigure: true },
      cell: (tier: WalletTier) => limitText(tier[limit], scope.currency),
    })),
    ...changeColumn<WalletTier>(session, 'tier', scope),
  ]
  return [
    wallet_tiers.length === 0
      ? html`<p class="hint">${RULES_WORDS.noTiers}</p>`
      : dataTable({ name: RULES_WORDS.tiersOfWallets, columns, rows: wallet_tiers }),
    addLink(session, `rules/tier?${queryOf(scope)}`, RULES_WORDS.addTier),
  ]
}

function plansPart(desk: Desk, session: OperatorSession, scope: Scope): Fragment {
  const { plans, default_plan } = feeRulesOf(desk, scope)
  const columns: readonly Column<FeePlan>[] = [
    { name: RULES_WORDS.plan, isHeader: true, cell: ({ name }) => named(name, default_plan) },
    ...FEE_KINDS.map((kind) => ({
      name: FEE_KIND_NAMES[kind],
      cell: ({ rules }: FeePlan) =>
        feeRuleText(
          rules.find(({ on }) => on === kind),
          scope.currency,
        ),
    })),
    { name: RULES_WORDS.refundFees, cell: ({ refund_fees }) => (refund_fees ? RULES_WORDS.yes : RULES_WORDS.no) },
    ...changeColumn<FeePlan>(session, 'plan', scope),
  ]
  return [
    plans.length === 0 ? html`<p class="hint">${RULES_WORDS.noPlans}</p>` : dataTable({ name: RULES_WORDS.feePlans, columns, rows: plans }),
    addLink(session, `rules/plan?${queryOf(scope)}`, RULES_WORDS.addPlan),
  ]
}

function merchantsPart(desk: Desk, session: OperatorSession, scope: Scope): Html {
  const { merchant } = limitRulesOf(desk, scope)
  const { environment, currency } = scope
  const facts = html`<dl class="facts card">${MERCHANT_LIMIT_NAMES.map((name) => html`<div><dt>${LIMIT_LABELS[name]}</dt><dd>${limitText(merchant[name], currency)}</dd></div>`)}</dl>`
  if (!mayAct(session, ADMIN)) return facts
  return html`${facts}<details><summary>${RULES_WORDS.change}</summary><form class="form" method="post" action="rules/merchants">${csrfField(session)}
<input type="hidden" name="environment" value="${environment}"><input type="hidden" name="currency" value="${currency}">
${merchantFields(merchant, { id: 'all', currency, hint: RULES_WORDS.emptyNoLimit })}
<button type="submit">${RULES_WORDS.save}</button></form></details>`
}

interface MerchantFields {
  /** Tells the forms of one page apart. */
  readonly id: string
  readonly currency: Currency
  readonly hint: Text
}

export function merchantFields(limits: Immutable<Partial<MerchantRule>>, { id, currency, hint }: MerchantFields): Fragment {
  return MERCHANT_LIMIT_NAMES.map((name) =>
    amountField({ name, id: `${id}-${name}`, label: LIMIT_LABELS[name], currency, hint, value: shownAmount(limits[name], currency) }),
  )
}

function named(name: string, byDefault: string | null): Html {
  return html`<bdi>${name}</bdi>${name === byDefault && html` <span class="badge">${RULES_WORDS.byDefault}</span>`}`
}

function changeColumn<Row extends { readonly name: string }>(session: OperatorSession, form: 'tier' | 'plan', scope: Scope): Column<Row>[] {
  if (!mayAct(session, ADMIN)) return []
  const cell = ({ name }: Row): Html => html`<a href="rules/${form}?${queryOf(scope, { name })}">${RULES_WORDS.change}</a>`
  return [{ name: WORDS.action, card: 'action', cell }]
}

function addLink(session: OperatorSession, address: string, words: Fragment): Fragment {
  return mayAct(session, ADMIN) && html`<p><a class="alone" href="${address}">${words}</a></p>`
}
