// Text messages and push notifications to the owner of a wallet, and e-mails to users of the dashboard. What a request asks for is in the
// language of its caller, a push in that of the apps; anything else is in French.
import type { WalletLimit } from '../../../engine/contract/limits.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { DEFAULT_LANGUAGE, type Language } from '../../text/language.ts'
import { moneyText } from '../../text/money.ts'

export interface Message {
  /** Id that all attempts share, so that gateways drop duplicates. */
  readonly id: string
  readonly channel: 'sms' | 'push'
  readonly environment: Environment
  /** E.164. */
  readonly phone: string
  /** Empty for a text message. */
  readonly title: string
  readonly text: string
  /** Data that lets an app open the right page; empty for a text message. */
  readonly data: Readonly<Record<string, string>>
  /** Ids of the devices that a push is for, as their owner named them; empty for a text message. */
  readonly devices: readonly string[]
  /** RFC 3339. */
  readonly created_at: string
}

/** A push notification. */
export interface PushMessage extends Message {
  /** Push tokens of those devices that have sent one in their current session. */
  readonly push_tokens: readonly { readonly device_id: string; readonly provider: string; readonly token: string }[]
}

export interface EmailMessage {
  /** Id that all attempts share, so that gateways drop duplicates. */
  readonly id: string
  readonly channel: 'email'
  readonly environment: Environment
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
  /** RFC 3339. */
  readonly created_at: string
}

/** What a gateway receives. */
export type OutgoingMessage = Message | EmailMessage

/** A webhook in the development inbox: one attempt, or an event without an endpoint. */
export interface WebhookNotice {
  readonly id: string
  readonly channel: 'webhook'
  readonly environment: Environment
  /** Name of the merchant that the event is for. */
  readonly merchant: string
  /** Type of the event. */
  readonly type: string
  /** Null when no endpoint subscribes to it. Empty when the endpoint was deleted. */
  readonly url: string | null
  readonly attempt: number
  readonly http_status: number | null
  /** Failure when there is no status. */
  readonly error: string | null
  readonly duration_ms: number
  readonly state: 'none' | 'succeeded' | 'failed' | 'pending'
  readonly next_attempt_at: string | null
  /** The signed text. */
  readonly body: string
  /** RFC 3339. */
  readonly created_at: string
}

/** Text of a sign-in code. It uses the GSM alphabet only (3GPP TS 23.038): other characters double the price. */
export function otpText(code: string, purpose: 'signup' | 'login', language: Language = DEFAULT_LANGUAGE): string {
  if (language === 'en') {
    const what = purpose === 'signup' ? 'sign up' : 'sign in'
    return `Cauri: ${code} is your code to ${what}. It expires in 5 minutes. Do not share it. Our agents never ask for it.`
  }
  const use = purpose === 'signup' ? 'vous inscrire' : 'vous connecter'
  return `Cauri : ${code} est votre code pour ${use}. Il expire dans 5 minutes. Ne le donnez à personne. Aucun agent ne vous le demandera.`
}

/** Text of a payment code. `merchantName` is null for a name that is not plain (see merchant-name.ts). */
export function paymentOtpText(code: string, sum: Sum, merchantName: string | null, language: Language = DEFAULT_LANGUAGE): string {
  if (language === 'en')
    return `Cauri: ${code} is your code to pay ${amountIn(sum.amount, language, sum.currency).replaceAll('\u00a0', ' ')} to ${merchantName ?? 'a merchant'}. Do not share it.`
  return `Cauri : ${code} est votre code pour payer ${plainAmount(sum)} à ${merchantName ?? 'un marchand'}. Ne le donnez à personne.`
}

export function approvalOtpText(code: string, merchantName: string | null, language: Language = DEFAULT_LANGUAGE): string {
  if (language === 'en')
    return `Cauri: ${code} is your code to authorise direct debits of ${merchantName ?? 'a merchant'}. Do not share it.`
  const merchant = merchantName === null ? "d'un marchand" : `de ${merchantName}`
  return `Cauri : ${code} est votre code pour autoriser les prélèvements ${merchant}. Ne le donnez à personne.`
}

export interface PushText {
  readonly title: string
  readonly text: string
}

