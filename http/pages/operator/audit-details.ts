// What an action of an operator was about, in words: the name of its subject, and the parameters of the request.

import type { OperatorAction, OperatorRole } from '../../../engine/contract/operator.ts'
import { Text } from '../../text/text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { scopeNames } from './merchant-page.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { ROLE_NAMES } from './role-names.ts'
import { LIMIT_LABELS, ruleChangePart, rulesOfAction } from './rule-change-words.ts'
import { RULES_WORDS } from './rules-words.ts'
import { movementAddress } from './timeline-part.ts'

const TEXTS = texts({
  fr: {
    noLabel: 'Sans libellé',
    currency: 'Devise',
    defaultPlan: 'Grille par défaut',
    defaultTier: 'Niveau par défaut',
    fees: 'Frais',
    limits: 'Limites',
    limitsOfMerchants: 'Limites des marchands',
    tiers: 'Niveaux',
    note: 'Note',
  },
  en: {
    noLabel: 'Without a label',
    currency: 'Currency',
    defaultPlan: 'Default plan',
    defaultTier: 'Default tier',
    fees: 'Fees',
    limits: 'Limits',
    limitsOfMerchants: 'Limits of merchants',
    tiers: 'Tiers',
    note: 'Note',
  },
})

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Renders what the action was about, by its name: a merchant, a wallet, an operator, the rules of an environment; a biller by its slug. */
export function targetPart({ action, target, environment, subject: { kind, id, name } }: OperatorAction, deskPath: string): Html {
  if (action.startsWith('biller.')) return html`<a href="${deskPath}/billers/${target}"><bdi>${target}</bdi></a>`
  if (kind === 'merchant') return html`<a href="${deskPath}/merchants/${id}"><bdi>${name}</bdi></a>`
  if (kind === 'wallet')
    return html`<a href="${deskPath}/wallets/${name}${environment !== null && `?environment=${environment}`}"><bdi>@${name}</bdi></a>`
  return kind === 'operator' ? html`<bdi>${name}</bdi>` : html`${name === 'fees' ? TEXTS.fees : TEXTS.limits}`
}

const DETAIL_NAMES: Readonly<Record<string, Text | string>> = {
  ...LIMIT_LABELS,
  account: WORDS.account,
  amount: WORDS.amount,
  currency: TEXTS.currency,
  default_plan: TEXTS.defaultPlan,
  default_tier: TEXTS.defaultTier,
  email: WORDS.eMailAddress,
  kind: WORDS.type,
  label: WORDS.label,
  merchant: TEXTS.limitsOfMerchants,
  name: WORDS.name,
  payment_reference: WORDS.paymentReference,
  plan: RULES_WORDS.plan,
  plans: RULES_WORDS.feePlans,
  reason: WORDS.reason,
  reference: WORDS.reference,
  requested_by: OPERATOR_WORDS.requestedBy,
  role: WORDS.role,
  scopes: WORDS.rights,
  text: TEXTS.note,
  tier: RULES_WORDS.tier,
  transaction_id: WORDS.transaction,
  wallet_tiers: TEXTS.tiers,
}

/** What the row says elsewhere: the merchant, who asked, the environment; the name of a logo's file, the id of a key. */
const UNSHOWN: ReadonlySet<string> = new Set(['approval_id', 'merchant_id', 'environment', 'file', 'key_id'])
/** A change of rules, which is shown field by field. */
const RULES: ReadonlySet<string> = new Set(['change', 'before'])
/** Parameters beside a change of rules. */
const BESIDE_RULES: ReadonlySet<string> = new Set(['reason', 'requested_by'])

/** Returns whether a parameter has a name in words, or is said elsewhere in its row. */
export function isWorded(name: string): boolean {
  return name in DETAIL_NAMES || UNSHOWN.has(name) || RULES.has(name)
}

/** Parameters without a value are left out. A change of rules shows each field that changed, before and after. */
export function detailList(action: OperatorAction, deskPath: string): Fragment {
  // The reference stands first. The amount has a column.
  const { reference = '' } = action
  const { amount: _amount, reference: _reference, ...more } = action.details as Readonly<Record<string, unknown>>
  const details: Readonly<Record<string, unknown>> = { reference, ...more, ...(more.label === '' ? { label: TEXTS.noLabel } : {}) }
  const rules = rulesOfAction(details)
  const isShown = (name: string): boolean => (rules === null ? !UNSHOWN.has(name) : BESIDE_RULES.has(name))
  const rows = Object.entries(details).filter(([name, value]) => isShown(name) && value !== '' && value !== null)
  return html`${rules !== null && ruleChangePart(rules)}${parameterList(rows, (id) => movementLink(action, id, deskPath))}`
}

function parameterList(rows: readonly (readonly [string, unknown])[], movement: (id: string) => Fragment): Fragment {
  if (rows.length === 0) return null
  return html`<dl class="details">${rows.map(([name, value]) => html`<div><dt>${DETAIL_NAMES[name] ?? html`<code>${name}</code>`}</dt><dd>${(name === 'transaction_id' && movement(String(value))) || detailValue(name, value)}</dd></div>`)}</dl>`
}

/** Leads to the movement on the page of its merchant or wallet; null for what has no such page. */
function movementLink({ environment, subject: { kind, id, name } }: OperatorAction, transactionId: string, deskPath: string): Fragment {
  if (kind !== 'merchant' && kind !== 'wallet') return null
  const page = `${kind === 'merchant' ? `merchants/${id}` : `wallets/${name}`}?environment=${environment ?? 'live'}`
  return html`<a class="alone" href="${deskPath}/${movementAddress(page, transactionId)}">${OPERATOR_WORDS.seeMovement}</a>`
}

function detailValue(name: string, value: unknown): Fragment {
  if (value instanceof Text) return html`${value}`
  if (name === 'kind' && (value === 'bank' || value === 'mobile_money')) return value === 'bank' ? OPERATOR_WORDS.bank : WORDS.mobileMoney
  if (name === 'scopes' && Array.isArray(value)) return scopeNames(value.map(String))
  if (name === 'role' && typeof value === 'string') return ROLE_NAMES[value as OperatorRole] ?? value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return UUID.test(text) ? html`<code class="id">${text}</code>` : html`<bdi>${text}</bdi>`
}
