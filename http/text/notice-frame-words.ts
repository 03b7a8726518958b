// What stands around the events of a notice by e-mail: the subject of several, greeting and links.
import type { NoticeKind } from '../../engine/contract/notice.ts'
import type { Language } from './language.ts'

/** Subjects of notices of several events. */
export const MANY_WORDS: Readonly<Record<Exclude<NoticeKind, 'daily_summary'>, Readonly<Record<Language, (count: number) => string>>>> = {
  activation: { fr: (count) => `${count} décisions sur votre compte`, en: (count) => `${count} decisions about your account` },
  top_up: { fr: (count) => `${count} approvisionnements traités`, en: (count) => `${count} top-ups decided` },
  withdrawal: { fr: (count) => `${count} retraits traités`, en: (count) => `${count} withdrawals decided` },
  disbursement: { fr: (count) => `${count} nouvelles de vos versements groupés`, en: (count) => `${count} changes of your bulk payouts` },
  run_failed: { fr: (count) => `${count} versements programmés en échec`, en: (count) => `${count} scheduled payouts failed` },
  delivery_failed: { fr: (count) => `${count} livraisons en échec`, en: (count) => `${count} deliveries failed` },
  biller_decision: {
    fr: (count) => `${count} décisions sur votre page de facturier`,
    en: (count) => `${count} decisions about your biller page`,
  },
  new_device: { fr: (count) => `${count} connexions depuis de nouveaux appareils`, en: (count) => `${count} logins from new devices` },
  approval_wanted: { fr: (count) => `${count} versements groupés à valider`, en: (count) => `${count} bulk payouts wait for approval` },
}

/** What stands around the lines of each notice. */
export const FRAME_WORDS = {
  fr: {
    hello: 'Bonjour,',
    more: (count: number) => (count === 1 ? '… et un autre.' : `… et ${count} autres.`),
    account: (name: string | null) => (name === null ? '' : `Compte : ${name}`),
    see: 'Voir :',
    choose: 'Choisir vos avis :',
  },
  en: {
    hello: 'Hello,',
    more: (count: number) => (count === 1 ? '… and one more.' : `… and ${count} more.`),
    account: (name: string | null) => (name === null ? '' : `Account: ${name}`),
    see: 'See:',
    choose: 'Choose your notices:',
  },
} as const
