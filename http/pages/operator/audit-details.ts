// What an action of an operator was about, in words: the name of its target, and the parameters of the request.
import type { OperatorAction, OperatorRole } from '../../../engine/contract/operator.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { type Desk, ROLE_NAMES } from './desk.ts'
import { scopeNames } from './merchant-routes.ts'

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

const DETAIL_NAMES: Readonly<Record<string, string>> = {
  amount: 'Montant',
  approval_id: 'Approbation',
  email: 'Adresse e-mail',
  file: 'Logo',
  key_id: 'Clé API',
  label: 'Libellé',
  merchant_id: 'Marchand',
  name: 'Nom',
  payment_reference: 'Référence de paiement',
  reason: 'Raison',
  reference: 'Référence',
  requested_by: 'Demandé par',
  role: 'Rôle',
  scopes: 'Droits',
  transaction_id: 'Transaction',
  unknown_recipients: 'Destinataires inconnus d’affilée',
  unknown_recipients_per_minute: 'Destinataires inconnus par minute',
}

/** Parameters without a value are left out. */
export function detailList(details: object): Fragment {
  const rows = Object.entries(details).filter(([, value]) => value !== '' && value !== null)
  if (rows.length === 0) return null
  return html`<dl class="details">${rows.map(([name, value]) => html`<div><dt>${DETAIL_NAMES[name] ?? html`<code>${name}</code>`}</dt><dd>${detailValue(name, value)}</dd></div>`)}</dl>`
}

function detailValue(name: string, value: unknown): Fragment {
  if (name === 'amount' && typeof value === 'number') return prettyAmount(value)
  if (name === 'scopes' && Array.isArray(value)) return scopeNames(value.map(String))
  if (name === 'role' && typeof value === 'string') return ROLE_NAMES[value as OperatorRole] ?? value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return UUID.test(text) ? html`<code class="id">${text}</code>` : html`<bdi>${text}</bdi>`
}
