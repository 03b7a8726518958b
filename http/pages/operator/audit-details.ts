// What an action of an operator was about, in words: the name of its subject, and the parameters of the request.

import type { OperatorAction, OperatorRole } from '../../../engine/contract/operator.ts'
import type { Text } from '../../text/text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { scopeNames } from './merchant-page.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { ROLE_NAMES } from './role-names.ts'
import { ruleChangePart, rulesOfAction } from './rule-change-words.ts'

const TEXTS = texts({
  fr: {
    apiKey: 'Clé API',
    currency: 'Devise',
    fees: 'Frais',
    limits: 'Limites',
    note: 'Note',
  },
  en: {
    apiKey: 'API key',
    currency: 'Currency',
    fees: 'Fees',
    limits: 'Limits',
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
  account: WORDS.account,
  amount: WORDS.amount,
  currency: TEXTS.currency,
  email: WORDS.eMailAddress,
  file: WORDS.logo,
  key_id: TEXTS.apiKey,
  kind: WORDS.type,
  label: WORDS.label,
  name: WORDS.name,
  payment_reference: WORDS.paymentReference,
  reason: WORDS.reason,
  reference: WORDS.reference,
  requested_by: OPERATOR_WORDS.requestedBy,
  role: WORDS.role,
  scopes: WORDS.rights,
  text: TEXTS.note,
  transaction_id: WORDS.transaction,
}

/** Ids of what the row names in words: the merchant, and who asked. */
const UNSHOWN: ReadonlySet<string> = new Set(['approval_id', 'merchant_id'])
/** Parameters beside a change of rules. */
const BESIDE_RULES: ReadonlySet<string> = new Set(['reason', 'requested_by'])

/** Parameters without a value are left out. A change of rules shows each field that changed, before and after. */
export function detailList(details: Readonly<Record<string, unknown>>): Fragment {
  const rules = rulesOfAction(details)
  const isShown = (name: string): boolean => (rules === null ? !UNSHOWN.has(name) : BESIDE_RULES.has(name))
  const rows = Object.entries(details).filter(([name, value]) => isShown(name) && value !== '' && value !== null)
  return html`${rules !== null && ruleChangePart(rules)}${parameterList(rows)}`
}

function parameterList(rows: readonly (readonly [string, unknown])[]): Fragment {
  if (rows.length === 0) return null
  return html`<dl class="details">${rows.map(([name, value]) => html`<div><dt>${DETAIL_NAMES[name] ?? html`<code>${name}</code>`}</dt><dd>${detailValue(name, value)}</dd></div>`)}</dl>`
}

function detailValue(name: string, value: unknown): Fragment {
  if (name === 'kind' && (value === 'bank' || value === 'mobile_money')) return value === 'bank' ? OPERATOR_WORDS.bank : WORDS.mobileMoney
  if (name === 'scopes' && Array.isArray(value)) return scopeNames(value.map(String))
  if (name === 'role' && typeof value === 'string') return ROLE_NAMES[value as OperatorRole] ?? value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return UUID.test(text) ? html`<code class="id">${text}</code>` : html`<bdi>${text}</bdi>`
}
