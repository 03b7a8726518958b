// Checkout as the customer uses it: the public routes of the checkout page, and the same charge in the app.
import { otpCode, pin } from './auth.ts'
import { address, CHARGE_STATES, chargeToken } from './charge.ts'
import { amount, balance, currency, timestamp, uuid } from './common.ts'
import { feeOfPayer, feeTaken } from './fees.ts'
import { moneyBody } from './money-body.ts'
import { choice, nullable, type Static, Type } from './schema.ts'

const CHECKOUT = {
  state: choice(CHARGE_STATES, { description: 'Only a `pending` charge can be paid.' }),
  amount: amount(),
  currency: currency(),
  fee: feeOfPayer(),
  description: Type.String({ description: 'Description by the merchant; empty when there is none.' }),
  merchant_name: Type.String({ description: 'Name of the merchant.', examples: ['Boutique Awa'] }),
  merchant_address: nullable(Type.String(), {
    description: 'Address of the merchant; null for none.',
    examples: ['12 rue Félix Faure, Dakar'],
  }),
  merchant_logo_url: nullable(Type.String({ format: 'uri' }), {
    description: 'Logo of the merchant that an operator approved; null for none.',
  }),
  restricted: Type.Boolean({ description: 'Whether only one customer may pay.' }),
  expires_at: timestamp(),
  redirect_url: Type.String({ description: 'As the merchant sent it; empty when there is none.' }),
}

export const Checkout = Type.Object(CHECKOUT, { $id: 'Checkout' })

export type Checkout = Static<typeof Checkout>

export const CheckoutStatus = Type.Object(
  { state: choice(CHARGE_STATES, { description: 'State of the charge now.' }) },
  { $id: 'CheckoutStatus' },
)

export type CheckoutStatus = Static<typeof CheckoutStatus>

export const CheckoutQr = Type.Object(
  {
    payload: Type.String({ description: 'Content of the QR code: the address of the page and a code that changes every 15 seconds.' }),
    svg: Type.String({ description: 'The QR code as an image, black on white, with its quiet zone.' }),
    expires_in: Type.Integer({
      minimum: 1,
      maximum: 15,
      description: 'Seconds until the code changes. It stays valid for 15 more seconds.',
    }),
  },
  { $id: 'CheckoutQr' },
)

export type CheckoutQr = Static<typeof CheckoutQr>

/** A wallet's tag or its phone. */
function identifier() {
  return Type.String({
    pattern: '^(?:@?[A-Za-z0-9_]{3,20}|\\+[1-9][0-9]{7,14})$',
    description: 'Tag or phone (E.164) of the wallet that pays.',
    examples: ['@awa_diallo'],
  })
}

export const StartCheckoutOtpBody = Type.Object({ identifier: identifier() }, { $id: 'StartCheckoutOtpBody' })

export type StartCheckoutOtpBody = Static<typeof StartCheckoutOtpBody>

export const CheckoutOtp = Type.Object(
  {
    challenge_id: uuid({ description: 'Send it with the payment.' }),
    expires_in: Type.Integer({ minimum: 1, description: 'Seconds until the code expires.', examples: [300] }),
  },
  { $id: 'CheckoutOtp' },
)

export type CheckoutOtp = Static<typeof CheckoutOtp>

export const PayCheckoutBody = moneyBody(
  {
    challenge_id: uuid({ description: 'Id of the code. Without an Idempotency-Key it is the key of the payment.' }),
    identifier: identifier(),
    otp: otpCode(),
    pin: pin(),
  },
  { $id: 'PayCheckoutBody' },
)

export type PayCheckoutBody = Static<typeof PayCheckoutBody>

export const PaidCheckout = Type.Object(
  {
    state: Type.Literal('paid', { description: 'Always `paid`.' }),
    redirect_url: Type.String({
      description: 'Where to send the browser: the merchant’s address with `token` and `state` in its query; empty when there is none.',
    }),
  },
  { $id: 'PaidCheckout' },
)

export type PaidCheckout = Static<typeof PaidCheckout>

export const ScanBody = Type.Object({ payload: address({ description: 'Content of the QR code.' }) }, { $id: 'ScanBody' })

export type ScanBody = Static<typeof ScanBody>

export const ScannedCharge = Type.Object({ token: chargeToken(), ...CHECKOUT }, { $id: 'ScannedCharge' })

export type ScannedCharge = Static<typeof ScannedCharge>

export const PayChargeBody = moneyBody({ pin: pin() }, { $id: 'PayChargeBody' })

export type PayChargeBody = Static<typeof PayChargeBody>

export const PaidCharge = Type.Object(
  {
    state: Type.Literal('paid', { description: 'Always `paid`.' }),
    transaction_id: uuid({ description: 'Ledger transaction of the payment.' }),
    amount: amount(),
    currency: currency(),
    fee: feeTaken('What the payer paid beside the amount.'),
    balance_after: balance({ description: 'The payer’s, after the fee.' }),
  },
  { $id: 'PaidCharge' },
)

export type PaidCharge = Static<typeof PaidCharge>
