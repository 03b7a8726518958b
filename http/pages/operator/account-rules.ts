// Rules of one account on its page of the desk: the limits and the plan of a merchant in an environment, and the tier of a wallet.
import type { QueryAnswer } from '../../../engine/api.ts'
import { MERCHANT_LIMIT_NAMES } from '../../../engine/contract/limits.ts'
import type { OperatorWallet } from '../../../engine/contract/operator.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import { type Currency, isCurrency } from '../../../engine/kernel/currency.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { newFormKey } from '../shared/api-calls.ts'
import { formField } from '../shared/form-field.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { csrfField, DESK_FORM, type Desk, type DeskCall, mayAct } from './desk.ts'
import { ENVIRONMENT_NAMES } from './operator-parts.ts'
import { ADMIN, merchantFields, typedMerchantLimits } from './rules-pages.ts'
import { feeRulesOf, limitRulesOf, sayChanged } from './rules-view.ts'
import { LIMIT_LABELS, limitText, RULES_WORDS } from './rules-words.ts'

const FIELD = Type.Optional(Type.String())
const OwnLimitsForm = Type.Object({
  ...{ csrf: FIELD, environment: FIELD },
  ...{ payout_max: FIELD, payout_day_max: FIELD, charge_max: FIELD, balance_max: FIELD },
})
const PlanForm = Type.Object({ csrf: FIELD, key: FIELD, environment: FIELD, plan: FIELD })
const TierForm = Type.Object({ csrf: FIELD, key: FIELD, environment: FIELD, tier: FIELD, reason: FIELD })
const REASON_LENGTH_MAX = 500

export function accountRuleForms(desk: Desk): readonly Route[] {
  const id = Type.String({ maxLength: 64 })
  return [
    route({
      ...DESK_FORM,
      ...{ path: '/operator/merchants/{id}/rules', params: { id }, operationId: 'setOwnLimitsForm' },
      ...{ summary: 'Change the limits of one merchant', body: OwnLimitsForm },
      handle: (call) => desk.ownForm(call, '../../../', () => later(call, () => setOwnLimits(desk, call)), ADMIN),
    }),
    route({
      ...DESK_FORM,
      ...{ path: '/operator/merchants/{id}/fee-plan', params: { id }, operationId: 'setFeePlanForm' },
      ...{ summary: 'Give a merchant a plan of fees', body: PlanForm },
      handle: (call) => desk.ownForm(call, '../../../', () => later(call, () => setPlan(desk, call)), ADMIN),
    }),
    route({
      ...DESK_FORM,
      ...{ path: '/operator/wallets/{tag}/tier', params: { tag: id }, operationId: 'setTierOfWalletForm' },
      ...{ summary: 'Give a wallet a tier', body: TierForm },
      handle: (call) => desk.ownForm(call, '../../../', () => later(call, () => setTier(desk, call)), ADMIN),
    }),
  ]
}

async function setOwnLimits(desk: Desk, call: DeskCall<Static<typeof OwnLimitsForm>>): Promise<void> {
  const id = String(call.params[0])
  const { environment, ...sent } = call.body
  const currency = currencyOf(desk, id)
  const limits = currency === null ? null : typedMerchantLimits(sent, { currency })
  if (limits === null) return desk.redirectWith(call, `../${encodeURIComponent(id)}`, RULES_WORDS.typeAmount)
  const body = { environment: environmentOf(environment), ...limits }
  sayChanged(desk, call, `../${encodeURIComponent(id)}`, await desk.ask(call, { operationId: 'setMerchantLimits', params: [id], body }))
}

async function setPlan(desk: Desk, call: DeskCall<Static<typeof PlanForm>>): Promise<void> {
  const id = String(call.params[0])
  const { key = '', environment, plan = '' } = call.body
  const body = { environment: environmentOf(environment), plan: plan === '' ? null : plan }
  const answer = await desk.ask(call, { operationId: 'setFeePlan', params: [id], body, idempotencyKey: key })
  sayChanged(desk, call, `../${encodeURIComponent(id)}`, answer)
}

async function setTier(desk: Desk, call: DeskCall<Static<typeof TierForm>>): Promise<void> {
  const tag = String(call.params[0])
  const { key = '', environment, tier = '', reason = '' } = call.body
  const body = { environment: environmentOf(environment), tier: tier === '' ? null : tier, reason: reason.trim() }
  const answer = await desk.ask(call, { operationId: 'setWalletTier', params: [tag], body, idempotencyKey: key })
  sayChanged(desk, call, `../${encodeURIComponent(tag)}?environment=${environmentOf(environment)}`, answer)
}

