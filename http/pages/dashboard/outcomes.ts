// What became of payouts, in words: the message above a page after its form, and for each reason of a failure what to do
// next.
import type { BatchReport } from '../../../engine/contract/batch.ts'
import type { PayoutFailureCode } from '../../../engine/contract/errors.ts'
import type { Payout } from '../../../engine/contract/payout.ts'
import { PAYOUT_FAILURE_MESSAGES } from '../../text/payout-failure-messages.ts'
import { type Fragment, html } from '../html.ts'
import type { Sum } from './batch-parts.ts'
import type { Outcome } from './notes.ts'

export function payoutOutcome({ state }: Pick<Payout, 'state'>): Outcome {
  if (state === 'paid') return { words: 'Le versement est fait.', tone: 'good' }
  return { words: 'Le versement a échoué : rien n’a été débité.', tone: 'bad' }
}

export function linesOutcome({ paidCount, failedCount }: Pick<Sum, 'paidCount' | 'failedCount'>): Outcome {
  if (failedCount === 0) return { words: 'Toutes les lignes sont versées.', tone: 'good' }
  if (paidCount === 0) return { words: 'Aucune ligne n’est versée. La raison est indiquée pour chaque ligne.', tone: 'bad' }
  const failed = failedCount > 1 ? `${failedCount} lignes ont échoué` : 'Une ligne a échoué'
  return { words: `${failed}. Les autres sont versées. La raison est indiquée pour chaque ligne en échec.`, tone: 'wait' }
}

/** What to do next, for each reason. */
const ADVICE: Readonly<Record<PayoutFailureCode, string>> = {
  insufficient_balance: 'Approvisionnez le compte, puis versez de nouveau.',
  recipient_not_found: 'Vérifiez le @tag ou le téléphone avec le destinataire, puis versez de nouveau.',
  recipient_blocked: 'Demandez au destinataire de contacter le service, ou choisissez un autre destinataire.',
  recipient_check_limited: 'Vérifiez le destinataire avec lui, attendez quelques minutes, puis versez de nouveau.',
  merchant_limit_exceeded: 'Contactez le service pour relever vos limites, ou versez moins.',
  recipient_limit_exceeded: 'Le destinataire doit d’abord retirer de l’argent. Versez ensuite de nouveau.',
  key_limit_exceeded: 'Demandez au propriétaire du compte de relever le plafond de la clé, ou versez demain.',
  merchant_suspended: 'Contactez le service : la raison est indiquée en haut de l’accueil.',
  live_not_activated: 'Activez d’abord le compte, puis versez de nouveau.',
  invalid_amount: 'Saisissez un nombre entier, en F CFA, supérieur à zéro.',
  invalid_recipient: 'Saisissez un @tag, ou un téléphone avec + et l’indicatif du pays.',
  invalid_reference: 'Raccourcissez la référence : une ligne de 255 caractères au plus.',
  invalid_note: 'Raccourcissez la note.',
  unknown_field: 'Vérifiez l’orthographe des champs de la ligne, ou retirez ceux qui sont inconnus.',
  currency_mismatch: 'Choisissez un destinataire dont le portefeuille a la devise du compte.',
  unsupported_currency: 'Retirez la devise : la ligne est versée dans celle du compte.',
}

/** Returns the reason of a failed payout and what to do next. */
export function failureText(code: PayoutFailureCode): string {
  return `${PAYOUT_FAILURE_MESSAGES.fr[code]} ${ADVICE[code]}`
}

/** Renders each reason once, with its number of lines and what to do next; nothing without a failed line. */
export function failureReasons(lines: readonly Pick<BatchReport['items'][number], 'failure_code'>[]): Fragment {
  const counts = new Map<PayoutFailureCode, number>()
  for (const { failure_code } of lines) {
    if (failure_code !== undefined) counts.set(failure_code, (counts.get(failure_code) ?? 0) + 1)
  }
  if (counts.size === 0) return null
  return html`<ul>${[...counts].map(([code, count]) => html`<li>${count} ${count > 1 ? 'lignes' : 'ligne'} : ${failureText(code)}</li>`)}</ul>`
}
