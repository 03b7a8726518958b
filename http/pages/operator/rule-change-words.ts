// A change of the operator's rules in words: each field that changes, before and after. An approval shows it, and so does the audit
// trail. The engine decides what a change is; this file must never judge one.
import type { Approval } from '../../../engine/contract/approval.ts'
import type { FeeKind, FeeRules } from '../../../engine/contract/fees.ts'
import type { LimitName, LimitRules } from '../../../engine/contract/limits.ts'
import type { OwnLimits } from '../../../engine/contract/merchant-limits.ts'
import { Text } from '../../text/text.ts'
import { amountText, countText } from '../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { TEXTS } from './rule-change-words-messages.ts'

/** Present rules in the form of their change, as `before` of an approval and of an audit row. */
export type PlainRules =
  | { readonly kind: 'limit_rules'; readonly currency: string; readonly rules: LimitRules }
  | { readonly kind: 'fee_rules'; readonly currency: string; readonly rules: FeeRules }
  | { readonly kind: 'wallet_tier'; readonly currency: string; readonly tier: string | null }
  | { readonly kind: 'fee_plan'; readonly currency: string; readonly plan: string | null }
  | { readonly kind: 'merchant_limits'; readonly currency: string; readonly limits: Readonly<Record<string, number | null>> }

type RulesPair = readonly [before: PlainRules, after: PlainRules]

/** A field of rules: what makes it differ, and its words. */
interface Field {
  readonly label: Fragment
  readonly value: unknown
  readonly words: Fragment
}

type Fields = ReadonlyMap<string, Field>

export const LIMIT_LABELS: Readonly<Record<LimitName | keyof OwnLimits, Text>> = {
  balance_max: TEXTS.balanceMax,
  received_month_max: TEXTS.receivedMonthMax,
  sent_day_max: TEXTS.sentDayMax,
  sent_month_max: TEXTS.sentMonthMax,
  payout_max: TEXTS.payoutMax,
  payout_day_max: TEXTS.payoutDayMax,
  charge_max: TEXTS.chargeMax,
  unknown_recipients: OPERATOR_WORDS.unknownRecipientsInBurst,
  unknown_recipients_per_minute: OPERATOR_WORDS.unknownRecipientsMinute,
}

const KIND_LABELS: Readonly<Record<FeeKind, Text>> = {
  payout: WORDS.payout,
  charge: WORDS.payment,
  bill: WORDS.bill,
  transfer: WORDS.transfer,
  withdrawal: WORDS.withdrawal,
}

/** Renders the fields that change, each with what was before and what is after. */
export function ruleChangePart([before, after]: RulesPair): Html {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => !isSame(old.get(name), now.get(name)))
  if (names.length === 0) return html`<p class="hint">${TEXTS.nothingChanges}</p>`
  const rows = names.map((name) => {
    const [one, other] = [old.get(name), now.get(name)]
    return html`<div><dt>${(other ?? one)?.label}</dt><dd><del>${one?.words ?? TEXTS.absent}</del> → <ins>${other?.words ?? TEXTS.removed}</ins></dd></div>`
  })
  return html`<dl class="details">${rows}</dl>`
}

/** Returns the rules before and after a change that waits or was decided; null for a movement. */
export function changedRules({ change, before }: Pick<Approval, 'change' | 'before'>): RulesPair | null {
  if (change === undefined || before === undefined) return null
  const present = before as PlainRules
  return [present, { ...change, currency: present.currency } as unknown as PlainRules]
}

