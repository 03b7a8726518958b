// Texts of batch-run.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    processedPaidFailed: (linesText: Fragment, prettyCount: Fragment, paidAmount: Fragment, linesText2: Fragment) =>
      html`<b>${linesText} sur ${prettyCount} traitées.</b> Versé : ${paidAmount}. En échec : ${linesText2}.`,
    processedLines: 'Lignes traitées',
    continueLeft: (linesText: string) => `Continuer : encore ${linesText}`,
    whatPaidStaysPaidIf:
      'Ce qui est versé le reste, quoi qu’il arrive. Si cette page se ferme, envoyez le même fichier : le versement reprend à la suite.',
    payoutInProgress: 'Versement en cours',
    allBulkPayouts: 'Tous les versements groupés',
    filePaid: 'Fichier versé',
    filePartlyPaid: 'Fichier versé en partie',
    partsProcessedSendSameFile: (length: number, partsCount: number) =>
      `Parties traitées : ${length} sur ${partsCount}. Envoyez le même fichier pour verser la suite.`,
    part: (address: Fragment, part: Fragment, paidCount: Fragment, linesText: Fragment) =>
      html`<a href="${address}">Partie ${part}</a> : ${paidCount} sur ${linesText}`,
  },
  en: {
    processedPaidFailed: (linesText, prettyCount, paidAmount, linesText2) =>
      html`<b>${linesText} of ${prettyCount} processed.</b> Paid: ${paidAmount}. Failed: ${linesText2}.`,
    processedLines: 'Processed lines',
    continueLeft: (linesText) => `Continue: ${linesText} left`,
    whatPaidStaysPaidIf: 'What is paid stays paid. If this page closes, send the same file: the payout goes on where it stopped.',
    payoutInProgress: 'Payout in progress',
    allBulkPayouts: 'All bulk payouts',
    filePaid: 'File paid',
    filePartlyPaid: 'File partly paid',
    partsProcessedSendSameFile: (length, partsCount) => `Parts processed: ${length} of ${partsCount}. Send the same file to pay the rest.`,
    part: (address, part, paidCount, linesText) => html`<a href="${address}">Part ${part}</a>: ${paidCount} of ${linesText}`,
  },
})
