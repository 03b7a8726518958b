// Texts of request-routes.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    topUpCredited: 'L’approvisionnement est crédité.',
    topUpRefused: 'L’approvisionnement est refusé.',
    withdrawalPaid: 'Le retrait est payé.',
    withdrawalRefusedAmountReturned: 'Le retrait est refusé : le montant est rendu.',
    merchantActivated: 'Le marchand est activé.',
    noSuchFile: 'Ce marchand n’a pas ce fichier.',
    activationRefused: 'L’activation est refusée.',
    requestedSecondPersonFinanceMust: 'Demandé : une seconde personne de la finance doit approuver ce mouvement. Rien n’a bougé.',
    activations: 'Activations',
    typeReceivedAmountWholeNumber: 'Saisissez le montant reçu : un nombre entier, en F CFA, supérieur à zéro.',
    typeReferenceTransfer140Characters: 'Saisissez la référence du virement, de 140 caractères au plus.',
    noRequestsYet: 'Aucune demande pour le moment.',
    receivedAmountFCfa: 'Montant reçu (F CFA)',
    reference: (merchantName: Fragment, paymentReference: Fragment, since: Fragment) =>
      html`${merchantName}, référence <strong>${paymentReference}</strong>, ${since}`,
    credit: 'Créditer',
    markAsPaid: 'Marquer comme payé',
    referenceSentTransfer: 'Référence du virement envoyé',
    roleDoesNotAllowDecision: 'Votre rôle ne permet pas d’en décider.',
    secondPersonMustDecideMovements: (base: Fragment) =>
      html`Une seconde personne doit décider : <a href="${base}/../approvals">Demandes à approuver</a>`,
    reasonShownMerchant: 'Raison, montrée au marchand',
  },
  en: {
    topUpCredited: 'The top-up is credited.',
    topUpRefused: 'The top-up is refused.',
    withdrawalPaid: 'The withdrawal is paid.',
    withdrawalRefusedAmountReturned: 'The withdrawal is refused: the amount is returned.',
    merchantActivated: 'The merchant is activated.',
    noSuchFile: 'This merchant has no such file.',
    activationRefused: 'The activation is refused.',
    requestedSecondPersonFinanceMust: 'Requested: a second person of finance must approve this movement. Nothing moved.',
    activations: 'Activations',
    typeReceivedAmountWholeNumber: 'Type the received amount: a whole number in F CFA, above zero.',
    typeReferenceTransfer140Characters: 'Type the reference of the transfer, 140 characters at most.',
    noRequestsYet: 'No requests yet.',
    receivedAmountFCfa: 'Received amount (F CFA)',
    reference: (merchantName, paymentReference, since) => html`${merchantName}, reference <strong>${paymentReference}</strong>, ${since}`,
    credit: 'Credit',
    markAsPaid: 'Mark as paid',
    referenceSentTransfer: 'Reference of the sent transfer',
    roleDoesNotAllowDecision: 'Your role does not allow this decision.',
    secondPersonMustDecideMovements: (base) => html`A second person must decide: <a href="${base}/../approvals">Requests to approve</a>`,
    reasonShownMerchant: 'Reason, shown to the merchant',
  },
})
