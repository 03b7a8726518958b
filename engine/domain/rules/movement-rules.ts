// The one door of every decider that moves money: limits are asked here, and the transaction of a movement comes from here alone. The
// rules of one decision run along: what one movement takes counts for the next.
import { errorValue } from '../../contract/errors.ts'
import type { LimitName, MerchantRule, WalletTier } from '../../contract/limits.ts'
import type { Reason } from '../../contract/reasons.ts'
import { AMOUNT_MAX, type Amount } from '../../kernel/amount.ts'
import { ACCOUNT_BALANCE_MAX, BATCH_LINES_MAX, WALLET_BALANCE_MAX } from '../../kernel/limits.ts'
import type { AccountNumber, Posting, TransactionType } from '../../ledger/transaction.ts'
import type { Accepted, Context } from '../decision.ts'
import type { State } from '../state.ts'
import { COUNTED_SIDES, type Usage } from './movement-counters.ts'
import { PlannedTransaction, type TransactionPlan } from './planned-transaction.ts'

/** A movement that may be made. It has passed the rules. */
export interface AllowedMovement {
  readonly type: TransactionType
  readonly posting: Posting
}

/** The account that is over its limit: the payee, the wallet that pays, or the merchant that pays out. */
export type Breach = { readonly breach: 'payee' | 'merchant' } | PayerBreach

export interface PayerBreach {
  readonly breach: 'payer'
  readonly limit: PayerLimit
  /** What the limit still allows. */
  readonly left: Amount
}

/** Kinds of what transfers and payments are refused with: no key stores a limit, which may be another one tomorrow. */
export const LIMIT_KINDS = { recipient_limit_exceeded: 'forbidden' } as const

export function isBreach(judged: AllowedMovement | Breach): judged is Breach {
  return 'breach' in judged
}

/** Limits that stop the one who acts. */
type PayerLimit = Extract<LimitName, 'sent_day_max' | 'sent_month_max' | 'charge_max'>

/** What the one who acts reads: which limit it is, and what it still allows. */
const REASONS = {
  sent_day_max: 'sent_day_left',
  sent_month_max: 'sent_month_left',
  charge_max: 'charge_max_left',
} as const satisfies Record<PayerLimit, Reason>

const PAYEE: Breach = { breach: 'payee' }
const MERCHANT: Breach = { breach: 'merchant' }

/** Above this balance the lines of one batch could bring a wallet to its ceiling. */
const NEAR_CEILING = WALLET_BALANCE_MAX - BATCH_LINES_MAX * AMOUNT_MAX

export class MovementRules {
  readonly #state: State
  readonly #context: Pick<Context, 'timeMs'>
  /** What earlier movements of the decision have given to payees near a limit; null before the first. */
  #given: Map<AccountNumber, Amount> | null = null
  /** What they have taken from the merchant that pays. */
  #paidOut: Amount = 0

  constructor(state: State, context: Pick<Context, 'timeMs'>) {
    this.#state = state
    this.#context = context
  }

