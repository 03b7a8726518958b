// One payout: from a merchant's balance to a wallet, decided in one turn. A failure is a result with its own record,
// not an error: the same key shows it for ever.
import { type Amount, CURRENCY } from '../../kernel/amount.ts'
import { type Environment, environmentOfPhone } from '../../kernel/environment.ts'
import { WALLET_BALANCE_MAX } from '../../kernel/limits.ts'
import { positionOf } from '../../kernel/position.ts'
import { isPhone } from '../../kernel/recipient.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, Decision } from '../decision.ts'
import type { MerchantStop } from '../merchant/merchant-state.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { paymentFrames } from '../stream/stream-frames.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import { type Payout, type PayoutFailure, payoutText } from './payout-state.ts'

export interface CreatePayout {
  readonly type: 'CreatePayout'
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  /** Normalized tag or phone. */
  readonly recipient: string
  readonly amount: Amount
  readonly reference: string
  readonly note: string
}

/** Returns `created` and the payout, paid or failed. Rejections: MERCHANT_STOPS. */
export function decideCreatePayout(state: State, command: CreatePayout, context: Context): Decision<MerchantStop> {
  const { merchant, recipient, amount, reference, note } = command
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  const environment = state.accounts.environment(merchant)
  const payee = state.wallets.payeeOf(environment, recipient)
  const available = state.accounts.available(merchant)
  const failure =
    phoneFailure({ environment, recipient, amount, available }) ??
    (typeof payee === 'string' ? payee : payoutFailure(state.accounts.balance(payee), amount, available))
  const id = context.newId()
  const created_at = rfc3339(context.timeMs)
  if (failure !== null || typeof payee === 'string') {
    const failure_code = failure ?? 'recipient_not_found'
    const payout: Payout = {
      ...{ id, recipient, amount, currency: CURRENCY, reference, state: 'failed', failure_code },
      ...{ note, environment, batch_id: null, schedule_id: null, created_at },
    }
    return { environment, events: payoutEvents(state, context, merchant, payout), transactions: [], frames: [], kind: 'created', body: 0 }
  }
  const transaction_id = context.newId()
  // Field by field: a spread copies one property after the other, on the hottest path.
  const payout: Payout = {
    id,
    recipient,
    amount,
    currency: CURRENCY,
    reference,
    state: 'paid',
    transaction_id,
    note,
    environment,
    batch_id: null,
    schedule_id: null,
    created_at,
  }
  const postings = [{ debit: merchant, credit: payee, amount }]
  return {
    environment,
    events: payoutEvents(state, context, merchant, payout),
    transactions: [{ id: transaction_id, type: 'payout', reference, eventIndex: 0, postings }],
    frames: paymentFrames(payee, 'payment.received', 0),
    kind: 'created',
    body: 0,
  }
}

/** Returns the payout event, and its webhook event when an endpoint subscribes. */
function payoutEvents(state: State, context: Context, merchant: AccountNumber, payout: Payout): StoredEvent[] {
  const event = payoutEvent(merchant, payout)
  if (!state.webhooks.hasEndpoints(merchant)) return [event]
  const type = payout.state === 'paid' ? 'payout.paid' : 'payout.failed'
  return [
    event,
    ...outboxEvents(state, context, { account: merchant, type, about: { document_position: positionOf(context.sequence, 0) } }),
  ]
}

export function payoutEvent(merchant: AccountNumber, payout: Payout): StoredEvent {
  const type = payout.state === 'paid' ? 'payout.paid' : 'payout.failed'
  return { type, version: 1, account: merchant, text: payoutText(payout), payload: payout }
}

interface AskedPayout {
  readonly environment: Environment
  readonly recipient: string
  readonly amount: Amount
  readonly available: Amount
}

/**
 * Why a payout to a phone fails, whether a wallet has the phone or not; null for tags, and where only the wallet decides. Payouts
 * that fail cost nothing: without this check first, their failures would tell which phones have a wallet, as many as a
 * merchant asks. A phone of the other environment has no wallet here, as its digits say.
 */
export function phoneFailure({ environment, recipient, amount, available }: AskedPayout): PayoutFailure | null {
  if (available >= amount || !isPhone(recipient)) return null
  return environmentOfPhone(recipient) === environment ? 'insufficient_balance' : null
}

/**
 * Why a payout of this amount to a wallet with this balance fails, null when it does not. In this precedence: what the
 * merchant cannot mend by waiting comes first.
 */
export function payoutFailure(balance: Amount, amount: Amount, available: Amount): PayoutFailure | null {
  if (balance + amount > WALLET_BALANCE_MAX) return 'recipient_limit_exceeded'
  if (available < amount) return 'insufficient_balance'
  return null
}
