// Texts of problem-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    messages: 'Messages des clients',
    message: 'message',
    messagesCounted: 'messages',
    noMessages:
      'Aucun message. Un client peut vous écrire depuis son téléphone au sujet d’un paiement ; aucun argent ne bouge de lui-même.',
    waitsForAnswer: 'Attend votre réponse',
    answered: 'Répondu',
    fromCustomer: (tag: Fragment) => html`Message de ${tag}`,
    noText: 'Le client n’a rien ajouté.',
    yourAnswer: 'Votre réponse',
    written: 'Écrit',
    customerReadsIt: 'Le client la lit sur son téléphone. 500 caractères au plus.',
    sendAnswer: 'Envoyer la réponse',
    seePaymentToRefund: 'Voir le paiement pour rembourser',
  },
  en: {
    messages: 'Messages from customers',
    message: 'message',
    messagesCounted: 'messages',
    noMessages: 'No messages. Customers can write to you about a payment from their phone; no money moves by itself.',
    waitsForAnswer: 'Waits for your answer',
    answered: 'Answered',
    fromCustomer: (tag) => html`Message from ${tag}`,
    noText: 'The customer added nothing.',
    yourAnswer: 'Your answer',
    written: 'Written',
    customerReadsIt: 'The customer reads it on the phone. 500 characters at most.',
    sendAnswer: 'Send the answer',
    seePaymentToRefund: 'See the payment to refund it',
  },
})
