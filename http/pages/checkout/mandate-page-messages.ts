// Texts of mandate-page.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    authoriseDirectDebits: (merchantName: Fragment) => html`Autoriser les prélèvements de ${merchantName}`,
    theseDirectDebitsSuspendedBalance:
      'Ces prélèvements sont suspendus : le solde était insuffisant quatre fois de suite. Vous pouvez les autoriser de nouveau.',
    firstDebitAsSoonAs: 'Premier prélèvement dès votre accord.',
    paymentsPossibleAsSoonAs: 'Paiements possibles dès votre accord.',
    firstDebitOnAtEarliest: (first: Fragment) => html`Premier prélèvement le ${first} au plus tôt.`,
    paymentsPossibleOnAtEarliest: (first: Fragment) => html`Paiements possibles le ${first} au plus tôt.`,
    onePaymentOnly: 'Un seul paiement.',
    paymentsAtMost: (maxPayments: number) => `${maxPayments} paiements au plus.`,
    merchantAsksForEachPayment: 'Le marchand demande chaque paiement, sans jamais dépasser ce montant.',
    merchantAsksForEachPaymentOne: 'Le marchand demande chaque paiement, un seul par période, sans jamais dépasser ce montant.',
    endsOn: (longDate: string) => `Fin le ${longDate}.`,
    canEndItAtAny: 'Vous pouvez y mettre fin à tout moment dans l’application.',
    acceptOnPage: 'Accepter sur cette page',
    thenConfirmWithCodeAnd: 'Vous confirmerez ensuite avec ce code et le code PIN de votre portefeuille.',
    confirmAgreement: 'Confirmer votre accord',
    ifWalletRequestForCode: (identifier: Fragment) =>
      html`Si <b>${identifier}</b> est le portefeuille à qui cette demande s’adresse, un code à 6 chiffres vient de lui être envoyé par SMS.`,
    authoriseDirectDebits2: 'Autoriser les prélèvements',
    answerInApp: 'Répondre dans l’application',
    openCauriOnPhoneRequest: (merchantName: Fragment) =>
      html`Ouvrez Cauri sur votre téléphone : la demande de ${merchantName} vous y attend parmi vos prélèvements. Acceptez-la avec votre code PIN, ou refusez-la.`,
    ifDoNotAnswerNothing: 'Si vous ne répondez pas, rien ne sera prélevé.',
    directDebitsAuthorised: 'Prélèvements autorisés',
    authorisedDebitCanEndIt: (merchantName: Fragment, termsText: Fragment) =>
      html`Vous avez autorisé ${merchantName} à prélever <b>${termsText}</b>. Vous pouvez y mettre fin à tout moment dans l’application.`,
    requestRefused: 'Demande refusée',
    refusedRequestNothingWillBe: (merchantName: Fragment) => html`Vous avez refusé la demande de ${merchantName}. Rien ne sera prélevé.`,
    directDebitsCancelled: 'Prélèvements annulés',
    willDebitNothingMoreAuthorisation: (merchantName: Fragment) =>
      html`${merchantName} ne prélèvera plus rien : cette autorisation a pris fin.`,
    requestExpired: 'Demande expirée',
    requestNoLongerValidNothing: (merchantName: Fragment) =>
      html`Cette demande de ${merchantName} n’est plus valable. Rien de plus ne sera prélevé.`,
  },
  en: {
    authoriseDirectDebits: (merchantName) => html`Authorise direct debits of ${merchantName}`,
    theseDirectDebitsSuspendedBalance:
      'These direct debits are suspended: the balance was insufficient four times in a row. You can authorise them again.',
    firstDebitAsSoonAs: 'First debit as soon as you agree.',
    paymentsPossibleAsSoonAs: 'Payments are possible as soon as you agree.',
    firstDebitOnAtEarliest: (first) => html`First debit on ${first} at the earliest.`,
    paymentsPossibleOnAtEarliest: (first) => html`Payments are possible on ${first} at the earliest.`,
    onePaymentOnly: 'One payment only.',
    paymentsAtMost: (maxPayments) => `${maxPayments} payments at most.`,
    merchantAsksForEachPayment: 'The merchant asks for each payment, never above this amount.',
    merchantAsksForEachPaymentOne: 'The merchant asks for each payment, one per period, never above this amount.',
    endsOn: (longDate) => `Ends on ${longDate}.`,
    canEndItAtAny: 'You can end it at any time in the app.',
    acceptOnPage: 'Accept on this page',
    thenConfirmWithCodeAnd: 'You then confirm with this code and the PIN of your wallet.',
    confirmAgreement: 'Confirm your agreement',
    ifWalletRequestForCode: (identifier) =>
      html`If <b>${identifier}</b> is the wallet that this request is for, a code of 6 digits was just sent to it by SMS.`,
    authoriseDirectDebits2: 'Authorise the direct debits',
    answerInApp: 'Answer in the app',
    openCauriOnPhoneRequest: (merchantName) =>
      html`Open Cauri on your phone: the request of ${merchantName} waits there among your direct debits. Accept it with your PIN, or refuse it.`,
    ifDoNotAnswerNothing: 'If you do not answer, nothing will be debited.',
    directDebitsAuthorised: 'Direct debits authorised',
    authorisedDebitCanEndIt: (merchantName, termsText) =>
      html`You authorised ${merchantName} to debit <b>${termsText}</b>. You can end it at any time in the app.`,
    requestRefused: 'Request refused',
    refusedRequestNothingWillBe: (merchantName) => html`You refused the request of ${merchantName}. Nothing will be debited.`,
    directDebitsCancelled: 'Direct debits cancelled',
    willDebitNothingMoreAuthorisation: (merchantName) => html`${merchantName} will debit nothing more: this authorisation has ended.`,
    requestExpired: 'Request expired',
    requestNoLongerValidNothing: (merchantName) => html`This request of ${merchantName} is no longer valid. Nothing more will be debited.`,
  },
})