  /** Returns the movement, or who is over which limit: the account that pays is asked first. The caller has checked the balance. */
  judge(type: TransactionType, debit: AccountNumber, credit: AccountNumber, amount: Amount): AllowedMovement | Breach {
    const breach = this.#state.rules.hasLimits ? this.#payerBreach(type, debit, amount) : null
    if (breach !== null) return breach
    if (this.#isPayeeOver(type, credit, amount)) return PAYEE
    return { type, posting: { debit, credit, amount } }
  }

  /** Returns whether a payout is above the limits of its merchant, before its recipient is looked at. */
  isAboveMerchant(merchant: AccountNumber, amount: Amount): boolean {
    return this.#state.rules.hasLimits && this.#payerBreach('payout', merchant, amount) !== null
  }

  /** Counts a movement for the next ones of the decision. */
  add({ posting: { credit, amount } }: AllowedMovement): void {
    this.#paidOut += amount
    if (!this.#state.rules.hasLimits && this.#state.accounts.balance(credit) <= NEAR_CEILING) return
    this.#given ??= new Map()
    this.#given.set(credit, (this.#given.get(credit) ?? 0) + amount)
  }

  /** Returns the transaction of the movement. */
  transaction({ type, posting }: AllowedMovement, plan: TransactionPlan): PlannedTransaction {
    return new PlannedTransaction(type, plan, posting)
  }

  /** Returns the limit of a charge that the amount is above; null where the merchant may ask for it. */
  chargeBreach(merchant: AccountNumber, amount: Amount): PayerBreach | null {
    if (!this.#state.rules.hasLimits) return null
    const { charge_max } = this.#ruleOf(merchant)
    return charge_max === null || amount <= charge_max ? null : { breach: 'payer', limit: 'charge_max', left: charge_max }
  }

  /** Returns the rejection of a payer, which no key stores: the limits may change, and a month ends. */
  refused({ limit, left }: PayerBreach, account: AccountNumber): Accepted<'limit_exceeded'> {
    const environment = this.#state.accounts.environment(account)
    const body = errorValue('limit_exceeded', limit, { reason: REASONS[limit], values: { left } })
    return { environment, events: [], transactions: [], frames: [], kind: 'forbidden', body, rejection: 'limit_exceeded' }
  }

  #payerBreach(type: TransactionType, debit: AccountNumber, amount: Amount): Breach | null {
    const { accounts } = this.#state
    if (!COUNTED_SIDES[type].paid) return null
    if (accounts.kind(debit) === 'wallet') return walletBreach(this.#tierOf(debit), this.#usageOf(debit), amount)
    const { payout_max, payout_day_max } = this.#ruleOf(debit)
    if (payout_max !== null && amount > payout_max) return MERCHANT
    if (payout_day_max === null) return null
    return this.#usageOf(debit).paidDay + this.#paidOut + amount > payout_day_max ? MERCHANT : null
  }

  #isPayeeOver(type: TransactionType, credit: AccountNumber, amount: Amount): boolean {
    const { accounts, rules } = this.#state
    const kind = accounts.kind(credit)
    if (kind !== 'wallet' && kind !== 'merchant') return false
    const given = this.#given?.get(credit) ?? 0
    const held = accounts.balance(credit) + given + amount
    if (held > (kind === 'wallet' ? WALLET_BALANCE_MAX : ACCOUNT_BALANCE_MAX)) return true
    if (!rules.hasLimits || !COUNTED_SIDES[type].received) return false
    if (kind === 'merchant') return isAbove(held, this.#ruleOf(credit).balance_max)
    const tier = this.#tierOf(credit)
    if (tier === null) return false
    return isAbove(held, tier.balance_max) || isAbove(this.#usageOf(credit).receivedMonth + given + amount, tier.received_month_max)
  }

  #tierOf(wallet: AccountNumber): WalletTier | null {
    return this.#state.rules.tierOf(this.#state.accounts.environment(wallet), wallet)
  }

  #ruleOf(merchant: AccountNumber): MerchantRule {
    return this.#state.rules.merchantRuleOf(this.#state.accounts.environment(merchant), merchant)
  }

  #usageOf(account: AccountNumber): Usage {
    return this.#state.rules.counters.usageOf(account, this.#context.timeMs)
  }
}

function isAbove(amount: Amount, limit: Amount | null): boolean {
  return limit !== null && amount > limit
}

function walletBreach(tier: WalletTier | null, { paidDay, paidMonth }: Usage, amount: Amount): PayerBreach | null {
  if (tier === null) return null
  const { sent_day_max, sent_month_max } = tier
  if (isAbove(paidDay + amount, sent_day_max)) return breachOf('sent_day_max', sent_day_max, paidDay)
  if (isAbove(paidMonth + amount, sent_month_max)) return breachOf('sent_month_max', sent_month_max, paidMonth)
  return null
}

function breachOf(limit: PayerLimit, max: Amount | null, used: Amount): PayerBreach {
  return { breach: 'payer', limit, left: Math.max(0, (max ?? 0) - used) }
}
