// Texts of schedule-check.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    checkScheduledPayout: 'Vérifier le versement programmé',
    in: (total: Fragment, linesText: Fragment) => html`${total} en ${linesText}`,
    balanceAfterOneRun: 'Solde après une fois',
    todaysBalanceNotEnoughFor: 'Le solde d’aujourd’hui ne suffit pas pour une exécution : approvisionnez le compte avant sa date.',
    tagOrPhoneRecipientNot: 'le @tag ou le téléphone du destinataire n’est pas valide',
    amountNotWholeNumberAbove: 'le montant n’est pas un nombre entier supérieur à zéro',
    referenceNotValid: 'la référence n’est pas valide',
    noteNotValid: 'la note n’est pas valide',
    lineHasUnknownField: 'la ligne comporte un champ inconnu',
    currencyNotAccount: 'la devise n’est pas celle du compte',
    theseLinesWouldFailToday: 'Ces lignes échoueraient aujourd’hui :',
  },
  en: {
    checkScheduledPayout: 'Check the scheduled payout',
    in: (total, linesText) => html`${total} in ${linesText}`,
    balanceAfterOneRun: 'Balance after one run',
    todaysBalanceNotEnoughFor: 'Today’s balance is not enough for one run: top up the account before its date.',
    tagOrPhoneRecipientNot: 'the @tag or phone of the recipient is not valid',
    amountNotWholeNumberAbove: 'the amount is not a whole number above zero',
    referenceNotValid: 'the reference is not valid',
    noteNotValid: 'the note is not valid',
    lineHasUnknownField: 'the line has an unknown field',
    currencyNotAccount: 'the currency is not that of the account',
    theseLinesWouldFailToday: 'These lines would fail today:',
  },
})
