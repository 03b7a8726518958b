// Words of notices by e-mail, in both languages: one entry of each event that causes one.
import type { Language } from './language.ts'
import { moneyText } from './money.ts'

type Said = (cause: SaidCause) => string

interface Words {
  readonly subject: Said
  /** One sentence. */
  readonly line: Said
  /** What to do; empty for nothing. */
  readonly advice: string
}

/** An event as its words need it. */
export interface SaidCause {
  readonly type: string
  readonly amount: number | null
  readonly currency: string
  /** Empty where there is none. */
  readonly reason: string
  readonly failedCount: number
  readonly totalCount: number
  /** A browser by its own name, such as `Firefox, Windows`. */
  readonly device: string
  /** RFC 3339. */
  readonly at: string
}

const EN_REASON = ({ reason }: SaidCause): string => (reason === '' ? '' : ` Reason: ${reason}`)
const FR_REASON = ({ reason }: SaidCause): string => (reason === '' ? '' : ` Motif : ${reason}`)

function sum({ amount, currency }: SaidCause, language: Language): string {
  return moneyText(amount ?? 0, currency, language)
}

const TIMES = {
  fr: new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
  en: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
} as const

function time({ at }: SaidCause, language: Language): string {
  return `${TIMES[language].format(Date.parse(at))} UTC`
}

function lines({ failedCount, totalCount }: SaidCause, language: Language): string {
  if (language === 'en') return `${failedCount} of ${totalCount} ${totalCount === 1 ? 'line' : 'lines'} not paid`
  return `${failedCount} ${totalCount === 1 ? 'ligne' : 'lignes'} sur ${totalCount} non ${failedCount === 1 ? 'versée' : 'versées'}`
}

function counted({ totalCount }: SaidCause, language: Language): string {
  if (language === 'en') return `${totalCount} ${totalCount === 1 ? 'line' : 'lines'}`
  return `${totalCount} ${totalCount <= 1 ? 'ligne' : 'lignes'}`
}

const plain = (subject: string, line: string, advice = ''): Words => ({ subject: () => subject, line: () => line, advice })

