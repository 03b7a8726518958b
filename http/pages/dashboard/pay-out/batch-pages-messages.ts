// Texts of batch-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    batches: 'Versements groupés de l’API et des programmes',
    bulkPayout: 'versement groupé',
    bulkPayouts: 'versements groupés',
    noBulkPayoutsYet: 'Aucun versement groupé pour le moment.',
    newBulkPayout: 'Nouveau versement groupé',
    correctFailedLines: 'Corriger les lignes en échec',
    paid: (paidAmount: Fragment, linesText: Fragment, linesCount: Fragment) =>
      html`<b>Versé : ${paidAmount}</b> (${linesText} sur ${linesCount}).`,
    failed: (failedAmount: Fragment, linesText: Fragment) => html`En échec : ${failedAmount} (${linesText}).`,
    linesBulkPayout: 'Lignes du versement groupé',
    paidAlready: 'Déjà versée',
    wouldFail: 'Échouerait',
  },
  en: {
    batches: 'Bulk payouts of the API and of schedules',
    bulkPayout: 'bulk payout',
    bulkPayouts: 'bulk payouts',
    noBulkPayoutsYet: 'No bulk payouts yet.',
    newBulkPayout: 'New bulk payout',
    correctFailedLines: 'Correct the failed lines',
    paid: (paidAmount, linesText, linesCount) => html`<b>Paid: ${paidAmount}</b> (${linesText} of ${linesCount}).`,
    failed: (failedAmount, linesText) => html`Failed: ${failedAmount} (${linesText}).`,
    linesBulkPayout: 'Lines of the bulk payout',
    paidAlready: 'Paid already',
    wouldFail: 'Would fail',
  },
})
