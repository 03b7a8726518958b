// What requests about charges and payment links must come to.
import { firstCode, type Verdicts } from '../entry.ts'
import { ACCOUNT_MAX, WALLET_MAX } from '../models/accounts.ts'
import { chargeState } from '../models/charges.ts'
import type { Models } from '../models.ts'

const PAYMENT = {
  pending: null,
  paid: 'charge_already_paid',
  refunded: 'charge_already_paid',
  expired: 'charge_expired',
  cancelled: 'charge_cancelled',
} as const

const paymentVerdicts = ({ accounts, charges, signIn, fees }: Models) =>
  ({
    PayCharge: ({ token, merchant, payer, challengeId }, { timeMs }) => {
      const charge = charges.charges.get(token)
      const wallet = accounts.walletAt(payer)
      if (charge === undefined || wallet === undefined) return 'not_found'
      const { account, amount, customer, linkId } = charge
      if (accounts.account(account).environment !== wallet.environment || (merchant !== null && merchant !== account)) return 'not_found'
      if (wallet.block === 'blocked') return 'wallet_blocked'
      const code = accounts.stopOf(account) ?? PAYMENT[chargeState(charge, timeMs)]
      const isGood = challengeId === null || signIn.isGoodFor(challengeId, { subject: token, account: payer }, timeMs)
      return (
        code ??
        firstCode([
          [linkId !== null && !charges.isOpen(linkId, timeMs), 'payment_link_closed'],
          [customer !== '' && customer !== wallet.tag, 'wrong_customer'],
          [!isGood, 'otp_expired'],
          [fees.isShort('charge', payer, account, amount), 'insufficient_balance'],
          [accounts.account(account).balance + amount > ACCOUNT_MAX, 'recipient_limit_exceeded'],
        ])
      )
    },
    RefundCharge: ({ token, merchant }) => {
      const charge = charges.charges.get(token)
      if (charge === undefined || charge.account !== merchant) return 'not_found'
      const { account, amount, payer, state, fee } = charge
      const stop = accounts.stopOf(account)
      if (stop !== null) return stop
      if (state === 'refunded') return 'charge_already_refunded'
      if (state !== 'paid') return 'charge_not_paid'
      if (accounts.account(payer).balance + amount + fees.backToPayer(fee) > WALLET_MAX) return 'recipient_limit_exceeded'
      return accounts.available(account) + fees.backToMerchant(fee) < amount ? 'funds_paid_out' : null
    },
  }) satisfies Verdicts

export const chargeVerdicts = (models: Models) => {
  const { accounts, charges } = models
  return {
    ...paymentVerdicts(models),
    CreateCharge: ({ merchant, madeBy }, { timeMs }) => {
      const stop = accounts.stopOf(merchant)
      if (stop !== null || 'kind' in madeBy) return stop
      const isOwn = charges.links.get(madeBy.linkId)?.account === merchant
      return isOwn && charges.isOpen(madeBy.linkId, timeMs) ? null : 'payment_link_closed'
    },
    CancelCharge: ({ token, merchant }, { timeMs }) => {
      const charge = charges.charges.get(token)
      if (charge === undefined || charge.account !== merchant) return 'not_found'
      const state = chargeState(charge, timeMs)
      return state === 'pending' || state === 'cancelled' ? null : 'charge_not_pending'
    },
    ExpireCharge: ({ token, merchant }) => {
      const charge = charges.charges.get(token)
      if (charge === undefined || charge.account !== merchant) return 'not_found'
      return charge.state === 'pending' || charge.state === 'expired' ? null : 'charge_not_pending'
    },
    CreatePaymentLink: ({ merchant }) => accounts.stopOf(merchant),
    ClosePaymentLink: ({ merchant, id }) => (charges.links.get(id)?.account === merchant ? null : 'not_found'),
  } satisfies Verdicts
}
