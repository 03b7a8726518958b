// Sentences of the rows of a timeline, in both languages.
import type { TransactionType } from '../../engine/api.ts'
import type { PayoutFailureCode } from '../../engine/contract/errors.ts'
import type { PaymentReason } from '../../engine/contract/payment-reason.ts'
import type { TimelineKind } from '../../engine/contract/timeline.ts'
import { ACTION_WORDS } from './action-words.ts'
import type { Language } from './language.ts'
import { PAYMENT_REASON_WORDS } from './payment-reason-words.ts'
import { PAYOUT_FAILURE_MESSAGES } from './payout-failure-messages.ts'

type Words = Readonly<Record<Language, string>>

/** A row without its words. */
interface Entry {
  readonly kind: TimelineKind
  readonly what: string
  readonly other?: string
  readonly said?: string
  readonly failed?: PayoutFailureCode
  readonly why?: PaymentReason
  readonly amount?: number
}

/** By type of transaction: money that came, and money that went. */
const MOVEMENTS: Readonly<Record<TransactionType, readonly [came: Words, went: Words]>> = {
  payout: [
    { fr: 'Versement reçu', en: 'Payout received' },
    { fr: 'Versement envoyé', en: 'Payout sent' },
  ],
  charge: [
    { fr: 'Paiement encaissé', en: 'Charge collected' },
    { fr: 'Paiement chez un marchand', en: 'Payment to a merchant' },
  ],
  refund: [
    { fr: 'Remboursement reçu', en: 'Refund received' },
    { fr: 'Remboursement versé', en: 'Refund paid' },
  ],
  bill: [
    { fr: 'Facture encaissée', en: 'Bill collected' },
    { fr: 'Facture payée', en: 'Bill paid' },
  ],
  mandate: [
    { fr: 'Prélèvement encaissé', en: 'Mandate collected' },
    { fr: 'Prélèvement payé', en: 'Mandate paid' },
  ],
  transfer: [
    { fr: 'Transfert reçu', en: 'Transfer received' },
    { fr: 'Transfert envoyé', en: 'Transfer sent' },
  ],
  deposit: [
    { fr: 'Dépôt', en: 'Deposit' },
    { fr: 'Dépôt annulé', en: 'Deposit taken back' },
  ],
  withdrawal: [
    { fr: 'Retrait rendu', en: 'Withdrawal returned' },
    { fr: 'Retrait', en: 'Withdrawal' },
  ],
  fee: [
    { fr: 'Frais encaissés', en: 'Fee collected' },
    { fr: 'Frais', en: 'Fee' },
  ],
  fee_refund: [
    { fr: 'Frais rendus', en: 'Fee returned' },
    { fr: 'Frais remboursés', en: 'Fee refunded' },
  ],
}

const REQUESTS: Readonly<Record<string, Words>> = {
  top_up: { fr: 'Approvisionnement annoncé', en: 'Top-up announced' },
  withdrawal: { fr: 'Retrait demandé', en: 'Withdrawal requested' },
  payout: { fr: 'Versement échoué', en: 'Payout failed' },
  logo: { fr: 'Logo envoyé ou retiré', en: 'Logo sent or removed' },
  name: { fr: 'Nouveau nom demandé ou retiré', en: 'New name requested or withdrawn' },
  activation: { fr: 'Activation demandée', en: 'Activation requested' },
}

const SESSIONS: Readonly<Record<string, Words>> = {
  dashboard: { fr: 'Connexion au tableau de bord', en: 'Sign-in to the dashboard' },
  device: { fr: 'Connexion d’un téléphone', en: 'Sign-in of a phone' },
}

/** Returns the sentence of a row, with the other side of a movement, and the reason of a decision, a refund or a failure; of a note its text. */
export function timelineSummary({ kind, what, other, said = '', failed, why, amount = 0 }: Entry, language: Language): string {
  if (kind === 'note') return said
  const words = wordsOf(kind, what, amount)
  const named = words === undefined ? what : words[language]
  const sentence = other === undefined ? named : `${named} · ${other}`
  if (failed !== undefined) return `${sentence}. ${PAYOUT_FAILURE_MESSAGES[language][failed]}`
  const colon = language === 'fr' ? ' : ' : ': '
  const parts = [why === undefined ? '' : PAYMENT_REASON_WORDS[why].in(language), said].filter((part) => part !== '')
  return parts.length === 0 ? sentence : `${sentence}${colon}${parts.join('. ')}`
}

function wordsOf(kind: TimelineKind, what: string, amount: number): Words | undefined {
  if (kind === 'movement') return MOVEMENTS[what as TransactionType][amount < 0 ? 1 : 0]
  if (kind === 'session') return SESSIONS[what]
  return ACTION_WORDS[what] ?? REQUESTS[what]
}