/** Push for received money. `from` follows the amount: `de @awa`, `from a merchant`; empty for external money. */
export function receivedText({ amount, currency }: Sum, from: string, balance: number, language: Language): PushText {
  const sender = from === '' ? '' : ` ${from}`
  if (language === 'en') {
    const text = `You received ${amountIn(amount, 'en', currency)}${sender}. New balance: ${amountIn(balance, 'en', currency)}.`
    return { title: 'Money received', text }
  }
  return {
    title: 'Argent reçu',
    text: `Vous avez reçu ${prettyAmount(amount, currency)}${sender}. Nouveau solde : ${prettyAmount(balance, currency)}.`,
  }
}

/** Push for a refund of a payment or a bill. `by` follows the amount: `par Boutique Awa`; empty when the payee is unknown. */
export function refundedText({ amount, currency }: Sum, by: string, balance: number, language: Language): PushText {
  const payee = by === '' ? '' : ` ${by}`
  if (language === 'en') {
    return {
      title: 'Refund',
      text: `You were refunded ${amountIn(amount, 'en', currency)}${payee}. New balance: ${amountIn(balance, 'en', currency)}.`,
    }
  }
  const text = `Vous avez été remboursé de ${prettyAmount(amount, currency)}${payee}. Nouveau solde : ${prettyAmount(balance, currency)}.`
  return { title: 'Remboursement', text }
}

/** Push for a deposit of external money. */
export function depositedText({ amount, currency }: Sum, balance: number, language: Language): PushText {
  if (language === 'en') {
    return {
      title: 'Deposit',
      text: `A deposit of ${amountIn(amount, 'en', currency)} has arrived. New balance: ${amountIn(balance, 'en', currency)}.`,
    }
  }
  const text = `Un dépôt de ${prettyAmount(amount, currency)} est arrivé. Nouveau solde : ${prettyAmount(balance, currency)}.`
  return { title: 'Dépôt reçu', text }
}

const NEAR_LIMIT: Readonly<Record<WalletLimit, Readonly<Record<Language, (left: string) => string>>>> = {
  balance_max: {
    fr: (left) => `Votre solde approche de son plafond : il peut encore augmenter de ${left}.`,
    en: (left) => `Your balance is near its maximum: it may still grow by ${left}.`,
  },
  received_month_max: {
    fr: (left) => `Vous approchez de ce que vous pouvez recevoir ce mois-ci : il vous reste ${left}.`,
    en: (left) => `You are near what you can receive this month: ${left} left.`,
  },
  sent_day_max: {
    fr: (left) => `Vous approchez de ce que vous pouvez payer aujourd’hui : il vous reste ${left}.`,
    en: (left) => `You are near what you can pay today: ${left} left.`,
  },
  sent_month_max: {
    fr: (left) => `Vous approchez de ce que vous pouvez payer ce mois-ci : il vous reste ${left}.`,
    en: (left) => `You are near what you can pay this month: ${left} left.`,
  },
}

/** Push for a limit of which 80 % are used. `left`: what it still allows. */
export function nearLimitText(limit: WalletLimit, left: Sum, language: Language): PushText {
  const title = language === 'en' ? 'Near a limit' : 'Limite bientôt atteinte'
  return { title, text: NEAR_LIMIT[limit][language](amountIn(left.amount, language, left.currency)) }
}

/** Returns the push of an answer of a merchant. `name`: null where the merchant's name is not plain. The answer is read in the app. */
export function answeredText(name: string | null, language: Language): PushText {
  if (language === 'en')
    return {
      title: 'Answer from a merchant',
      text: `${name ?? 'A merchant'} has answered your message about a payment. Read it in the app.`,
    }
  const who = name ?? 'Un marchand'
  return { title: 'Réponse d’un marchand', text: `${who} a répondu à votre message sur un paiement. Lisez la réponse dans l’application.` }
}

/** Returns `5 000 F CFA` in French typography, with a minus sign (U+2212) before an amount below zero. */
export function prettyAmount(amount: number, currency: string): string {
  return moneyText(amount, currency, 'fr')
}

/** Returns `5 000 F CFA` in French, `5,000 F CFA` in English. */
export function amountIn(amount: number, language: Language, currency: string): string {
  return moneyText(amount, currency, language)
}

/** Same as `prettyAmount`, with spaces that every phone supports. */
function plainAmount({ amount, currency }: Sum): string {
  return prettyAmount(amount, currency).replaceAll(/[\u00a0\u202f]/g, ' ')
}

/** An amount with its currency. */
export interface Sum {
  readonly amount: number
  readonly currency: string
}
