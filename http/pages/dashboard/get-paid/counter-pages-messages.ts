// Texts of counter-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    counter: 'Comptoir',
    amountToCollect: (symbol: string) => `Montant à encaisser (${symbol})`,
    collect: 'Encaisser',
    erase: 'Effacer le dernier chiffre',
    customerScansCode: 'Le client scanne ce code',
    paid: 'Payé',
    by: (tag: Fragment) => html`par ${tag}`,
    nextCustomer: 'Client suivant',
    notPaid: (state: Fragment) => html`Ce paiement est terminé : ${state}.`,
    cancel: 'Annuler',
    trySound: 'Essayer le son',
    reload: 'Actualiser : le paiement apparaît ici.',
    leave: 'Quitter le comptoir',
  },
  en: {
    counter: 'Counter',
    amountToCollect: (symbol) => `Amount to collect (${symbol})`,
    collect: 'Collect',
    erase: 'Erase the last digit',
    customerScansCode: 'The customer scans this code',
    paid: 'Paid',
    by: (tag) => html`by ${tag}`,
    nextCustomer: 'Next customer',
    notPaid: (state) => html`This payment has ended: ${state}.`,
    cancel: 'Cancel',
    trySound: 'Try the sound',
    reload: 'Reload: the payment appears here.',
    leave: 'Leave the counter',
  },
})
