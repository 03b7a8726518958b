// Paying on the web: a code to the payer's phone, then code and PIN, then the payment. The public routes and the
// checkout page go the same way; they differ in how they tell what came of it.
import type { AccountNumber, CommandOf, FoundCharge } from '../../../engine/api.ts'
import type { House } from '../../app/house.ts'
import type { Call } from '../../server/route.ts'
import { nameInMessages } from '../../workers/gateways/merchant-name.ts'
import { paymentOtpText } from '../../workers/gateways/message.ts'
import type { Payer } from './checkout.ts'

type PayingHouse = Pick<House, 'engine' | 'wallets'>

/**
 * Sends a code to whoever the identifier leads to, and tells nobody whether it leads to anybody. A limit answers the
 * call itself; `hear` gets the id of the challenge.
 */
export function startCheckoutOtp(
  house: PayingHouse,
  call: Pick<Call, 'once' | 'answerAs' | 'remoteAddress'>,
  found: FoundCharge,
  { identifier, wallet }: Payer,
  hear: (challengeId: string) => void,
): void {
  const { environment, token: subject, amount } = found.charge
  const name = nameInMessages(house.engine, found.account)
  const text = (code: string): string => paymentOtpText(code, amount, name)
  house.wallets.otp.startPayment(call, { environment, identifier, subject, wallet, text }, hear)
}

export interface ShownCode {
  readonly token: string
  readonly identifier: string
  readonly challengeId: string
  readonly code: string
  readonly from: Pick<Call, 'remoteAddress'>
}

/** The command that checks the code; 200 and `{account}` is the wallet that pays. */
export function codeCheck(house: PayingHouse, { token, identifier, challengeId, code, from }: ShownCode): CommandOf<'VerifyOtp'> {
  return house.wallets.otp.verification({ purpose: 'payment', identifier, subject: token, challengeId, code, from, tokenHash: '' })
}

export function webPayment(token: string, payer: AccountNumber, challengeId: string): CommandOf<'PayCharge'> {
  return { type: 'PayCharge', token, merchant: null, payer, challengeId, answer: 'checkout' }
}
