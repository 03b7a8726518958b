// Texts of disbursement-check.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    fileHasAtMost: (linesText: Fragment, linesMax: Fragment) => html`Ce fichier a ${linesText} ; ${linesMax} au plus.`,
    theseLinesCannotBeRead:
      'Ces lignes ne peuvent pas être lues et ne seront pas versées. Corrigez-les maintenant ; ou plus tard, depuis la page du versement groupé.',
    theseLinesAreNotPaid: 'Ces lignes ne seront pas versées :',
    correctLines: 'Corriger les lignes',
    correctYourFile: 'Pour corriger, modifiez votre fichier et envoyez-le de nouveau.',
    abandon: 'Abandonner',
    checkBulkPayout: 'Vérifier le versement groupé',
    of: (amount: Fragment, linesText: Fragment, length: Fragment) => html`<b>${amount}</b> (${linesText} sur ${length})`,
    availableBalanceNotEnoughFor: (available: Fragment) =>
      html`Le solde disponible, ${available}, ne suffit pas pour toutes ces lignes : le versement se mettra en pause et reprendra quand vous aurez approvisionné le compte.`,
    pay: (linesText: string, amount: string) => `Verser ${linesText}, ${amount}`,
    sendForApproval: (linesText: string, amount: string) => `Demander l’approbation de ${linesText}, ${amount}`,
    needsApproval: (above: Fragment) => html`Au-dessus de ${above}, une deuxième personne doit approuver le versement.`,
    withinLast72HoursSame: (value: Fragment) =>
      html`${value} depuis moins de 72 heures : même destinataire, même montant. Voir la colonne Résultat.`,
    werePaidAlready: (linesText: string) => `${linesText} ont déjà été versées`,
    oneLineWasPaidAlready: 'Une ligne a déjà été versée',
    only: (linesText: string, amount: string) => `Garder seulement ${linesText}, ${amount}`,
    payEverythingAlsoWhatWas: (linesText: string, amount: string) => `Tout verser, aussi ce qui l’a déjà été : ${linesText}, ${amount}`,
    onlyLinesNotPaidShown: (length: string, length2: string) =>
      `Seules les lignes qui ne seront pas versées sont montrées : ${length} sur ${length2}.`,
    sameLinesWithSameReference: (dateText: Fragment) =>
      html`Les mêmes lignes avec la même référence ont été envoyées le ${dateText}. Rien n’a été versé une seconde fois.`,
    anotherBulkPayoutCheckAgain: 'C’est un autre versement groupé : vérifier de nouveau',
    otherReference: 'Si c’est un autre versement groupé, donnez-lui une autre référence.',
    seeIt: 'Voir ce versement groupé',
    fileAlreadyProcessed: 'Fichier déjà envoyé',
  },
  en: {
    fileHasAtMost: (linesText, linesMax) => html`This file has ${linesText}; ${linesMax} at most.`,
    theseLinesCannotBeRead:
      'These lines cannot be read and will not be paid. Correct them now; or later, from the page of the bulk payout.',
    theseLinesAreNotPaid: 'These lines will not be paid:',
    correctLines: 'Correct the lines',
    correctYourFile: 'To correct it, change your file and send it again.',
    abandon: 'Abandon',
    checkBulkPayout: 'Check the bulk payout',
    of: (amount, linesText, length) => html`<b>${amount}</b> (${linesText} of ${length})`,
    availableBalanceNotEnoughFor: (available) =>
      html`The available balance, ${available}, is not enough for all these lines: the payout will pause, and go on when you have topped up the account.`,
    pay: (linesText, amount) => `Pay ${linesText}, ${amount}`,
    sendForApproval: (linesText, amount) => `Ask for approval of ${linesText}, ${amount}`,
    needsApproval: (above) => html`Above ${above}, a second person must approve the payout.`,
    withinLast72HoursSame: (value) => html`${value} within the last 72 hours: same recipient, same amount. See the column Result.`,
    werePaidAlready: (linesText) => `${linesText} were paid already`,
    oneLineWasPaidAlready: 'One line was paid already',
    only: (linesText, amount) => `Keep only ${linesText}, ${amount}`,
    payEverythingAlsoWhatWas: (linesText, amount) => `Pay everything, also what was paid already: ${linesText}, ${amount}`,
    onlyLinesNotPaidShown: (length, length2) => `Only the lines that will not be paid are shown: ${length} of ${length2}.`,
    sameLinesWithSameReference: (dateText) =>
      html`The same lines with the same reference were sent on ${dateText}. Nothing was paid a second time.`,
    anotherBulkPayoutCheckAgain: 'This is another bulk payout: check again',
    otherReference: 'If this is another bulk payout, give it another reference.',
    seeIt: 'See this bulk payout',
    fileAlreadyProcessed: 'File already sent',
  },
})
