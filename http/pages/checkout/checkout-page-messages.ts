// Texts of checkout-page.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    pay: (amount: string, merchantName: string) => `Payer ${amount} à ${merchantName}`,
    linkDoesNotExistOr: 'Ce lien n’existe pas ou n’est pas complet. Demandez-en un nouveau à votre marchand.',
    appOnPhone: 'L’application est sur ce téléphone ?',
    openCauriApp: 'Ouvrir l’application Cauri',
    withoutAppPayOnPage: 'Sans l’application, payez sur cette page.',
    pay2: (merchantName: Fragment) => html`Payer à ${merchantName}`,
    fee: (fee: string, total: string) => `Frais : ${fee}, à votre charge. Total : ${total}.`,
    validFor: 'Valable encore',
    fiveMinutesLeftPay: 'Il reste cinq minutes pour payer.',
    oneMinuteLeftPay: 'Il reste une minute pour payer.',
    paymentReservedForCustomerWhom: 'Ce paiement est réservé au client désigné par le marchand.',
    wallet: (tag: Fragment, remaining: Fragment) => html`Votre portefeuille <bdi>@${tag}</bdi>. ${remaining}`,
    lessThanMinute: 'moins d’une minute',
    payOnPage: 'Payer sur cette page',
    thenConfirmPaymentWithCode: 'Vous confirmerez ensuite le paiement avec ce code et le code PIN de votre portefeuille.',
    confirmPayment: 'Confirmer le paiement',
    ifHasCauriWalletCode: (identifier: Fragment) =>
      html`Si <b>${identifier}</b> a un portefeuille Cauri, un code à 6 chiffres vient de lui être envoyé par SMS.`,
    payWithApp: 'Payer avec l’application',
    openCauriOnPhoneAnd: 'Ouvrez Cauri sur un téléphone et scannez ce code.',
    qrCodePaymentScanWith: 'Code QR de ce paiement, à scanner avec l’application Cauri',
    codeChangesEvery15Seconds: (token: Fragment) =>
      html`Ce code change toutes les 15 secondes. <a href="${token}">Actualiser la page</a> pour le renouveler.`,
    payWithSimulatedPhone: 'Payer avec le téléphone simulé',
    paid: (amount: Fragment, merchantName: Fragment) => html`Vous avez payé <b>${amount}</b> à ${merchantName}.`,
    refundedPaymentMoneyBackIn: (merchantName: Fragment, amount: Fragment) =>
      html`${merchantName} a remboursé ce paiement de <b>${amount}</b>. L’argent est de retour dans le portefeuille.`,
    linkNoLongerValidAnd: (merchantName: Fragment) =>
      html`Ce lien n’est plus valable et rien n’a été débité. Demandez-en un nouveau à ${merchantName}.`,
    cancelledPaymentRequestNothingWas: (merchantName: Fragment) =>
      html`${merchantName} a annulé cette demande de paiement. Rien n’a été débité.`,
  },
  en: {
    pay: (amount, merchantName) => `Pay ${amount} to ${merchantName}`,
    linkDoesNotExistOr: 'This link does not exist or is not complete. Ask your merchant for a new one.',
    appOnPhone: 'Is the app on this phone?',
    openCauriApp: 'Open the Cauri app',
    withoutAppPayOnPage: 'Without the app, pay on this page.',
    pay2: (merchantName) => html`Pay to ${merchantName}`,
    fee: (fee, total) => `Fee: ${fee}, which you pay. Total: ${total}.`,
    validFor: 'Valid for',
    fiveMinutesLeftPay: 'Five minutes are left to pay.',
    oneMinuteLeftPay: 'One minute is left to pay.',
    paymentReservedForCustomerWhom: 'This payment is reserved for the customer whom the merchant named.',
    wallet: (tag, remaining) => html`Your wallet <bdi>@${tag}</bdi>. ${remaining}`,
    lessThanMinute: 'less than a minute',
    payOnPage: 'Pay on this page',
    thenConfirmPaymentWithCode: 'You then confirm the payment with this code and the PIN of your wallet.',
    confirmPayment: 'Confirm the payment',
    ifHasCauriWalletCode: (identifier) => html`If <b>${identifier}</b> has a Cauri wallet, a code of 6 digits was just sent to it by SMS.`,
    payWithApp: 'Pay with the app',
    openCauriOnPhoneAnd: 'Open Cauri on a phone and scan this code.',
    qrCodePaymentScanWith: 'QR code of this payment, to scan with the Cauri app',
    codeChangesEvery15Seconds: (token) => html`This code changes every 15 seconds. <a href="${token}">Reload the page</a> to renew it.`,
    payWithSimulatedPhone: 'Pay with the simulated phone',
    paid: (amount, merchantName) => html`You paid <b>${amount}</b> to ${merchantName}.`,
    refundedPaymentMoneyBackIn: (merchantName, amount) =>
      html`${merchantName} refunded this payment of <b>${amount}</b>. The money is back in the wallet.`,
    linkNoLongerValidAnd: (merchantName) => html`This link is no longer valid and nothing was debited. Ask ${merchantName} for a new one.`,
    cancelledPaymentRequestNothingWas: (merchantName) => html`${merchantName} cancelled this payment request. Nothing was debited.`,
  },
})
