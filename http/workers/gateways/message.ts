// Text messages and push notifications to the owner of a wallet, in French.
import type { Environment } from '../../../engine/kernel/environment.ts'

export interface Message {
  /** The same over all attempts: gateways drop doubles by it. */
  readonly id: string
  readonly channel: 'sms' | 'push'
  readonly environment: Environment
  /** E.164. */
  readonly phone: string
  /** Empty for a text message. */
  readonly title: string
  readonly text: string
  /** What an app needs to open the right page; empty for a text message. */
  readonly data: Readonly<Record<string, string>>
  /** Ids of the devices that a push is for, as their owner named them; empty for a text message. */
  readonly devices: readonly string[]
  /** RFC 3339. */
  readonly created_at: string
}

/** What the development inbox shows of a webhook: one attempt, or an event that no endpoint asks for. */
export interface WebhookNotice {
  readonly id: string
  readonly channel: 'webhook'
  readonly environment: Environment
  /** Name of the merchant that the event is for. */
  readonly merchant: string
  /** Of the event. */
  readonly type: string
  /** Null: no endpoint asks for it. Empty: the endpoint is gone. */
  readonly url: string | null
  readonly attempt: number
  readonly http_status: number | null
  /** Why there is no status. */
  readonly error: string | null
  readonly duration_ms: number
  readonly state: 'none' | 'succeeded' | 'failed' | 'pending'
  readonly next_attempt_at: string | null
  /** The signed text. */
  readonly body: string
  /** RFC 3339. */
  readonly created_at: string
}

/** Only letters of the GSM alphabet (3GPP TS 23.038): any other doubles the price of the message. */
export function otpText(code: string, purpose: 'signup' | 'login'): string {
  const use = purpose === 'signup' ? 'vous inscrire' : 'vous connecter'
  return `Cauri : ${code} est votre code pour ${use}. Il expire dans 5 minutes. Ne le donnez à personne. Aucun agent ne vous le demandera.`
}

/** `merchantName` null: a name that must not stand in our messages (see merchant-name.ts). */
export function paymentOtpText(code: string, amount: number, merchantName: string | null): string {
  return `Cauri : ${code} est votre code pour payer ${plainAmount(amount)} à ${merchantName ?? 'un marchand'}. Ne le donnez à personne.`
}

export function approvalOtpText(code: string, merchantName: string | null): string {
  const merchant = merchantName === null ? "d'un marchand" : `de ${merchantName}`
  return `Cauri : ${code} est votre code pour autoriser les prélèvements ${merchant}. Ne le donnez à personne.`
}

/** `from` as it follows the amount: `de @awa`, `d’un marchand`; empty for money from outside. */
export function receivedText(amount: number, from: string, balance: number): { readonly title: string; readonly text: string } {
  return {
    title: 'Argent reçu',
    text: `Vous avez reçu ${prettyAmount(amount)}${from === '' ? '' : ` ${from}`}. Nouveau solde : ${prettyAmount(balance)}.`,
  }
}

/** `5 000 F CFA` as French typography has it. */
export function prettyAmount(amount: number): string {
  return `${FRENCH.format(amount)}\u00a0F\u00a0CFA`
}

/** The same with spaces that every phone has. */
function plainAmount(amount: number): string {
  return prettyAmount(amount).replaceAll(/[\u00a0\u202f]/g, ' ')
}

const FRENCH = new Intl.NumberFormat('fr-FR')
