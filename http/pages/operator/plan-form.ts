// The form of one plan of fees: what each kind of movement costs, and whether it is the default. The other plans stay as they are.
import { FEE_BEARERS, FEE_KINDS, type FeeKind, type FeePlan, type FeeRule, type FeeRules } from '../../../engine/contract/fees.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { formField } from '../shared/form-field.ts'
import { type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { csrfField, DESK_FORM, DESK_PAGE, type Desk, type DeskCall } from './desk.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { ADMIN } from './rules-pages.ts'
import { amountField, feeRulesOf, queryOf, type Scope, sayChanged, scopeOf, shownAmount, typedLimit } from './rules-view.ts'
import { BEARER_NAMES, FEE_KIND_NAMES, RULES_WORDS } from './rules-words.ts'
import { RULE_NAME_LENGTH_MAX } from './tier-form.ts'

const FIELD = Type.Optional(Type.String())
const AMOUNTS = ['fixed', 'min', 'max'] as const
const RULE_FIELDS = ['percent', ...AMOUNTS, 'borne_by'] as const
type FieldName = `${FeeKind}_${(typeof RULE_FIELDS)[number]}`
const NAMES = FEE_KINDS.flatMap((kind) => RULE_FIELDS.map((field): FieldName => `${kind}_${field}`))

const PlanForm = Type.Object({
  ...{ csrf: FIELD, before: FIELD, name: FIELD, is_default: FIELD, refund_fees: FIELD, go: FIELD },
  ...(Object.fromEntries(NAMES.map((name) => [name, FIELD])) as Record<FieldName, typeof FIELD>),
})
type PlanForm = Static<typeof PlanForm>

const PERCENT_LENGTH_MAX = 6
const BEARER_IS_FIXED: ReadonlySet<FeeKind> = new Set(['payout', 'transfer', 'withdrawal'])

export function planForms(desk: Desk): readonly Route[] {
  const path = '/operator/rules/plan'
  return [
    route({
      ...DESK_PAGE,
      ...{ method: 'GET', path, operationId: 'showFeePlanForm', summary: 'The form of a plan of fees' },
      handle: (call) =>
        desk.signedIn(
          call,
          '../../',
          (session) => {
            const scope = scopeOf(desk, call.queryText)
            const { plans, default_plan } = feeRulesOf(desk, scope)
            const plan = plans.find(({ name }) => name === new URLSearchParams(call.queryText).get('name'))
            show(desk, call, session, scope, { sent: sentOf(plan, default_plan, scope), wrong: new Map() })
          },
          ADMIN,
        ),
    }),
    route({
      ...DESK_FORM,
      ...{ path, operationId: 'setFeePlanRulesForm', summary: 'Change a plan of fees', body: PlanForm },
      handle: (call) => desk.ownForm(call, '../../', (session) => later(call, () => save(desk, call, session)), ADMIN),
    }),
  ]
}

interface View {
  readonly sent: PlanForm
  /** By the name of the field. */
  readonly wrong: ReadonlyMap<string, Text>
}

/** `before`: the plan as the form was opened with, as JSON; empty for a new one. */
function sentOf(plan: FeePlan | undefined, defaultPlan: string | null, { currency }: Scope): PlanForm {
  const sent: Record<string, string> = { before: plan === undefined ? '' : JSON.stringify(plan), name: plan?.name ?? '' }
  if (plan !== undefined && plan.name === defaultPlan) sent.is_default = 'yes'
  if (plan?.refund_fees === true) sent.refund_fees = 'yes'
  for (const { on, percent_bp, fixed, min, max, borne_by } of plan?.rules ?? []) {
    sent[`${on}_percent`] = String(percent_bp / 100).replace('.', ',')
    sent[`${on}_fixed`] = shownAmount(fixed, currency)
    sent[`${on}_min`] = shownAmount(min, currency)
    sent[`${on}_max`] = shownAmount(max, currency)
    sent[`${on}_borne_by`] = borne_by
  }
  return sent
}

async function save(desk: Desk, call: DeskCall<PlanForm>, session: OperatorSession): Promise<void> {
  const scope = scopeOf(desk, call.queryText)
  const sent = call.body
  const page = `../rules?${queryOf(scope)}`
  const present = feeRulesOf(desk, scope)
  const at = present.plans.findIndex((plan) => JSON.stringify(plan) === sent.before)
  if (at < 0 && (sent.before ?? '') !== '') return desk.redirectWith(call, page, RULES_WORDS.changedMeanwhile)
  const wrong = new Map<string, Text>()
  const plan = sent.go === 'remove' ? null : typedPlan(sent, scope, wrong)
  if (wrong.size > 0) return show(desk, call, session, scope, { sent, wrong })
  const body = withPlan(present, at, plan, sent.is_default === 'yes')
  const query = { environment: scope.environment, currency: scope.currency }
  sayChanged(desk, call, page, await desk.ask(call, { operationId: 'setFeeRules', query, body }))
}

/** Adds to `wrong` what cannot be read. */
function typedPlan(sent: PlanForm, scope: Scope, wrong: Map<string, Text>): FeePlan {
  const name = (sent.name ?? '').trim()
  if (name === '') wrong.set('name', RULES_WORDS.typeName)
  const rules = FEE_KINDS.flatMap((kind) => typedRule(kind, sent, scope, wrong) ?? [])
  return { name, rules, refund_fees: sent.refund_fees === 'yes' }
}

/** Returns null where every field is empty: the movement costs nothing. */
function typedRule(on: FeeKind, sent: PlanForm, { currency }: Scope, wrong: Map<string, Text>): FeeRule | null {
  const typed = (field: (typeof RULE_FIELDS)[number]): string => (sent[`${on}_${field}`] ?? '').trim()
  if (typed('percent') === '' && AMOUNTS.every((field) => typed(field) === '')) return null
  const percent_bp = typedPercent(typed('percent'))
  if (percent_bp === null) wrong.set(`${on}_percent`, RULES_WORDS.typePercent)
  const [fixed, min, max] = AMOUNTS.map((field) => {
    const amount = typedLimit(typed(field), currency)
    if (amount === undefined) wrong.set(`${on}_${field}`, RULES_WORDS.typeAmount)
    return amount ?? null
  })
  const payer = on === 'transfer' || typed('borne_by') === 'payer'
  return {
    ...{ on, percent_bp: percent_bp ?? 0, fixed: fixed ?? 0, borne_by: payer ? 'payer' : 'merchant' },
    ...(typeof min === 'number' ? { min } : {}),
    ...(typeof max === 'number' ? { max } : {}),
  }
}

/** Returns hundredths of a percent: 150 for `1,5`, 0 for nothing; null for what is none. */
function typedPercent(typed: string): number | null {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(typed) ?? []
  if (whole === undefined) return typed === '' ? 0 : null
  const percentBp = Number(`${whole}${decimals.padEnd(2, '0')}`)
  return percentBp <= 10_000 ? percentBp : null
}

/** `plan` null: removed. A default plan that is removed or no longer the default leaves none. */
function withPlan(present: FeeRules, at: number, plan: FeePlan | null, isDefault: boolean): FeeRules {
  const before = present.plans[at]?.name ?? null
  const others = present.default_plan === before ? null : present.default_plan
  const plans =
    at < 0
      ? [...present.plans, ...(plan === null ? [] : [plan])]
      : present.plans.flatMap((one, index) => (index === at ? (plan ?? []) : one))
  return { plans, default_plan: plan !== null && isDefault ? plan.name : others }
}

function show(desk: Desk, call: DeskCall, session: OperatorSession, scope: Scope, view: View): void {
  const { sent, wrong } = view
  const isNew = (sent.before ?? '') === ''
  const title = isNew ? RULES_WORDS.addPlan : RULES_WORDS.plan
  const check = (name: 'is_default' | 'refund_fees', label: Text): Html =>
    html`<label class="check"><input type="checkbox" name="${name}" value="yes"${sent[name] === 'yes' && html` checked`}> <span>${label}</span></label>`
  const body = html`<p class="crumb"><a href="../rules?${queryOf(scope)}">${OPERATOR_WORDS.rules}</a></p>
<h1>${title}</h1>
<form class="form card narrow" method="post" action="plan?${queryOf(scope)}">${csrfField(session)}<input type="hidden" name="before" value="${sent.before ?? ''}">
${formField({ name: 'name', label: WORDS.name, value: sent.name ?? '', maxLength: RULE_NAME_LENGTH_MAX, error: wrong.get('name') ?? null })}
<p class="hint">${RULES_WORDS.emptyKindIsFree}</p>
${FEE_KINDS.map((kind) => kindFields(kind, scope, view))}
${check('refund_fees', RULES_WORDS.refundFees)}
${check('is_default', RULES_WORDS.isDefaultPlan)}
<button type="submit">${RULES_WORDS.save}</button>${!isNew && html` <button type="submit" name="go" value="remove" class="is-link">${RULES_WORDS.remove}</button>`}</form>`
  desk.answer(call, session, { title, place: 'rules', root: '../../', body })
}

function kindFields(kind: FeeKind, { currency }: Scope, { sent, wrong }: View): Html {
  const of = (field: (typeof RULE_FIELDS)[number]) => ({ name: `${kind}_${field}`, value: sent[`${kind}_${field}`] ?? '' })
  const errorOf = (field: string) => ({ error: wrong.get(`${kind}_${field}`) ?? null })
  const percent = { label: RULES_WORDS.percent, maxLength: PERCENT_LENGTH_MAX, isRequired: false, inputMode: 'numeric' as const }
  const bearer = `${kind}_borne_by` as const
  const option = (name: (typeof FEE_BEARERS)[number]): Html =>
    html`<option value="${name}"${sent[bearer] === name && html` selected`}>${BEARER_NAMES[name]}</option>`
  return html`<fieldset><legend>${FEE_KIND_NAMES[kind]}</legend>
${formField({ ...of('percent'), ...percent, ...errorOf('percent') })}
${AMOUNTS.map((field) => amountField({ ...of(field), label: RULES_WORDS[field], currency, ...errorOf(field) }))}
${!BEARER_IS_FIXED.has(kind) && html`<div class="field"><label for="${bearer}">${RULES_WORDS.bornBy}</label><select id="${bearer}" name="${bearer}">${FEE_BEARERS.map(option)}</select></div>`}</fieldset>`
}