/** Returns the rules before and after an action of the audit trail; null where it changed none. */
export function rulesOfAction(details: Readonly<Record<string, unknown>>): RulesPair | null {
  const { change, before, ...sent } = details
  if (typeof before !== 'object' || before === null) return null
  if (typeof change === 'object' && change !== null) return changedRules({ change, before })
  const present = before as PlainRules
  switch (present.kind) {
    case 'limit_rules':
      return [present, { ...present, rules: sent as unknown as LimitRules }]
    case 'fee_rules':
      return [present, { ...present, rules: sent as unknown as FeeRules }]
    case 'wallet_tier':
      return [present, { ...present, tier: textOrNull(sent.tier) }]
    case 'fee_plan':
      return [present, { ...present, plan: textOrNull(sent.plan) }]
    case 'merchant_limits': {
      const after = Object.keys(present.limits).map((name) => [name, typeof sent[name] === 'number' ? sent[name] : null])
      return [present, { ...present, limits: Object.fromEntries(after) }]
    }
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function isSame(one: Field | undefined, other: Field | undefined): boolean {
  return (one === undefined) === (other === undefined) && JSON.stringify(one?.value) === JSON.stringify(other?.value)
}

function fieldsOf(rules: PlainRules): Fields {
  switch (rules.kind) {
    case 'limit_rules':
      return new Map(limitFields(rules.rules, rules.currency))
    case 'fee_rules':
      return new Map(feeFields(rules.rules, rules.currency))
    case 'wallet_tier':
      return new Map([['tier', named(TEXTS.tier, rules.tier, TEXTS.defaultTier)]])
    case 'fee_plan':
      return new Map([['plan', named(TEXTS.feePlan, rules.plan, TEXTS.defaultPlan)]])
    case 'merchant_limits':
      return new Map(Object.entries(rules.limits).map(([name, value]) => [name, limitField(name, value, rules.currency, TEXTS.usualRule)]))
  }
}

type Row = readonly [name: string, field: Field]

function* limitFields({ wallet_tiers, default_tier, merchant }: LimitRules, currency: string): Generator<Row> {
  yield ['default_tier', named(TEXTS.tierByDefault, default_tier, OPERATOR_WORDS.none)]
  for (const { name, ...limits } of wallet_tiers) {
    for (const [limit, value] of Object.entries(limits)) {
      const field = limitField(limit, value, currency, TEXTS.noLimit)
      yield [`tier ${name} ${limit}`, { ...field, label: TEXTS.ofTier(html`<bdi>${name}</bdi>`, field.label) }]
    }
  }
  for (const [limit, value] of Object.entries(merchant)) {
    const field = limitField(limit, value, currency, TEXTS.noLimit)
    yield [`merchant ${limit}`, { ...field, label: TEXTS.ofMerchants(field.label) }]
  }
}

function limitField(name: string, value: number | null, currency: string, none: Text): Field {
  const isCount = name.startsWith('unknown_recipients')
  const words = value === null ? none : isCount ? countText(value) : amountText(value, currency)
  return { label: LIMIT_LABELS[name as LimitName] ?? name, value, words }
}

function named(label: Text, value: string | null, none: Text): Field {
  return { label, value, words: value === null ? none : html`<bdi>${value}</bdi>` }
}

function* feeFields({ plans, default_plan }: FeeRules, currency: string): Generator<Row> {
  yield ['default_plan', named(TEXTS.planByDefault, default_plan, OPERATOR_WORDS.none)]
  for (const { name, rules, refund_fees } of plans) {
    const words = refund_fees ? TEXTS.feeReturned : TEXTS.feeKept
    yield [`plan ${name} refund`, { label: TEXTS.ofPlan(html`<bdi>${name}</bdi>`, TEXTS.refunds), value: refund_fees, words }]
    for (const rule of rules) {
      const label = TEXTS.ofPlan(html`<bdi>${name}</bdi>`, KIND_LABELS[rule.on])
      yield [`plan ${name} ${rule.on}`, { label, value: rule, words: feeWords(rule, currency) }]
    }
  }
}

type FeeRule = FeeRules['plans'][number]['rules'][number]

function feeWords({ percent_bp, fixed, min, max, borne_by }: FeeRule, currency: string): Html {
  const parts: Fragment[] = [TEXTS.percent(percentText(percent_bp), amountText(fixed, currency))]
  if (typeof min === 'number') parts.push(TEXTS.atLeast(amountText(min, currency)))
  if (typeof max === 'number') parts.push(TEXTS.atMost(amountText(max, currency)))
  parts.push(borne_by === 'merchant' ? TEXTS.byMerchant : TEXTS.byPayer)
  return html`${parts.map((part, index) => html`${index > 0 && ', '}${part}`)}`
}

/** Returns `1,5 %` for 150 hundredths of a percent. */
function percentText(percentBp: number): Text {
  return new Text(
    (language) => `${(percentBp / 100).toLocaleString(language === 'fr' ? 'fr-FR' : 'en-GB')}${language === 'fr' ? '\u00a0' : ''}%`,
  )
}
