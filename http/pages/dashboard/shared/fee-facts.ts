// Fees on the pages of the dashboard: what a movement would cost by the rules as they are now, and the facts about a fee that was taken.
// Without a plan nothing of it is shown.
import type { FeeKind } from '../../../../engine/contract/fees.ts'
import type { TransactionDetail } from '../../../../engine/contract/transaction.ts'
import type { Text } from '../../../text/text.ts'
import type { Fragment } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { type Column, money } from './dashboard-parts.ts'
import type { Visit } from './dashboard-visit.ts'

export const FEE_WORDS = texts({
  fr: {
    borneByMerchant: 'Frais, à votre charge',
    borneByPayer: 'Frais, payés par le client',
    paidByMerchant: 'Frais, payés par le marchand',
  },
  en: {
    borneByMerchant: 'Fee, borne by you',
    borneByPayer: 'Fee, paid by the customer',
    paidByMerchant: 'Fee, paid by the merchant',
  },
})

/** Returns the fee of a payout or withdrawal of the amount, which the merchant bears. */
export function feeNow(
  { app, principal }: Pick<Visit, 'app' | 'principal'>,
  on: FeeKind & ('payout' | 'withdrawal'),
  amount: number,
): number {
  return app.engine.query('fees.now', { on, account: principal.account, amount }).fee
}

/** Returns whether any plan of the operator has fees, in the merchant's currency. */
export function hasFees({ app, environment, currency }: Pick<Visit, 'app' | 'environment' | 'currency'>): boolean {
  return app.engine.query('fees.rules', { environment, currency }).plans.length > 0
}

type Fact = readonly [name: Text, value: Fragment]

/** Facts of a check: the fee, and the amount with it. */
export function feeChecked(amount: number, fee: number, currency: string): readonly Fact[] {
  if (fee === 0) return []
  return [
    [WORDS.fee, money(fee, currency)],
    [WORDS.total, money(amount + fee, currency)],
  ]
}

/** The column of the fees of lines; none where no line has one. */
export function feeColumn<Line extends { readonly fee: number }>(lines: readonly Line[], currency: string): readonly Column<Line>[] {
  if (lines.every(({ fee }) => fee === 0)) return []
  return [{ name: WORDS.fee, isFigure: true, card: 'about', cell: ({ fee }) => (fee === 0 ? null : money(fee, currency)) }]
}

/** Returns whether the payer bore the fee of the merchant's payment. The record of the payment does not say it. */
export async function isBorneByPayer(visit: Visit, transactionId: string | null): Promise<boolean> {
  const answer = await visit.ask<TransactionDetail>('getTransaction', { params: [transactionId ?? ''] })
  return answer.ok && answer.body.fee === 0
}

/** The fact of a payment's fee; none without one. */
export async function feeOfPayment(
  visit: Visit,
  { fee, currency, transaction_id }: { readonly fee: number; readonly currency: string; readonly transaction_id: string | null },
): Promise<readonly Fact[]> {
  if (fee === 0) return []
  const isPayers = await isBorneByPayer(visit, transaction_id)
  return [[isPayers ? FEE_WORDS.borneByPayer : FEE_WORDS.borneByMerchant, money(fee, currency)]]
}
