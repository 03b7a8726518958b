// Texts of notice-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    notices: 'Avis par e-mail',
    intro: (email: Fragment) =>
      html`Choisissez ce que vous recevez à <b>${email}</b>. Ces choix sont les vôtres : chaque membre a les siens. Les avis portent sur l’argent réel seul.`,
    oneMailEachTenMinutes: 'Plusieurs évènements d’une même sorte en dix minutes font un seul e-mail.',
    received: 'Voir ce qui s’est passé',
    cashiersChoose: 'Votre rôle permet de recevoir les avis de connexion.',
    activation: 'Activation du compte : acceptée ou refusée',
    top_up: 'Approvisionnement crédité ou refusé',
    withdrawal: 'Retrait payé ou refusé',
    disbursement: 'Versement groupé terminé, en pause ou refusé',
    run_failed: 'Versement programmé qui n’a pas payé toutes ses lignes',
    delivery_failed: 'Livraison d’une facture ou d’un webhook qui a échoué',
    biller_decision: 'Décision sur votre page de facturier',
    new_device: 'Connexion à votre compte depuis un nouvel appareil',
    approval_wanted: 'Versement groupé qui attend votre approbation',
    daily_summary: 'Résumé du jour précédent, chaque matin à 7 h, dans le fuseau horaire de votre compte',
  },
  en: {
    notices: 'Notices by e-mail',
    intro: (email) =>
      html`Choose what you receive at <b>${email}</b>. These choices are yours: each member has its own. Notices are about real money alone.`,
    oneMailEachTenMinutes: 'Several events of one kind within ten minutes are one e-mail.',
    received: 'See what happened',
    cashiersChoose: 'Your role lets you receive the notices of sign-ins.',
    activation: 'Activation of the account: accepted or refused',
    top_up: 'Top-up credited or refused',
    withdrawal: 'Withdrawal paid or refused',
    disbursement: 'Bulk payout completed, paused or rejected',
    run_failed: 'Scheduled payout that did not pay all its lines',
    delivery_failed: 'Delivery of a bill or of a webhook that failed',
    biller_decision: 'Decision about your biller page',
    new_device: 'Sign-in to your account from a new device',
    approval_wanted: 'Bulk payout that waits for your approval',
    daily_summary: 'Summary of the day before, each morning at 7:00, in the time zone of your account',
  },
})
