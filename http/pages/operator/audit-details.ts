// What an action of an operator was about, in words: the name of its target, and the parameters of the request.

import type { OperatorAction, OperatorRole } from '../../../engine/contract/operator.ts'
import type { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { type Desk, ROLE_NAMES } from './desk.ts'
import { scopeNames } from './merchant-routes.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const TEXTS = texts({
  fr: {
    approval: 'Approbation',
    apiKey: 'Clé API',
  },
  en: {
    approval: 'Approval',
    apiKey: 'API key',
  },
})

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Actions whose target is a merchant; deposits and withdrawals also have wallets, by their tag. */
const OF_MERCHANT = /^(?:merchant|api_key|deposit)\.|^withdrawal\.(?:create|request)$/

/** Renders the target: a merchant by its name, a biller by its slug, a wallet by its tag, all else by its id. */
export function targetPart({ engine }: Pick<Desk, 'engine'>, action: OperatorAction, deskPath: string): Html {
  const { target } = action
  if (OF_MERCHANT.test(action.action) && UUID.test(target)) {
    const name = engine.query('merchants.byId', { id: target })?.name ?? target
    return html`<a href="${deskPath}/merchants/${target}"><bdi>${name}</bdi></a>`
  }
  if (action.action.startsWith('biller.')) return html`<a href="${deskPath}/billers/${target}"><bdi>${target}</bdi></a>`
  if (target.startsWith('@')) return html`<a href="${deskPath}/wallets?q=${target.slice(1)}"><bdi>${target}</bdi></a>`
  return html`<code class="id">${target}</code>`
}

const DETAIL_NAMES: Readonly<Record<string, Text | string>> = {
  amount: WORDS.amount,
  approval_id: TEXTS.approval,
  email: WORDS.eMailAddress,
  file: WORDS.logo,
  key_id: TEXTS.apiKey,
  label: WORDS.label,
  merchant_id: WORDS.merchant,
  name: WORDS.name,
  payment_reference: WORDS.paymentReference,
  reason: WORDS.reason,
  reference: WORDS.reference,
  requested_by: OPERATOR_WORDS.requestedBy,
  role: WORDS.role,
  scopes: WORDS.rights,
  transaction_id: WORDS.transaction,
  unknown_recipients: OPERATOR_WORDS.unknownRecipientsInBurst,
  unknown_recipients_per_minute: OPERATOR_WORDS.unknownRecipientsMinute,
}

/** Parameters without a value are left out. */
export function detailList(details: object): Fragment {
  const rows = Object.entries(details).filter(([, value]) => value !== '' && value !== null)
  if (rows.length === 0) return null
  return html`<dl class="details">${rows.map(([name, value]) => html`<div><dt>${DETAIL_NAMES[name] ?? html`<code>${name}</code>`}</dt><dd>${detailValue(name, value)}</dd></div>`)}</dl>`
}

function detailValue(name: string, value: unknown): Fragment {
  if (name === 'amount' && typeof value === 'number') return amountText(value)
  if (name === 'scopes' && Array.isArray(value)) return scopeNames(value.map(String))
  if (name === 'role' && typeof value === 'string') return ROLE_NAMES[value as OperatorRole] ?? value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return UUID.test(text) ? html`<code class="id">${text}</code>` : html`<bdi>${text}</bdi>`
}
