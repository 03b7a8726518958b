// Words of the reasons why a payout is `failed`, for pages and files, in both languages.
import type { PayoutFailureCode } from '../../engine/contract/errors.ts'
import { type Messages, Text } from './text.ts'

export const PAYOUT_FAILURE_MESSAGES = {
  fr: {
    insufficient_balance: 'Le solde de versement était insuffisant.',
    recipient_not_found: 'Aucun portefeuille ne correspond à ce destinataire.',
    recipient_blocked: 'Le portefeuille du destinataire ne pouvait pas recevoir d’argent.',
    recipient_check_limited: 'La limite de destinataires inconnus était atteinte et ce destinataire n’avait jamais été payé.',
    recipient_limit_exceeded: 'Le versement dépassait le plafond du compte du destinataire.',
    merchant_limit_exceeded: 'Le versement dépassait une limite du compte marchand.',
    key_limit_exceeded: 'Le versement dépassait un plafond de la clé API.',
    merchant_suspended: 'Le compte marchand était suspendu.',
    live_not_activated: 'Le compte marchand n’était pas encore activé.',
    invalid_amount: 'Le montant de la ligne n’est pas valide.',
    invalid_recipient: 'Le destinataire n’est pas valide : saisissez un @tag, ou un téléphone avec son + et l’indicatif du pays.',
    invalid_reference: 'La référence de la ligne n’est pas valide.',
    invalid_json: 'La ligne n’est pas un objet JSON.',
    invalid_note: 'La note de la ligne n’est pas valide.',
    unknown_field: 'La ligne comporte un champ inconnu.',
    unsupported_currency: 'La devise de la ligne n’est pas celle du compte.',
    currency_mismatch: 'Le portefeuille du destinataire a une autre devise.',
  },
  en: {
    insufficient_balance: 'The payout balance was not sufficient.',
    recipient_not_found: 'No wallet matches this recipient.',
    recipient_blocked: 'The wallet of the recipient could not receive money.',
    recipient_check_limited: 'The limit of unknown recipients was reached, and this recipient had never been paid.',
    recipient_limit_exceeded: 'The payout exceeded the limit of the recipient’s account.',
    merchant_limit_exceeded: 'The payout exceeded a limit of the merchant account.',
    key_limit_exceeded: 'The payout exceeded a limit of the API key.',
    merchant_suspended: 'The merchant account was suspended.',
    live_not_activated: 'The merchant account was not activated yet.',
    invalid_amount: 'The amount of the line is not valid.',
    invalid_recipient: 'The recipient is not valid: enter a @tag, or a phone with its + and country code.',
    invalid_reference: 'The reference of the line is not valid.',
    invalid_json: 'The line is no JSON object.',
    invalid_note: 'The note of the line is not valid.',
    unknown_field: 'The line has an unknown field.',
    unsupported_currency: 'The currency of the line is not that of the account.',
    currency_mismatch: 'The wallet of the recipient has another currency.',
  },
} as const satisfies Messages<Readonly<Record<PayoutFailureCode, string>>>

/** Returns the reason in both languages. */
export function payoutFailureText(code: PayoutFailureCode): Text {
  return new Text((language) => PAYOUT_FAILURE_MESSAGES[language][code])
}
