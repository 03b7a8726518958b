// Words about mandates for their merchant: what a state means, and why a payment failed.
import type { Mandate, MandateFailure } from '../../../../engine/contract/mandate.ts'
import type { Text } from '../../../text/text.ts'
import { TEXTS } from './mandate-pages-messages.ts'

export const MANDATE_FAILURES: Readonly<Record<MandateFailure, Text>> = {
  insufficient_balance: TEXTS.insufficientBalanceCustomer,
  wallet_blocked: TEXTS.walletCustomerBlocked,
  limit_exceeded: TEXTS.customersPaymentLimitReached,
  recipient_limit_exceeded: TEXTS.accountLimitReached,
  merchant_suspended: TEXTS.accountWasSuspended,
  live_not_activated: TEXTS.accountWasNotActivated,
}

/** Says what a state means for the merchant, and what to do. */
export const MANDATE_ADVICE: Readonly<Partial<Record<Mandate['state'], Text | string>>> = {
  pending: TEXTS.nothingDebitedBeforeCustomerAgrees,
  paused: TEXTS.balanceCustomerWasInsufficientFour,
}
