// Texts of account-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    nameBusinessCustomersReadIt: 'Nom du commerce : vos clients le lisent, il ne change qu’après vérification. Écrivez à notre équipe.',
    business: 'Commerce',
    languagePages: 'Langue des pages',
    change: 'Changer',
    merchantIdentifier: 'Identifiant du marchand',
    eMailAddressChangeIt: (value: Fragment) =>
      html`Adresse e-mail : pour en changer, <a href="${value}">invitez la nouvelle adresse</a> avec votre rôle, puis retirez celle-ci.`,
    confirm: 'À confirmer',
    sendLinkAgain: 'Renvoyer le lien',
    confirmed: 'Confirmée',
  },
  en: {
    nameBusinessCustomersReadIt: 'Name of the business: your customers read it, it changes after a check alone. Write to our team.',
    business: 'Business',
    languagePages: 'Language of the pages',
    change: 'Change',
    merchantIdentifier: 'Merchant identifier',
    eMailAddressChangeIt: (value) =>
      html`E-mail address: to change it, <a href="${value}">invite the new address</a> with your role, then remove this one.`,
    confirm: 'To confirm',
    sendLinkAgain: 'Send the link again',
    confirmed: 'Confirmed',
  },
})
