// The form of one tier of wallets: its limits, and whether it is the default. The other tiers stay as they are.
import { type LimitRules, WALLET_LIMITS, type WalletLimit, type WalletTier } from '../../../engine/contract/limits.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { formField } from '../shared/form-field.ts'
import { html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { csrfField, DESK_FORM, DESK_PAGE, type Desk, type DeskCall } from './desk.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { ADMIN } from './rules-pages.ts'
import { amountField, limitRulesOf, queryOf, type Scope, sayChanged, scopeOf, shownAmount, typedLimit } from './rules-view.ts'
import { LIMIT_LABELS, RULES_WORDS } from './rules-words.ts'

const FIELD = Type.Optional(Type.String())
const TierForm = Type.Object({
  ...{ csrf: FIELD, before: FIELD, name: FIELD, is_default: FIELD, go: FIELD },
  ...{ balance_max: FIELD, received_month_max: FIELD, sent_day_max: FIELD, sent_month_max: FIELD },
})
type TierForm = Static<typeof TierForm>

export const RULE_NAME_LENGTH_MAX = 50

export function tierForms(desk: Desk): readonly Route[] {
  const path = '/operator/rules/tier'
  return [
    route({
      ...DESK_PAGE,
      ...{ method: 'GET', path, operationId: 'showWalletTierForm', summary: 'The form of a tier of wallets' },
      handle: (call) =>
        desk.signedIn(
          call,
          '../../',
          (session) => {
            const scope = scopeOf(desk, call.queryText)
            const { wallet_tiers, default_tier } = limitRulesOf(desk, scope)
            const tier = wallet_tiers.find(({ name }) => name === new URLSearchParams(call.queryText).get('name'))
            show(desk, call, session, scope, { sent: sentOf(tier, default_tier, scope), wrong: {} })
          },
          ADMIN,
        ),
    }),
    route({
      ...DESK_FORM,
      ...{ path, operationId: 'setWalletTierForm', summary: 'Change a tier of wallets', body: TierForm },
      handle: (call) => desk.ownForm(call, '../../', (session) => later(call, () => save(desk, call, session)), ADMIN),
    }),
  ]
}

/** `before`: the tier as the form was opened with, as JSON; empty for a new one. */
function sentOf(tier: WalletTier | undefined, defaultTier: string | null, { currency }: Scope): TierForm {
  const limits = WALLET_LIMITS.map((name) => [name, shownAmount(tier?.[name], currency)])
  const isDefault = tier !== undefined && tier.name === defaultTier
  const before = tier === undefined ? '' : JSON.stringify(tier)
  return { before, name: tier?.name ?? '', ...(isDefault ? { is_default: 'yes' } : {}), ...Object.fromEntries(limits) }
}

interface View {
  readonly sent: TierForm
  readonly wrong: Readonly<Partial<Record<'name' | WalletLimit, Text>>>
}

async function save(desk: Desk, call: DeskCall<TierForm>, session: OperatorSession): Promise<void> {
  const scope = scopeOf(desk, call.queryText)
  const sent = call.body
  const page = `../rules?${queryOf(scope)}`
  const present = limitRulesOf(desk, scope)
  const at = present.wallet_tiers.findIndex((tier) => JSON.stringify(tier) === sent.before)
  if (at < 0 && (sent.before ?? '') !== '') return desk.redirectWith(call, page, RULES_WORDS.changedMeanwhile)
  const tier = sent.go === 'remove' ? null : typedTier(sent, scope)
  if (tier !== null && 'wrong' in tier) return show(desk, call, session, scope, { sent, wrong: tier.wrong })
  const body = withTier(present, at, tier, sent.is_default === 'yes')
  const query = { environment: scope.environment, currency: scope.currency }
  sayChanged(desk, call, page, await desk.ask(call, { operationId: 'setLimitRules', query, body }))
}

function typedTier(sent: TierForm, { currency }: Scope): WalletTier | Pick<View, 'wrong'> {
  const name = (sent.name ?? '').trim()
  const limits = WALLET_LIMITS.map((limit) => [limit, typedLimit(sent[limit] ?? '', currency)] as const)
  const wrong = limits.filter(([, amount]) => amount === undefined).map(([limit]) => [limit, RULES_WORDS.typeAmount])
  if (name === '') wrong.push(['name' as WalletLimit, RULES_WORDS.typeName])
  return wrong.length > 0 ? { wrong: Object.fromEntries(wrong) } : ({ name, ...Object.fromEntries(limits) } as WalletTier)
}

/** `tier` null: removed. A default tier that is removed or no longer the default leaves none. */
function withTier(present: LimitRules, at: number, tier: WalletTier | null, isDefault: boolean): LimitRules {
  const before = present.wallet_tiers[at]?.name ?? null
  const others = present.default_tier === before ? null : present.default_tier
  const tiers =
    at < 0
      ? [...present.wallet_tiers, ...(tier === null ? [] : [tier])]
      : present.wallet_tiers.flatMap((one, index) => (index === at ? (tier ?? []) : one))
  return { ...present, wallet_tiers: tiers, default_tier: tier !== null && isDefault ? tier.name : others }
}

function show(desk: Desk, call: DeskCall, session: OperatorSession, scope: Scope, { sent, wrong }: View): void {
  const isNew = (sent.before ?? '') === ''
  const title = isNew ? RULES_WORDS.addTier : RULES_WORDS.tier
  const fields = WALLET_LIMITS.map((name) =>
    amountField({
      ...{ name, label: LIMIT_LABELS[name], value: sent[name] ?? '', currency: scope.currency },
      ...{ hint: RULES_WORDS.emptyNoLimit, error: wrong[name] ?? null },
    }),
  )
  const body = html`<p class="crumb"><a href="../rules?${queryOf(scope)}">${OPERATOR_WORDS.rules}</a></p>
<h1>${title}</h1>
<form class="form card narrow" method="post" action="tier?${queryOf(scope)}">${csrfField(session)}<input type="hidden" name="before" value="${sent.before ?? ''}">
${formField({ name: 'name', label: WORDS.name, value: sent.name ?? '', maxLength: RULE_NAME_LENGTH_MAX, error: wrong.name ?? null })}
${fields}
<label class="check"><input type="checkbox" name="is_default" value="yes"${sent.is_default === 'yes' && html` checked`}> <span>${RULES_WORDS.isDefaultTier}</span></label>
<button type="submit">${RULES_WORDS.save}</button>${!isNew && html` <button type="submit" name="go" value="remove" class="is-link">${RULES_WORDS.remove}</button>`}</form>`
  desk.answer(call, session, { title, place: 'rules', root: '../../', body })
}
