// Paying on the web: a code to the payer's phone, then code and PIN, then the payment. The public routes and the
// checkout page go the same way; they differ in how they tell what came of it.

import type { AccountNumber, CommandOf, EngineApi, FoundCharge } from '../../../engine/api.ts'
import type { WalletAccess } from '../../auth/wallet/wallet-access.ts'
import type { Call } from '../../server/route.ts'
import { nameInMessages } from '../../workers/gateways/merchant-name.ts'
import { paymentOtpText } from '../../workers/gateways/message.ts'
import type { Payer } from './checkout.ts'

export interface PayingParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly wallets: Pick<WalletAccess, 'otp'>
}

/**
 * Sends a code to whoever the identifier leads to, and tells nobody whether it leads to anybody. A limit answers the
 * call itself; `hear` gets the id of the challenge.
 */
export function startCheckoutOtp(
  parts: PayingParts,
  call: Pick<Call, 'once' | 'answerAs' | 'remoteAddress'>,
  found: FoundCharge,
  { identifier, wallet }: Payer,
  hear: (challengeId: string) => void,
): void {
  const { environment, token: subject, amount } = found.charge
  const name = nameInMessages(parts.engine, found.account)
  const text = (code: string): string => paymentOtpText(code, amount, name)
  parts.wallets.otp.startPayment(call, { environment, identifier, subject, wallet, text }, hear)
}

export interface ShownCode {
  readonly token: string
  readonly identifier: string
  readonly challengeId: string
  readonly code: string
  readonly from: Pick<Call, 'remoteAddress'>
}

/** The command that checks the code; 200 and `{account}` is the wallet that pays. */
export function codeCheck(parts: PayingParts, { token, identifier, challengeId, code, from }: ShownCode): CommandOf<'VerifyOtp'> {
  return parts.wallets.otp.verification({ purpose: 'payment', identifier, subject: token, challengeId, code, from, tokenHash: '' })
}

export function webPayment(token: string, payer: AccountNumber, challengeId: string): CommandOf<'PayCharge'> {
  return { type: 'PayCharge', token, merchant: null, payer, challengeId, answer: 'checkout' }
}
