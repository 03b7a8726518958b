// Texts of schedule-form.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    once: 'Une fois',
    firstTimeOn: 'Première fois, le',
    schedule: 'Programmer',
    pastRunsDoNotChange: 'Les exécutions déjà faites ne changent pas.',
    changeNothing: 'Ne rien changer',
    editScheduledPayout: 'Modifier le versement programmé',
    nextTimeOn: 'Prochaine fois, le',
    itReplacesLinesPastedBelow: 'Il remplace les lignes collées ci-dessous.',
    linesPayEachTime: 'Lignes à verser à chaque fois',
    oneLinePerPayoutRecipient: 'Une ligne par versement : destinataire (@tag ou téléphone), montant, référence, note.',
    linesOfBulkPayout: (address: Fragment) =>
      html`À chaque fois sont versées les lignes valides de <a href="${address}">ce versement groupé</a>, aussi celles qui ont échoué.`,
    linesWithoutReferenceTakeIt: 'Les lignes sans référence la reprennent.',
    chooseDateAndTimeIn: 'Choisissez une date et une heure dans le futur.',
    noWalletHasTagOr: 'aucun portefeuille n’a ce @tag ou ce téléphone aujourd’hui',
    walletRecipientCannotReceiveMoney: 'le portefeuille du destinataire ne peut pas recevoir d’argent aujourd’hui',
    itWasPaidSameAmount: 'le même montant lui a été versé depuis moins de 72 heures',
    lineAboveHasSameRecipient: 'une ligne plus haut a le même destinataire, le même montant et la même référence',
    line: (index: Fragment, theirs: Fragment, warnings: Fragment) => html`Ligne ${index}, ${theirs} : ${warnings}`,
    scheduledPayoutSavedCheckThese: 'Le versement programmé est enregistré. Vérifiez ces lignes avant la prochaine exécution :',
  },
  en: {
    once: 'Once',
    firstTimeOn: 'First time, on',
    schedule: 'Schedule',
    pastRunsDoNotChange: 'Past runs do not change.',
    changeNothing: 'Change nothing',
    editScheduledPayout: 'Edit the scheduled payout',
    nextTimeOn: 'Next time, on',
    itReplacesLinesPastedBelow: 'It replaces the lines pasted below.',
    linesPayEachTime: 'Lines to pay each time',
    oneLinePerPayoutRecipient: 'One line per payout: recipient (@tag or phone), amount, reference, note.',
    linesOfBulkPayout: (address) =>
      html`Each time pays the valid lines of <a href="${address}">this bulk payout</a>, those that failed too.`,
    linesWithoutReferenceTakeIt: 'Lines without a reference take it.',
    chooseDateAndTimeIn: 'Choose a date and time in the future.',
    noWalletHasTagOr: 'no wallet has this @tag or phone today',
    walletRecipientCannotReceiveMoney: 'the wallet of the recipient cannot receive money today',
    itWasPaidSameAmount: 'it was paid the same amount within the last 72 hours',
    lineAboveHasSameRecipient: 'a line above has the same recipient, amount and reference',
    line: (index, theirs, warnings) => html`Line ${index}, ${theirs}: ${warnings}`,
    scheduledPayoutSavedCheckThese: 'The scheduled payout is saved. Check these lines before the next run:',
  },
})