/** By type of event. */
export const CAUSE_WORDS: Readonly<Record<string, Readonly<Record<Language, Words>>>> = {
  'merchant.activated': {
    fr: plain('Votre compte est activé', 'Votre compte est activé : vous pouvez encaisser et verser de l’argent réel.'),
    en: plain('Your account is active', 'Your account is active: you can collect and pay out real money.'),
  },
  'merchant.activation_refused': {
    fr: {
      subject: () => 'Votre demande d’activation est refusée',
      line: (cause) => `Votre demande d’activation est refusée.${FR_REASON(cause)}`,
      advice: 'Corrigez ce qui manque et envoyez votre demande de nouveau.',
    },
    en: {
      subject: () => 'Your activation was refused',
      line: (cause) => `Your request for activation was refused.${EN_REASON(cause)}`,
      advice: 'Correct what is missing and send your request again.',
    },
  },
  'merchant.name_approved': {
    fr: plain('Votre nouveau nom est accepté', 'Votre nouveau nom est accepté : vos clients le lisent dès maintenant.'),
    en: plain('Your new name was approved', 'Your new name was approved: your customers read it from now on.'),
  },
  'merchant.name_refused': {
    fr: {
      subject: () => 'Votre nouveau nom est refusé',
      line: (cause) => `Votre nouveau nom est refusé : vos clients lisent toujours l’ancien.${FR_REASON(cause)}`,
      advice: 'Demandez un autre nom sur la page de votre compte.',
    },
    en: {
      subject: () => 'Your new name was refused',
      line: (cause) => `Your new name was refused: your customers still read the old one.${EN_REASON(cause)}`,
      advice: 'Ask for another name on the page of your account.',
    },
  },
  'merchant.logo_approved': {
    fr: plain('Votre logo est accepté', 'Votre logo est accepté : vos clients le voient dès maintenant.'),
    en: plain('Your logo was approved', 'Your logo was approved: your customers see it from now on.'),
  },
  'merchant.logo_refused': {
    fr: {
      subject: () => 'Votre logo est refusé',
      line: (cause) => `Votre logo est refusé : vos clients ne le voient pas.${FR_REASON(cause)}`,
      advice: 'Envoyez un autre logo sur la page de votre compte.',
    },
    en: {
      subject: () => 'Your logo was refused',
      line: (cause) => `Your logo was refused: your customers do not see it.${EN_REASON(cause)}`,
      advice: 'Send another logo on the page of your account.',
    },
  },
  'top_up.confirmed': {
    fr: {
      subject: (cause) => `Approvisionnement crédité : ${sum(cause, 'fr')}`,
      line: (cause) => `Votre approvisionnement de ${sum(cause, 'fr')} est arrivé sur votre compte.`,
      advice: '',
    },
    en: {
      subject: (cause) => `Top-up credited: ${sum(cause, 'en')}`,
      line: (cause) => `Your top-up of ${sum(cause, 'en')} has arrived in your account.`,
      advice: '',
    },
  },
  'top_up.refused': {
    fr: {
      subject: (cause) => `Approvisionnement refusé : ${sum(cause, 'fr')}`,
      line: (cause) => `Votre approvisionnement de ${sum(cause, 'fr')} est refusé.${FR_REASON(cause)}`,
      advice: 'Vérifiez votre virement et sa référence, puis demandez un nouvel approvisionnement.',
    },
    en: {
      subject: (cause) => `Top-up refused: ${sum(cause, 'en')}`,
      line: (cause) => `Your top-up of ${sum(cause, 'en')} was refused.${EN_REASON(cause)}`,
      advice: 'Check your transfer and its reference, then ask for a new top-up.',
    },
  },
  'withdrawal.paid': {
    fr: {
      subject: (cause) => `Retrait payé : ${sum(cause, 'fr')}`,
      line: (cause) => `Votre retrait de ${sum(cause, 'fr')} est payé. L’argent est en route vers votre compte.`,
      advice: 'Si personne chez vous ne l’a demandé, changez votre mot de passe et prévenez-nous tout de suite.',
    },
    en: {
      subject: (cause) => `Withdrawal paid: ${sum(cause, 'en')}`,
      line: (cause) => `Your withdrawal of ${sum(cause, 'en')} was paid. The money is on its way to your account.`,
      advice: 'If none of you asked for it, change your password and contact us at once.',
    },
  },
  'withdrawal.refused': {
    fr: {
      subject: (cause) => `Retrait refusé : ${sum(cause, 'fr')}`,
      line: (cause) => `Votre retrait de ${sum(cause, 'fr')} est refusé. L’argent est de nouveau disponible.${FR_REASON(cause)}`,
      advice: 'Vérifiez le compte de destination avant de demander un nouveau retrait.',
    },
    en: {
      subject: (cause) => `Withdrawal refused: ${sum(cause, 'en')}`,
      line: (cause) => `Your withdrawal of ${sum(cause, 'en')} was refused. The money is available again.${EN_REASON(cause)}`,
      advice: 'Check the destination before you ask for a new withdrawal.',
    },
  },
  'schedule.ran': {
    fr: {
      subject: (cause) => `Versement programmé en échec : ${lines(cause, 'fr')}`,
      line: (cause) => `Un versement programmé a échoué le ${time(cause, 'fr')} : ${lines(cause, 'fr')}.`,
      advice: 'Corrigez les lignes en échec ou approvisionnez votre compte, puis versez-les de nouveau.',
    },
    en: {
      subject: (cause) => `Scheduled payout failed: ${lines(cause, 'en')}`,
      line: (cause) => `A scheduled payout failed on ${time(cause, 'en')}: ${lines(cause, 'en')}.`,
      advice: 'Correct the lines that failed or top up your account, then pay them again.',
    },
  },
  'disbursement.awaiting_approval': {
    fr: {
      subject: (cause) => `Versement groupé à valider : ${sum(cause, 'fr')}`,
      line: (cause) => `Un versement groupé de ${sum(cause, 'fr')} (${counted(cause, 'fr')}) attend l’accord d’une seconde personne.`,
      advice: 'Vérifiez ses lignes, puis validez-le ou refusez-le.',
    },
    en: {
      subject: (cause) => `Bulk payout to approve: ${sum(cause, 'en')}`,
      line: (cause) => `A bulk payout of ${sum(cause, 'en')} (${counted(cause, 'en')}) waits for the approval of a second person.`,
      advice: 'Check its lines, then approve or reject it.',
    },
  },
  'disbursement.paused': {
    fr: {
      subject: () => 'Versement groupé suspendu : solde insuffisant',
      line: (cause) => `Un versement groupé de ${sum(cause, 'fr')} (${counted(cause, 'fr')}) est suspendu, faute de solde.`,
      advice: 'Approvisionnez votre compte, puis reprenez le versement.',
    },
    en: {
      subject: () => 'Bulk payout paused: the balance is too low',
      line: (cause) => `A bulk payout of ${sum(cause, 'en')} (${counted(cause, 'en')}) is paused, because the balance is too low.`,
      advice: 'Top up your account, then resume the disbursement.',
    },
  },
  'disbursement.completed': {
    fr: {
      subject: (cause) => `Versement groupé terminé : ${sum(cause, 'fr')}`,
      line: (cause) =>
        `Un versement groupé de ${sum(cause, 'fr')} est terminé : ${counted(cause, 'fr')}, ${cause.failedCount === 0 ? 'toutes versées' : `dont ${cause.failedCount} en échec, à corriger et à verser de nouveau`}.`,
      advice: '',
    },
    en: {
      subject: (cause) => `Bulk payout completed: ${sum(cause, 'en')}`,
      line: (cause) =>
        `A bulk payout of ${sum(cause, 'en')} is completed: ${counted(cause, 'en')}, ${cause.failedCount === 0 ? 'all paid' : `${cause.failedCount} of them failed: correct them and pay them again`}.`,
      advice: '',
    },
  },
  'disbursement.rejected': {
    fr: {
      subject: (cause) => `Versement groupé refusé : ${sum(cause, 'fr')}`,
      line: (cause) =>
        `Un versement groupé de ${sum(cause, 'fr')} est refusé par une seconde personne : rien n’est versé.${FR_REASON(cause)}`,
      advice: '',
    },
    en: {
      subject: (cause) => `Bulk payout rejected: ${sum(cause, 'en')}`,
      line: (cause) => `A bulk payout of ${sum(cause, 'en')} was rejected by a second person: nothing is paid.${EN_REASON(cause)}`,
      advice: '',
    },
  },
  'bill.fulfilled': {
    fr: {
      subject: (cause) => `Facture payée mais non livrée : ${sum(cause, 'fr')}`,
      line: (cause) => `Un client a payé une facture de ${sum(cause, 'fr')} le ${time(cause, 'fr')}, et la livraison a échoué.`,
      advice: 'Relancez la livraison, ou remboursez le client.',
    },
    en: {
      subject: (cause) => `Bill paid but not delivered: ${sum(cause, 'en')}`,
      line: (cause) => `A customer paid a bill of ${sum(cause, 'en')} on ${time(cause, 'en')}, and its delivery failed.`,
      advice: 'Start the delivery again, or refund the customer.',
    },
  },
  'delivery.attempted': {
    fr: {
      subject: () => 'Webhook non livré',
      line: (cause) => `Votre serveur n’a pas accepté un webhook ; la dernière tentative a échoué le ${time(cause, 'fr')}.`,
      advice: 'Réparez votre serveur, puis renvoyez l’évènement.',
    },
    en: {
      subject: () => 'Webhook not delivered',
      line: (cause) => `Your server did not accept a webhook; the last attempt failed on ${time(cause, 'en')}.`,
      advice: 'Repair your server, then send the event again.',
    },
  },
  'biller.approved': {
    fr: plain('Votre page de facturier est publiée', 'Votre page est publiée : les clients peuvent payer vos factures.'),
    en: plain('Your biller page is published', 'Your page is published: customers can pay your bills.'),
  },
  'biller.rejected': {
    fr: {
      subject: () => 'Votre page de facturier est refusée',
      line: (cause) => `Votre page de facturier est refusée.${FR_REASON(cause)}`,
      advice: 'Corrigez-la et envoyez-la de nouveau.',
    },
    en: {
      subject: () => 'Your biller page was refused',
      line: (cause) => `Your biller page was refused.${EN_REASON(cause)}`,
      advice: 'Correct it and send it again.',
    },
  },
  'biller.suspended': {
    fr: {
      subject: () => 'Votre page de facturier est suspendue',
      line: (cause) => `Votre page de facturier est suspendue : plus personne ne peut y payer.${FR_REASON(cause)}`,
      advice: 'Contactez-nous pour la rétablir.',
    },
    en: {
      subject: () => 'Your biller page is suspended',
      line: (cause) => `Your biller page is suspended and takes no payments.${EN_REASON(cause)}`,
      advice: 'Contact us to have it reinstated.',
    },
  },
  'biller.reinstated': {
    fr: plain('Votre page de facturier est rétablie', 'Votre page est rétablie : les clients peuvent de nouveau payer vos factures.'),
    en: plain('Your biller page is back', 'Your page is reinstated: customers can pay your bills again.'),
  },
  'biller.logo_approved': {
    fr: plain('Votre logo est accepté', 'Votre nouveau logo est accepté et visible.'),
    en: plain('Your logo was approved', 'Your new logo was approved and is visible.'),
  },
  'biller.logo_rejected': {
    fr: plain('Votre logo est refusé', 'Votre nouveau logo est refusé.', 'Envoyez une autre image.'),
    en: plain('Your logo was refused', 'Your new logo was refused.', 'Send another image.'),
  },
  'dashboard_session.opened': {
    fr: {
      subject: () => 'Connexion depuis un nouvel appareil',
      line: (cause) => `Une connexion à votre accès a eu lieu depuis un nouvel appareil (${cause.device}) le ${time(cause, 'fr')}.`,
      advice: 'Si ce n’était pas vous, changez tout de suite votre mot de passe et fermez les autres sessions.',
    },
    en: {
      subject: () => 'Login from a new device',
      line: (cause) => `There was a login to your access from a new device (${cause.device}) on ${time(cause, 'en')}.`,
      advice: 'If it was not you, change your password at once and end the other sessions.',
    },
  },
}
