// Texts of batch-check.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    fileHasAtMost: (linesText: Fragment, batchfilelinesmax: Fragment) => html`Ce fichier a ${linesText} ; ${batchfilelinesmax} au plus.`,
    theseLinesCannotBeRead:
      'Ces lignes ne peuvent pas être lues et ne seront pas versées. Corrigez-les maintenant ou plus tard : quand vous renvoyez le fichier corrigé, les lignes déjà versées sont mises à part.',
    correctLines: 'Corriger les lignes',
    checkBulkPayout: 'Vérifier le versement groupé',
    theseLinesWouldFail: 'Ces lignes échoueraient :',
    of: (amount: Fragment, linesText: Fragment, length: Fragment) => html`<b>${amount}</b> (${linesText} sur ${length})`,
    availableBalanceNotEnoughFor: (available: Fragment) =>
      html`Le solde disponible, ${available}, ne suffit pas pour toutes ces lignes : les dernières échoueront.`,
    pay: (linesText: Fragment, amount: Fragment) => html`Verser ${linesText}, ${amount}`,
    withinLast72HoursSame: (value: Fragment) =>
      html`${value} depuis moins de 72 heures : même destinataire, même montant. Voir la colonne Résultat.`,
    werePaidAlready: (linesText: string) => `${linesText} ont déjà été versées`,
    oneLineWasPaidAlready: 'Une ligne a déjà été versée',
    payOnly: (linesText: Fragment, amount: Fragment) => html`Verser seulement ${linesText}, ${amount}`,
    payEverythingAlsoWhatWas: (linesText: Fragment, amount: Fragment) =>
      html`Tout verser, aussi ce qui l’a déjà été : ${linesText}, ${amount}`,
    onlyLinesWouldFailShown: (length: string, length2: string) =>
      `Seules les lignes qui échoueraient sont montrées : ${length} sur ${length2}.`,
    fileProcessedAlreadyOnlyOthers: (linesText: Fragment, value: Fragment) =>
      html`${linesText} de ce fichier sont <a href="${value}">déjà traitées</a> : seules les autres seront versées.`,
    sameLinesWithSameReference: (dateText: Fragment) =>
      html`Les mêmes lignes avec la même référence ont été traitées le ${dateText}. Rien n’a été versé une seconde fois.`,
    anotherBulkPayoutCheckAgain: 'C’est un autre versement groupé : vérifier de nouveau',
    fileAlreadyProcessed: 'Fichier déjà traité',
  },
  en: {
    fileHasAtMost: (linesText, batchfilelinesmax) => html`This file has ${linesText}; ${batchfilelinesmax} at most.`,
    theseLinesCannotBeRead:
      'These lines cannot be read and will not be paid. Correct them now or later: when you send the corrected file, the lines that are paid already are set apart.',
    correctLines: 'Correct the lines',
    checkBulkPayout: 'Check the bulk payout',
    theseLinesWouldFail: 'These lines would fail:',
    of: (amount, linesText, length) => html`<b>${amount}</b> (${linesText} of ${length})`,
    availableBalanceNotEnoughFor: (available) =>
      html`The available balance, ${available}, is not enough for all these lines: the last ones will fail.`,
    pay: (linesText, amount) => html`Pay ${linesText}, ${amount}`,
    withinLast72HoursSame: (value) => html`${value} within the last 72 hours: same recipient, same amount. See the column Result.`,
    werePaidAlready: (linesText) => `${linesText} were paid already`,
    oneLineWasPaidAlready: 'One line was paid already',
    payOnly: (linesText, amount) => html`Pay only ${linesText}, ${amount}`,
    payEverythingAlsoWhatWas: (linesText, amount) => html`Pay everything, also what was paid already: ${linesText}, ${amount}`,
    onlyLinesWouldFailShown: (length, length2) => `Only the lines that would fail are shown: ${length} of ${length2}.`,
    fileProcessedAlreadyOnlyOthers: (linesText, value) =>
      html`${linesText} of this file are <a href="${value}">processed already</a>: only the others will be paid.`,
    sameLinesWithSameReference: (dateText) =>
      html`The same lines with the same reference were processed on ${dateText}. Nothing was paid a second time.`,
    anotherBulkPayoutCheckAgain: 'This is another bulk payout: check again',
    fileAlreadyProcessed: 'File already processed',
  },
})
