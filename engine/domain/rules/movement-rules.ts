// The one door of every decider that moves money: limits are asked here, fees are decided here, and the transaction of a movement comes
// from here alone. The rules of one decision run along: what one movement takes counts for the next.
import { errorValue } from '../../contract/errors.ts'
import type { FeeKind } from '../../contract/fees.ts'
import type { LimitName, MerchantRule, WalletTier } from '../../contract/limits.ts'
import type { Reason } from '../../contract/reasons.ts'
import { AccountSums } from '../../kernel/account-sums.ts'
import { AMOUNT_MAX, type Amount } from '../../kernel/amount.ts'
import { ACCOUNT_BALANCE_MAX, BATCH_LINES_MAX, WALLET_BALANCE_MAX } from '../../kernel/limits.ts'
import { type AccountNumber, type PlannedPosting, type Posting, plannedPosting, type TransactionType } from '../../ledger/transaction.ts'
import type { Accepted, Context } from '../decision.ts'
import type { State } from '../state.ts'
import { FEE_OF_TYPE, type Fee, type FeeTerms, feeAmount, feeOf, payerFee, planAccount, type Tariff, tariffOf, termsOf } from './fees.ts'
import { COUNTED_SIDES } from './movement-counters.ts'
import { isNear } from './near-limits.ts'
import { type PlannedFee, PlannedTransaction, type TransactionPlan } from './planned-transaction.ts'
import { NO_MERCHANT_RULE } from './rules-state.ts'

/** A movement that may be made. It has passed the rules. */
export interface AllowedMovement {
  readonly type: TransactionType
  readonly posting: PlannedPosting
  /** Null where it costs nothing. */
  readonly fee: MovementFee | null
  /** Whether it brings one of its wallets near a limit. */
  readonly nearsLimit: boolean
}

/** The fee that a movement takes, or that a refund gives back. */
export interface MovementFee extends PlannedFee {
  readonly terms: FeeTerms
}

/** What a record keeps of its fee: `fee` of the answer, and what a refund needs. */
export interface TakenFee {
  readonly fee: Amount
  /** Absent without a fee. */
  readonly fee_terms?: FeeTerms
}

/** Returns the fee of the movement as its record keeps it. */
export function takenFee({ fee }: AllowedMovement): TakenFee {
  return fee === null ? NO_FEE : { fee: fee.posting.amount, fee_terms: fee.terms }
}

const NO_FEE: TakenFee = { fee: 0 }

/** Returns the part of the fee that the account bears. */
export function feeBorneBy({ fee }: { readonly fee: PlannedFee | null }, account: AccountNumber): Amount {
  return fee !== null && fee.posting.debit === account ? fee.posting.amount : 0
}

/**
 * Number of events that the turn puts before those of the decision: a fee goes back before its refund, because it may be a part of what
 * is refunded. Lists and streams read both in the order of their events.
 */
