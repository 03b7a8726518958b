// Texts of charge-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    takenBy: 'Encaissé par',
    reservedForTag: 'Réservé à (@tag)',
    charge: 'encaissement',
    charges: 'encaissements',
    createRequest: 'Créer la demande',
    numberOrderOrInvoice: 'Numéro de commande ou de facture.',
    reserveForCustomerTag: 'Réserver à un client (@tag)',
    returnAddressHttps: 'Adresse de retour (https)',
    charge2: (amount: Fragment) => html`Encaissement de ${amount}`,
    showOrSendCustomerValid: (untilText: Fragment) => html`À montrer ou à envoyer au client ; valable jusqu’au ${untilText}.`,
    open: 'Ouvrir',
    reservedFor: 'Réservé à',
    customerCanNoLongerPay: 'Le client ne pourra plus payer par ce lien.',
    pay: (amount: string, name: string, about: string, checkoutUrl: string) => `Payer ${amount} à ${name}${about} : ${checkoutUrl}`,
  },
  en: {
    takenBy: 'Taken by',
    reservedForTag: 'Reserved for (@tag)',
    charge: 'charge',
    charges: 'charges',
    createRequest: 'Create the request',
    numberOrderOrInvoice: 'Number of the order or invoice.',
    reserveForCustomerTag: 'Reserve for a customer (@tag)',
    returnAddressHttps: 'Return address (https)',
    charge2: (amount) => html`Charge of ${amount}`,
    showOrSendCustomerValid: (untilText) => html`To show or send to the customer; valid until ${untilText}.`,
    open: 'Open',
    reservedFor: 'Reserved for',
    customerCanNoLongerPay: 'The customer can no longer pay by this link.',
    pay: (amount, name, about, checkoutUrl) => `Pay ${amount} to ${name}${about}: ${checkoutUrl}`,
  },
})