function environmentOf(sent: string | undefined): Environment {
  return sent === 'test' ? 'test' : 'live'
}

function currencyOf({ engine }: Pick<Desk, 'engine'>, id: string): Currency | null {
  const currency = engine.query('merchants.byId', { id })?.currency ?? ''
  return isCurrency(currency) ? currency : null
}

/** Renders the limits and the plan of a merchant in each environment, with their forms for administrators. */
export function merchantRulesPart(desk: Desk, session: OperatorSession, id: string): Fragment {
  const currency = currencyOf(desk, id)
  if (currency === null) return null
  return ENVIRONMENTS.map((environment) => {
    const limits = desk.engine.query('rules.ofMerchant', { id, environment })
    const account = desk.engine.query('merchants.byId', { id })?.accounts[environment]
    if (limits === null || account === undefined) return null
    const given = desk.engine.query('rules.given', { account })
    return html`<h3>${ENVIRONMENT_NAMES[environment]}</h3>
<dl class="facts card">${MERCHANT_LIMIT_NAMES.map((name) => html`<div><dt>${LIMIT_LABELS[name]}</dt><dd>${limitText(limits[name], currency)}</dd></div>`)}
<div><dt>${RULES_WORDS.plan}</dt><dd>${given.applied_plan === null ? RULES_WORDS.noLimit : html`<bdi>${given.applied_plan}</bdi>`}</dd></div></dl>
${mayAct(session, ADMIN) && merchantForms(desk, session, { id, environment, currency, given })}`
  })
}

interface MerchantForms {
  readonly id: string
  readonly environment: Environment
  readonly currency: Currency
  readonly given: QueryAnswer<'rules.given'>
}

function merchantForms(desk: Desk, session: OperatorSession, { id, environment, currency, given }: MerchantForms): Html {
  const { plans } = feeRulesOf(desk, { environment, currency })
  return html`<details><summary>${RULES_WORDS.changeLimits}</summary><form class="form" method="post" action="${id}/rules">${start(session, environment)}
${merchantFields(given.limits, { id: environment, currency, hint: RULES_WORDS.emptyUsualRule })}
<button type="submit">${RULES_WORDS.save}</button></form></details>
${
  plans.length > 0 &&
  html`<details><summary>${RULES_WORDS.changePlan}</summary><form class="form" method="post" action="${id}/fee-plan">${start(session, environment)}<input type="hidden" name="key" value="${newFormKey()}">
${choice({ name: 'plan', id: `plan-${environment}`, label: RULES_WORDS.plan, names: plans.map(({ name }) => name), given: given.fee_plan, byDefault: RULES_WORDS.defaultPlan })}
<button type="submit">${RULES_WORDS.save}</button></form></details>`
}`
}

/** Renders the form that gives a wallet another tier; nothing where there are no tiers. `base`: path from the page to the wallets. */
export function walletTierPart(desk: Desk, session: OperatorSession, { id, tag, environment }: OperatorWallet, base: string): Fragment {
  const account = desk.engine.query('wallets.byTag', { environment, tag })?.account
  if (account === undefined || !mayAct(session, ADMIN)) return null
  const { wallet_tiers } = limitRulesOf(desk, { environment, currency: desk.engine.query('accounts.currency', { account }) })
  if (wallet_tiers.length === 0) return null
  const { tier } = desk.engine.query('rules.given', { account })
  return html`<details><summary>${RULES_WORDS.changeTier}</summary><form class="form" method="post" action="${base}${tag}/tier">${start(session, environment)}<input type="hidden" name="key" value="${newFormKey()}">
${choice({ name: 'tier', id: `tier-${id}`, label: RULES_WORDS.tier, names: wallet_tiers.map(({ name }) => name), given: tier, byDefault: RULES_WORDS.defaultTier })}
${formField({ name: 'reason', id: `tier-reason-${id}`, label: RULES_WORDS.reason, maxLength: REASON_LENGTH_MAX })}
<button type="submit">${RULES_WORDS.save}</button></form></details>`
}

function start(session: OperatorSession, environment: Environment): Html {
  return html`${csrfField(session)}<input type="hidden" name="environment" value="${environment}">`
}

interface Choice {
  readonly name: string
  readonly id: string
  readonly label: Text
  readonly names: readonly string[]
  readonly given: string | null
  readonly byDefault: Text
}

function choice({ name, id, label, names, given, byDefault }: Choice): Html {
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}"><option value="">${byDefault}</option>${names.map((one) => html`<option value="${one}"${one === given && html` selected`}>${one}</option>`)}</select></div>`
}
