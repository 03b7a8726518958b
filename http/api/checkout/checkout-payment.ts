// Payment on the web: a code to the payer's phone, then code and PIN, then the payment. The public routes and the checkout
// page share these steps and differ in how they answer.

import type { AccountNumber, CommandOf, EngineApi, FoundCharge } from '../../../engine/api.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import type { Call } from '../../server/route.ts'
import { acceptedLanguage } from '../../text/language.ts'
import { nameInMessages } from '../../workers/gateways/merchant-name.ts'
import { paymentOtpText } from '../../workers/gateways/message.ts'
import type { Payer } from './checkout.ts'

export interface PayingParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly wallets: Pick<WalletAccess, 'otp'>
}

/**
 * Sends a code to the wallet of the identifier. The answer does not reveal whether such a wallet exists. At a rate limit it
 * answers the call itself; otherwise `onStarted` receives the id of the challenge.
 */
export function startCheckoutOtp(
  parts: PayingParts,
  call: Pick<Call, 'once' | 'answerAs' | 'remoteAddress' | 'browser'>,
  found: FoundCharge,
  { identifier, wallet }: Payer,
  onStarted: (challengeId: string) => void,
): void {
  const { environment, token: subject } = found.charge
  const name = nameInMessages(parts.engine, found.account)
  const language = acceptedLanguage(call.browser.acceptLanguage)
  const text = (code: string): string => paymentOtpText(code, found.charge, name, language)
  parts.wallets.otp.startPayment(call, { environment, identifier, subject, wallet, text }, onStarted)
}

export interface ShownCode {
  readonly token: string
  readonly identifier: string
  readonly challengeId: string
  readonly code: string
  readonly from: Pick<Call, 'remoteAddress'>
}

/** Returns the command that checks the code. Its 200 body has the paying wallet as `account`. */
export function codeCheck(parts: PayingParts, { token, identifier, challengeId, code, from }: ShownCode): CommandOf<'VerifyOtp'> {
  return parts.wallets.otp.verification({ purpose: 'payment', identifier, subject: token, challengeId, code, from, tokenHash: '' })
}

export function webPayment(token: string, payer: AccountNumber, challengeId: string): CommandOf<'PayCharge'> {
  return { type: 'PayCharge', token, merchant: null, payer, challengeId, answer: 'checkout' }
}
