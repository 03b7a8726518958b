// Texts of account-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    nameShown: 'Nom montré aux clients',
    nameHint: 'Notre équipe vérifie un nouveau nom avant que vos clients le lisent. Pour retirer une demande, remettez le nom actuel.',
    nameWaits: (name: Fragment, date: Fragment, present: Fragment) =>
      html`Nouveau nom ${name}, demandé le ${date}. En attendant, vos clients lisent ${present}.`,
    nameRefused: (name: Fragment, reason: string) => html`Le nom ${name} est refusé. Motif : <bdi>${reason}</bdi>`,
    addressHint: 'Vos clients la lisent quand ils paient. Elle figure sur vos reçus et vos relevés.',
    timeZone: 'Fuseau horaire des relevés, de la caisse et du résumé quotidien',
    languageMails: 'Langue des avis par e-mail',
    french: 'Français',
    english: 'Anglais',
    bothLanguages: 'Français et anglais',
    access: 'Votre accès',
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
    nameShown: 'Name shown to customers',
    nameHint: 'Our team checks a new name before your customers read it. To withdraw a request, put the present name back.',
    nameWaits: (name, date, present) => html`New name ${name}, asked for on ${date}. Until then your customers read ${present}.`,
    nameRefused: (name, reason) => html`The name ${name} was refused. Reason: <bdi>${reason}</bdi>`,
    addressHint: 'Your customers read it when they pay. It stands on your receipts and statements.',
    timeZone: 'Time zone of statements, till and daily summary',
    languageMails: 'Language of notices by e-mail',
    french: 'French',
    english: 'English',
    bothLanguages: 'French and English',
    access: 'Your access',
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
