// Limits of a wallet on its page of the desk: its tier, what each limit allows, what counts against it, what is left.
import { type MyLimits, WALLET_LIMITS, type WalletLimit } from '../../../engine/contract/limits.ts'
import type { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const TEXTS = texts({
  fr: {
    noTier: 'Aucun niveau : aucune limite.',
    tier: (name: Fragment) => html`Niveau : <b><bdi>${name}</bdi></b>`,
    limit: 'Limite',
    used: 'Compté',
    left: 'Reste',
    unlimited: 'sans limite',
    balance: 'Solde',
    receivedInMonth: 'Reçu dans le mois',
    paidInDay: 'Payé dans la journée',
    paidInMonth: 'Payé dans le mois',
  },
  en: {
    noTier: 'No tier: no limit.',
    tier: (name) => html`Tier: <b><bdi>${name}</bdi></b>`,
    limit: 'Limit',
    used: 'Counted',
    left: 'Left',
    unlimited: 'no limit',
    balance: 'Balance',
    receivedInMonth: 'Received in the month',
    paidInDay: 'Paid in the day',
    paidInMonth: 'Paid in the month',
  },
})

const LIMIT_NAMES: Readonly<Record<WalletLimit, Text>> = {
  balance_max: TEXTS.balance,
  received_month_max: TEXTS.receivedInMonth,
  sent_day_max: TEXTS.paidInDay,
  sent_month_max: TEXTS.paidInMonth,
}

export function walletLimitsPart({ tier, limits, used, left }: MyLimits, currency: string): Html {
  if (tier === null) return html`<p class="hint">${TEXTS.noTier}</p>`
  const amount = (value: number | null): Fragment => (value === null ? TEXTS.unlimited : amountText(value, currency))
  const columns: readonly Column<WalletLimit>[] = [
    { name: TEXTS.limit, isHeader: true, cell: (name) => LIMIT_NAMES[name] },
    { name: WORDS.maximum, isFigure: true, card: 'amount', cell: (name) => amount(limits[name]) },
    { name: TEXTS.used, isFigure: true, cell: (name) => amountText(used[name], currency) },
    { name: TEXTS.left, isFigure: true, cell: (name) => amount(left[name]) },
  ]
  return html`<p>${TEXTS.tier(tier)}</p>${dataTable({ name: OPERATOR_WORDS.limits, columns, rows: WALLET_LIMITS })}`
}
