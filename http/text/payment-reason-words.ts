// Names of the reasons of refunds and of problems with a payment, in both languages.
import type { PaymentReason } from '../../engine/contract/payment-reason.ts'
import { Text } from './text.ts'

const named = (fr: string, en: string): Text => new Text((language) => (language === 'fr' ? fr : en))

export const PAYMENT_REASON_WORDS: Readonly<Record<PaymentReason, Text>> = {
  paid_twice: named('Payé deux fois', 'Paid twice'),
  wrong_amount: named('Montant erroné', 'Wrong amount'),
  not_received: named('Non reçu', 'Not received'),
  not_as_agreed: named('Non conforme', 'Not as agreed'),
  cancelled: named('Achat annulé', 'Purchase cancelled'),
  not_recognized: named('Paiement non reconnu', 'Payment not recognised'),
  other: named('Autre raison', 'Another reason'),
}
