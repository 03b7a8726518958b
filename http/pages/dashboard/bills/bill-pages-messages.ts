// Texts of bill-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    nothingDeliver: 'Rien à livrer',
    delivered: 'Livré',
    bill: 'facture',
    noPaidBillsYet: 'Aucune facture payée pour le moment.',
    codeRuns: 'Exécutions du code',
    bill2: (amount: Fragment) => html`Facture de ${amount}`,
    deliveryFailedReasonBelowMend:
      'La livraison a échoué : la raison est ci-dessous. Corrigez le code du produit puis relancez la livraison, ou remboursez le client.',
    startDeliveryAgain: 'Relancer la livraison',
    codeHasAlreadySucceededFor: 'Le code a déjà réussi pour cette facture. Il sera exécuté une fois de plus, et bill.paid sera renvoyé.',
    runCodeAgain: 'Exécuter le code à nouveau',
  },
  en: {
    nothingDeliver: 'Nothing to deliver',
    delivered: 'Delivered',
    bill: 'bill',
    noPaidBillsYet: 'No paid bills yet.',
    codeRuns: 'Code runs',
    bill2: (amount) => html`Bill of ${amount}`,
    deliveryFailedReasonBelowMend:
      'The delivery failed: the reason is below. Mend the code of the product and start the delivery again, or refund the customer.',
    startDeliveryAgain: 'Start the delivery again',
    codeHasAlreadySucceededFor: 'The code has already succeeded for this bill. It will run once more, and bill.paid will be sent again.',
    runCodeAgain: 'Run the code again',
  },
})