export function eventsBefore({ fee }: { readonly fee: PlannedFee | null }): number {
  return fee?.type === 'fee_refund' ? 1 : 0
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

const NO_ACCOUNT = -1

const PAYEE: Breach = { breach: 'payee' }
const MERCHANT: Breach = { breach: 'merchant' }

/** Above this balance the lines of one batch could bring a wallet to its ceiling. */
const NEAR_CEILING = WALLET_BALANCE_MAX - BATCH_LINES_MAX * AMOUNT_MAX

export class MovementRules {
  readonly #state: State
  readonly #context: Pick<Context, 'timeMs'>
  /** What earlier movements of the decision have given to payees near a limit; null before the first. */
  #given: AccountSums | null = null
  /** What they have taken from the merchant that pays, without and with fees. */
  #paidOut: Amount = 0
  #spent: Amount = 0
  /** Of the movement that is judged. */
  #nearsLimit = false
  /** Rule and tariff of the account that was asked for last: all lines of a batch have the same payer. */
  #ruled: AccountNumber = NO_ACCOUNT
  #rule: MerchantRule = NO_MERCHANT_RULE
  #charged: AccountNumber = NO_ACCOUNT
  #chargedOn: FeeKind | null = null
  #tariff: Tariff | null = null

  constructor(state: State, context: Pick<Context, 'timeMs'>) {
    this.#state = state
    this.#context = context
  }

  /** Begins another decision with one movement; false where they are not of this state in this context. */
  begin(state: State, context: Pick<Context, 'timeMs'>): boolean {
    this.#ruled = NO_ACCOUNT
    this.#charged = NO_ACCOUNT
    return this.#state === state && this.#context === context
  }

  /** Returns the movement, or who is over which limit: the account that pays is asked first. The caller has checked the balance. */
  judge(type: TransactionType, debit: AccountNumber, credit: AccountNumber, amount: Amount): AllowedMovement | Breach {
    this.#nearsLimit = false
    const breach = this.#state.rules.hasLimits ? this.#payerBreach(type, debit, amount) : null
    if (breach !== null) return breach
    if (this.#isPayeeOver(type, credit, amount)) return PAYEE
    const fee = this.#state.rules.hasFees ? this.#feeOf(type, debit, credit, amount) : null
    return { type, posting: plannedPosting(debit, credit, amount), fee, nearsLimit: this.#nearsLimit }
  }

  /**
   * Returns whether an account holds too little for what it pays of the movement: the payer for the amount and its fee, or the merchant
   * that is paid for the fee that it bears. `credit` null: of a payout, whose recipient is looked at later.
   */
  isShort(type: TransactionType, debit: AccountNumber, credit: AccountNumber | null, amount: Amount): boolean {
    const { accounts, rules } = this.#state
    const available = accounts.available(debit) - this.#spent
    const tariff = rules.hasFees ? this.#tariffOf(type, debit, credit) : null
    const cost = tariff === null ? 0 : feeAmount(tariff.rule, amount)
    if (tariff === null || cost === 0) return available < amount
    const bearer = tariff.terms.borne_by === 'payer' ? debit : planAccount(tariff.on, debit, credit)
    return bearer === debit ? available < amount + cost : available < amount || accounts.available(bearer) + amount < cost
  }

  /** Returns the fee of a merchant's withdrawal, which its request holds beside the amount. */
  withdrawalFee(merchant: AccountNumber, amount: Amount): Fee | null {
    return feeOf(this.#state, 'withdrawal', merchant, amount)
  }

  /** Returns the movement of a withdrawal whose amount and fee were held. */
  captured(posting: Posting, fee: Fee | null): AllowedMovement {
    const { debit, credit, amount } = posting
    const taken = fee === null ? null : this.#planned(fee, termsOf(fee), debit, debit)
    return { type: 'withdrawal', posting: plannedPosting(debit, credit, amount), fee: taken, nearsLimit: false }
  }

  /** Returns the refund of a payment with the fee that it gives back, where the plan of the payment says so; or that the payer is over. */
  judgeRefund({ debit, credit, amount }: Posting, { fee, fee_terms }: Partial<TakenFee>, on: FeeKind): AllowedMovement | Breach {
    const back = fee === undefined || fee_terms?.refundable !== true ? null : { ...fee_terms, on, amount: fee }
    const payersFee = payerFee(back)
    const refund = this.judge('refund', debit, credit, amount + payersFee)
    if (isBreach(refund)) return refund
    const posting = plannedPosting(debit, credit, amount)
    if (back === null) return { ...refund, posting }
    const { posting: taken, ...planned } = this.#planned(back, termsOf(back), debit, payersFee > 0 ? credit : debit)
    return { ...refund, posting, fee: { ...planned, type: 'fee_refund', posting: plannedPosting(taken.credit, taken.debit, taken.amount) } }
  }

  /** Returns whether the merchant holds what a refund takes, with the fee that comes back first. */
  coversRefund({ posting: { debit, amount }, fee }: AllowedMovement): boolean {
    return this.#state.accounts.available(debit) + (fee?.posting.credit === debit ? fee.posting.amount : 0) >= amount
  }

  /** Returns whether a payout is above the limits of its merchant, before its recipient is looked at. */
  isAboveMerchant(merchant: AccountNumber, amount: Amount): boolean {
    return this.#state.rules.hasLimits && this.#payerBreach('payout', merchant, amount) !== null
  }

  /** Counts a movement for the next ones of the decision. */
  add(movement: AllowedMovement): void {
    const { debit, credit, amount } = movement.posting
    this.#paidOut += amount
    this.#spent += amount + feeBorneBy(movement, debit)
    if (!this.#state.rules.hasLimits && this.#state.accounts.balance(credit) <= NEAR_CEILING) return
    this.#given ??= new AccountSums()
    this.#given.add(credit, amount)
  }

  /** Returns the transaction of the movement. */
  transaction(movement: AllowedMovement, plan: TransactionPlan): PlannedTransaction {
    return new PlannedTransaction(movement, this.#state.accounts.currency(movement.posting.debit), plan)
  }

  /** Returns the limit of a charge that the amount is above; null where the merchant may ask for it. */
  chargeBreach(merchant: AccountNumber, amount: Amount): PayerBreach | null {
    if (!this.#state.rules.hasLimits) return null
    const { charge_max } = this.#ruleOf(merchant)
    return charge_max === null || amount <= charge_max ? null : { breach: 'payer', limit: 'charge_max', left: charge_max }
  }

  /** Returns the rejection of a payer, which no key stores: the limits may change, and a month ends. */
  refused({ limit, left }: PayerBreach, account: AccountNumber): Accepted<'limit_exceeded'> {
    const { accounts } = this.#state
    const environment = accounts.environment(account)
    const body = errorValue('limit_exceeded', limit, { reason: REASONS[limit], values: { left, currency: accounts.currency(account) } })
    return { environment, events: [], transactions: [], frames: [], kind: 'forbidden', body, rejection: 'limit_exceeded' }
  }

  #feeOf(type: TransactionType, debit: AccountNumber, credit: AccountNumber | null, amount: Amount): MovementFee | null {
    const tariff = this.#tariffOf(type, debit, credit)
    const cost = tariff === null ? 0 : feeAmount(tariff.rule, amount)
    if (tariff === null || cost === 0) return null
    const { on, terms } = tariff
    const account = planAccount(on, debit, credit)
    return this.#planned({ on, amount: cost }, terms, account, terms.borne_by === 'payer' ? debit : account)
  }

  #tariffOf(type: TransactionType, debit: AccountNumber, credit: AccountNumber | null): Tariff | null {
    const on = FEE_OF_TYPE[type]
    if (on === null) return null
    const account = planAccount(on, debit, credit)
    if (account === this.#charged && on === this.#chargedOn) return this.#tariff
    this.#charged = account
    this.#chargedOn = on
    this.#tariff = tariffOf(this.#state, on, account)
    return this.#tariff
  }

  #planned({ on, amount }: Pick<Fee, 'on' | 'amount'>, terms: FeeTerms, account: AccountNumber, bearer: AccountNumber): MovementFee {
    const credit = this.#state.accounts.ownBeside('fee', account)
    return { type: 'fee', on, plan: terms.plan, account, posting: plannedPosting(bearer, credit, amount), terms }
  }

  #payerBreach(type: TransactionType, debit: AccountNumber, amount: Amount): Breach | null {
    const { accounts } = this.#state
    if (!COUNTED_SIDES[type].paid) return null
    if (accounts.kind(debit) === 'wallet') return this.#walletBreach(debit, amount)
    const { payout_max, payout_day_max } = this.#ruleOf(debit)
    if (payout_max !== null && amount > payout_max) return MERCHANT
    if (payout_day_max === null) return null
    const paidDay = this.#state.rules.counters.paidDayOf(debit, this.#context.timeMs)
    return paidDay + this.#paidOut + amount > payout_day_max ? MERCHANT : null
  }

  #walletBreach(wallet: AccountNumber, amount: Amount): PayerBreach | null {
    const tier = this.#tierOf(wallet)
    if (tier === null) return null
    const { sent_day_max, sent_month_max } = tier
    const { paidDay, paidMonth } = this.#state.rules.counters.usageOf(wallet, this.#context.timeMs)
    if (isAbove(paidDay + amount, sent_day_max)) return breachOf('sent_day_max', sent_day_max, paidDay)
    if (isAbove(paidMonth + amount, sent_month_max)) return breachOf('sent_month_max', sent_month_max, paidMonth)
    if (isNear(paidDay + amount, sent_day_max) || isNear(paidMonth + amount, sent_month_max)) this.#nearsLimit = true
    return null
  }

  #isPayeeOver(type: TransactionType, credit: AccountNumber, amount: Amount): boolean {
    const { accounts, rules } = this.#state
    const kind = accounts.kind(credit)
    if (kind !== 'wallet' && kind !== 'merchant') return false
    const given = this.#given === null ? 0 : this.#given.of(credit)
    const held = accounts.balance(credit) + given + amount
    if (held > (kind === 'wallet' ? WALLET_BALANCE_MAX : ACCOUNT_BALANCE_MAX)) return true
    if (!rules.hasLimits || !COUNTED_SIDES[type].received) return false
    if (kind === 'merchant') return isAbove(held, this.#ruleOf(credit).balance_max)
    const tier = this.#tierOf(credit)
    if (tier === null) return false
    const { balance_max, received_month_max } = tier
    const received = rules.counters.receivedMonthOf(credit, this.#context.timeMs) + given + amount
    if (isAbove(held, balance_max) || isAbove(received, received_month_max)) return true
    if (isNear(held, balance_max) || isNear(received, received_month_max)) this.#nearsLimit = true
    return false
  }

  #tierOf(wallet: AccountNumber): WalletTier | null {
    const { accounts, rules } = this.#state
    return rules.tierOf(accounts.environment(wallet), accounts.currency(wallet), wallet)
  }

  #ruleOf(merchant: AccountNumber): MerchantRule {
    if (merchant === this.#ruled) return this.#rule
    const { accounts, rules } = this.#state
    this.#ruled = merchant
    this.#rule = rules.merchantRuleOf(accounts.environment(merchant), accounts.currency(merchant), merchant)
    return this.#rule
  }
}

function isAbove(amount: Amount, limit: Amount | null): boolean {
  return limit !== null && amount > limit
}

function breachOf(limit: PayerLimit, max: Amount | null, used: Amount): PayerBreach {
  return { breach: 'payer', limit, left: Math.max(0, (max ?? 0) - used) }
}
