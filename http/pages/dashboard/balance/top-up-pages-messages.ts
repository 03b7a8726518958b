// Texts of top-up-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    waitingForTransfer: 'En attente du virement',
    topUp: 'approvisionnement',
    topUps: 'approvisionnements',
    noTopUpsYet: 'Aucun approvisionnement pour le moment.',
    announceAmountThenSendMoney:
      'Annoncez le montant, puis envoyez l’argent avec la référence de paiement que vous recevez. Il est crédité quand il est arrivé.',
    topUpAccount: 'Approvisionner le compte',
    topUp2: (amount: Fragment) => html`Approvisionnement de ${amount}`,
    refusedCorrectItThenAnnounce: (reason: Fragment) =>
      html`Refusé : <bdi>${reason}</bdi> Corrigez puis annoncez un nouvel approvisionnement.`,
    howSent: 'Comment l’envoyez-vous ?',
    announcedAmount: 'Montant annoncé',
    sendMoney: 'Envoyer l’argent',
    referenceWriteInRemittanceText: (copyable: Fragment) => html`Référence à écrire dans le motif : <strong>${copyable}</strong>`,
    confirmReceiptTest: 'Confirmer la réception (test)',
    moneyHaveAlreadySentWould: 'L’argent que vous auriez déjà envoyé ne serait plus attendu.',
  },
  en: {
    waitingForTransfer: 'Waiting for the transfer',
    topUp: 'top-up',
    topUps: 'top-ups',
    noTopUpsYet: 'No top-ups yet.',
    announceAmountThenSendMoney:
      'Announce the amount, then send the money with the payment reference that you get. It is credited when it has arrived.',
    topUpAccount: 'Top up the account',
    topUp2: (amount) => html`Top-up of ${amount}`,
    refusedCorrectItThenAnnounce: (reason) => html`Refused: <bdi>${reason}</bdi> Correct it, then announce a new top-up.`,
    howSent: 'How do you send it?',
    announcedAmount: 'Announced amount',
    sendMoney: 'Send the money',
    referenceWriteInRemittanceText: (copyable) => html`Reference to write in the remittance text: <strong>${copyable}</strong>`,
    confirmReceiptTest: 'Confirm the receipt (test)',
    moneyHaveAlreadySentWould: 'Money that you have already sent would no longer be expected.',
  },
})
