// Words for movements that wait for a second operator: the kind of a movement, and the account whose balance changes.

import type { Approval } from '../../../engine/contract/approval.ts'
import type { Text } from '../../text/text.ts'
import { type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import type { Desk } from './desk.ts'

const TEXTS = texts({
  fr: {
    topUp: 'Approvisionnement',
    withdrawalPayment: 'Paiement d’un retrait',
    ruleChange: 'Changement de règles',
    allOfLive: 'toute la production',
  },
  en: {
    topUp: 'Top-up',
    withdrawalPayment: 'Payment of a withdrawal',
    ruleChange: 'Change of rules',
    allOfLive: 'all of live',
  },
})

export const APPROVAL_NAMES: Readonly<Record<Approval['kind'], Text>> = {
  deposit: WORDS.deposit,
  withdrawal: WORDS.withdrawal,
  top_up_confirmation: TEXTS.topUp,
  withdrawal_payment: TEXTS.withdrawalPayment,
  rule_change: TEXTS.ruleChange,
}

/** Renders the account whose balance changes, by its name. */
export function accountName({ engine }: Pick<Desk, 'engine'>, { merchant_id, tag }: Pick<Approval, 'merchant_id' | 'tag'>): Html | Text {
  if (merchant_id === null) return tag === null ? TEXTS.allOfLive : html`<bdi>@${tag}</bdi>`
  return html`<bdi>${engine.query('merchants.byId', { id: merchant_id })?.name ?? merchant_id}</bdi>`
}
