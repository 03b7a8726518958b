// Words for movements that wait for a second operator: the kind of a movement, and the account whose balance changes.
import type { Approval } from '../../../engine/contract/approval.ts'
import { type Html, html } from '../html.ts'
import type { Desk } from './desk.ts'

export const APPROVAL_NAMES: Readonly<Record<Approval['kind'], string>> = {
  deposit: 'Dépôt',
  withdrawal: 'Retrait',
  top_up_confirmation: 'Approvisionnement',
  withdrawal_payment: 'Paiement d’un retrait',
  rule_change: 'Changement de règles',
}

/** Renders the account whose balance changes, by its name. */
export function accountName({ engine }: Pick<Desk, 'engine'>, { merchant_id, tag }: Pick<Approval, 'merchant_id' | 'tag'>): Html {
  if (merchant_id === null) return tag === null ? html`toute la production` : html`<bdi>@${tag}</bdi>`
  return html`<bdi>${engine.query('merchants.byId', { id: merchant_id })?.name ?? merchant_id}</bdi>`
}
