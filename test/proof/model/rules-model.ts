// What the operator's rules must allow and cost, computed apart from the engine: sums by account and day as text, fees as BigInt, balances
// by addition. It shares no code with engine/domain/rules.
import assert from 'node:assert/strict'
import type { FeePlan, FeeRules } from '../../../engine/contract/fees.ts'
import type { LimitRules, MerchantRule, WalletLimit, WalletTier } from '../../../engine/contract/limits.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'

export interface ModelAccount {
  readonly kind: 'wallet' | 'merchant'
  readonly account: AccountNumber
  readonly currency: Currency
  /** Tag of a wallet, id of a merchant. */
  readonly name: string
  balance: number
  held: number
  /** Tier of a wallet, plan of a merchant: what an operator gave to it. */
  given: string | null
  own: Partial<MerchantRule>
}

export interface ModelFee {
  readonly plan: string
  readonly on: FeeKind
  /** Null: of a wallet that sends. */
  readonly merchantId: string | null
  readonly amount: number
  /** Whose fee it is. */
  readonly bearer: ModelAccount
  readonly refundable: boolean
}

interface Payment {
  readonly payer: ModelAccount
  readonly merchant: ModelAccount
  readonly amount: number
  readonly fee: ModelFee | null
  readonly day: string
}

type FeeKind = FeePlan['rules'][number]['on']

/** Code of the rejection or failure; the fee where the movement is made. */
export type Verdict = { readonly code: string } | { readonly code: undefined; readonly fee: ModelFee | null }

/** What is read of an answer of the engine. */
export interface Answer {
  readonly code?: string
  readonly failure_code?: string
  readonly fee?: number
  readonly id?: string
  /** Of a bill that was paid. */
  readonly charge_id?: string
  readonly items?: readonly Answer[]
}

/** A withdrawal that was requested, and neither paid nor cancelled. */
export interface OpenWithdrawal {
  readonly id: string
  readonly merchant: ModelAccount
  readonly amount: number
  readonly fee: ModelFee | null
  /** What it holds: amount and fee. */
  readonly taken: number
}

export class RulesModel {
  readonly limits = new Map<Currency, LimitRules>()
  readonly fees = new Map<Currency, FeeRules>()
  /** Balance of the fee account of each currency. */
  readonly taken = new Map<Currency, number>()
  readonly payments = new Map<string, Payment>()
  readonly #sums = new Map<string, number>()
  readonly #reported = new Map<string, { readonly count: number; readonly sum: number }>()
  /** Wallets that have paid or received since the last notices were read. */
  readonly #moved = new Map<ModelAccount, Set<'paid' | 'received'>>()
  readonly #noticed = new Set<string>()
  readonly #today: () => string

  constructor(today: () => string) {
    this.#today = today
  }

  payout(merchant: ModelAccount, wallet: ModelAccount, amount: number): Verdict {
    const fee = this.fee('payout', merchant, merchant, amount)
    if (availableOf(merchant) < amount + (fee?.amount ?? 0)) return { code: 'insufficient_balance' }
    const { payout_max, payout_day_max } = this.#merchantRule(merchant)
    const paid = this.#sum(merchant, 'paid', this.#today())
    if (exceeds(amount, payout_max) || exceeds(paid + amount, payout_day_max)) return { code: 'merchant_limit_exceeded' }
    if (wallet.currency !== merchant.currency) return { code: 'currency_mismatch' }
    return this.#isFull(wallet, amount) ? { code: 'recipient_limit_exceeded' } : { code: undefined, fee }
  }

  transfer(sender: ModelAccount, recipient: ModelAccount, amount: number): Verdict {
    if (sender.currency !== recipient.currency) return { code: 'currency_mismatch' }
    const fee = this.fee('transfer', sender, sender, amount)
    if (availableOf(sender) < amount + (fee?.amount ?? 0)) return { code: 'insufficient_balance' }
    return this.#ofPayer(sender, recipient, amount, fee)
  }

  payment(on: 'charge' | 'bill', payer: ModelAccount, merchant: ModelAccount, amount: number): Verdict {
    if (payer.currency !== merchant.currency) return { code: 'currency_mismatch' }
    const fee = this.fee(on, merchant, payer, amount)
    const payersFee = fee?.bearer === payer ? fee.amount : 0
    const merchantsFee = fee === null ? 0 : fee.amount - payersFee
    const isShort = availableOf(payer) < amount + payersFee || (merchantsFee > 0 && availableOf(merchant) + amount < merchantsFee)
    return isShort ? { code: 'insufficient_balance' } : this.#ofPayer(payer, merchant, amount, fee)
  }

  /** Costs nothing: no plan has a fee of it. */
  mandate(payer: ModelAccount, merchant: ModelAccount, amount: number): Verdict {
    return availableOf(payer) < amount ? { code: 'insufficient_balance' } : this.#ofPayer(payer, merchant, amount, null)
  }

  chargeMax(merchant: ModelAccount): number | null {
    return this.#merchantRule(merchant).charge_max
  }

  refund({ merchant, amount, fee }: Payment): Verdict {
    const back = fee?.refundable === true ? fee : null
    const returned = back?.bearer === merchant ? back.amount : 0
    return availableOf(merchant) + returned < amount ? { code: 'funds_paid_out' } : { code: undefined, fee: back }
  }

  deposit(account: ModelAccount, amount: number): Verdict {
    return this.#isFull(account, amount) ? { code: 'recipient_limit_exceeded' } : { code: undefined, fee: null }
  }

  /** Returns the fee of a kind by the plan of its owner; `payer` bears it where the rule says so. */
  fee(on: FeeKind, owner: ModelAccount, payer: ModelAccount, amount: number): ModelFee | null {
    const rules = this.fees.get(owner.currency)
    const named = (name: string | null) => rules?.plans.find((one) => one.name === name)
    const plan = (owner.kind === 'merchant' ? named(owner.given) : undefined) ?? named(rules?.default_plan ?? null)
    const rule = plan?.rules.find((one) => one.on === on)
    if (plan === undefined || rule === undefined) return null
    const percent = Number((BigInt(amount) * BigInt(rule.percent_bp) * 2n + 10_000n) / 20_000n)
    const fee = Math.min(Math.max(percent + rule.fixed, rule.min ?? 0), rule.max ?? Number.POSITIVE_INFINITY)
    const bearer = rule.borne_by === 'payer' ? payer : owner
    const about = { plan: plan.name, on, merchantId: owner.kind === 'merchant' ? owner.name : null }
    return fee === 0
      ? null
      : { ...about, amount: fee, bearer: on === 'charge' || on === 'bill' ? bearer : owner, refundable: plan.refund_fees }
  }

  /** Makes the movement; null: money from outside. No account that it pays may be above a limit behind it. */
  move(from: ModelAccount | null, to: ModelAccount, amount: number, fee: ModelFee | null): void {
    if (from !== null) this.#count(from, 'paid', amount)
    this.#count(to, 'received', amount)
    this.#pay(from, to, amount)
    if (fee !== null) this.take(fee)
    if (from?.kind === 'wallet') this.#assertPaidWithin(from)
    if (to.kind === 'wallet') this.#assertReceivedWithin(to)
  }

  /** A negative amount: it is given back. */
  take({ plan, on, merchantId, bearer, amount }: ModelFee): void {
    const { currency } = bearer
    bearer.balance -= amount
    this.taken.set(currency, (this.taken.get(currency) ?? 0) + amount)
    const key = JSON.stringify([currency, this.#today(), plan, on, merchantId])
    const { count = 0, sum = 0 } = this.#reported.get(key) ?? {}
    this.#reported.set(key, { count: count + (amount > 0 ? 1 : 0), sum: sum + amount })
  }

  /** Returns the rows of the operator's report as text, by day or over all days. */
  report(currency: Currency, isByDay: boolean): string[] {
    const rows = new Map<string, { count: number; sum: number }>()
    for (const [key, { count, sum }] of this.#reported) {
      const [of, day, ...about] = JSON.parse(key) as string[]
      if (of !== currency) continue
      const name = JSON.stringify([isByDay ? day : null, ...about])
      const before = rows.get(name) ?? { count: 0, sum: 0 }
      rows.set(name, { count: before.count + count, sum: before.sum + sum })
    }
    return [...rows].map(([name, { count, sum }]) => `${name} ${count} ${sum}`).sort()
  }

  pay(token: string, payer: ModelAccount, merchant: ModelAccount, amount: number, fee: ModelFee | null): void {
    this.move(payer, merchant, amount, fee)
    this.payments.set(token, { payer, merchant, amount, fee, day: this.#today() })
  }

  giveBack(token: string, { payer, merchant, amount, day }: Payment, fee: ModelFee | null): void {
    this.payments.delete(token)
    this.#pay(merchant, payer, amount)
    if (fee !== null) this.take({ ...fee, amount: -fee.amount })
    for (const period of [day, day.slice(0, 7)]) {
      if (!this.#today().startsWith(period)) continue
      this.#sums.set(`${payer.account} paid ${period}`, Math.max(0, this.#sum(payer, 'paid', period) - amount))
    }
  }

  /** Returns `wallet limit used` for each limit of which a wallet has used 80 % since the last call, once in its day or month. */
  notices(): string[] {
    const notices: string[] = []
    const month = this.#today().slice(0, 7)
    for (const [wallet, sides] of this.#moved) {
      const tier = this.tierOf(wallet)
      const note = (limit: WalletLimit, side: 'paid' | 'received', used: number, window: string): void => {
        const max = tier?.[limit] ?? null
        const key = `${wallet.account} ${limit} ${window}`
        if (max === null || !sides.has(side) || used < 0.8 * max || this.#noticed.has(key)) return
        this.#noticed.add(key)
        notices.push(`${wallet.account} ${limit} ${used}`)
      }
      note('balance_max', 'received', wallet.balance, month)
      note('received_month_max', 'received', this.#sum(wallet, 'received', month), month)
      note('sent_day_max', 'paid', this.#sum(wallet, 'paid', this.#today()), this.#today())
      note('sent_month_max', 'paid', this.#sum(wallet, 'paid', month), month)
    }
    this.#moved.clear()
    return notices.sort()
  }

  tierOf({ currency, given }: ModelAccount): WalletTier | null {
    const rules = this.limits.get(currency)
    const named = (name: string | null) => rules?.wallet_tiers.find((tier) => tier.name === name)
    return named(given) ?? named(rules?.default_tier ?? null) ?? null
  }

  #ofPayer(payer: ModelAccount, payee: ModelAccount, amount: number, fee: ModelFee | null): Verdict {
    const tier = this.tierOf(payer)
    const day = this.#sum(payer, 'paid', this.#today())
    const month = this.#sum(payer, 'paid', this.#today().slice(0, 7))
    if (tier !== null && (exceeds(day + amount, tier.sent_day_max) || exceeds(month + amount, tier.sent_month_max))) {
      return { code: 'limit_exceeded' }
    }
    return this.#isFull(payee, amount) ? { code: 'recipient_limit_exceeded' } : { code: undefined, fee }
  }

  #isFull(payee: ModelAccount, amount: number): boolean {
    if (payee.kind === 'merchant') return exceeds(payee.balance + amount, this.#merchantRule(payee).balance_max)
    const tier = this.tierOf(payee)
    if (tier === null) return false
    const received = this.#sum(payee, 'received', this.#today().slice(0, 7))
    return exceeds(payee.balance + amount, tier.balance_max) || exceeds(received + amount, tier.received_month_max)
  }

  #merchantRule({ currency, own }: ModelAccount): MerchantRule {
    const rule = this.limits.get(currency)?.merchant
    const limit = (name: keyof MerchantRule) => own[name] ?? rule?.[name] ?? null
    return {
      ...{ payout_max: limit('payout_max'), payout_day_max: limit('payout_day_max') },
      ...{ charge_max: limit('charge_max'), balance_max: limit('balance_max') },
    }
  }

  #assertPaidWithin(wallet: ModelAccount): void {
    const tier = this.tierOf(wallet)
    if (tier === null) return
    assert.ok(!exceeds(this.#sum(wallet, 'paid', this.#today()), tier.sent_day_max), `${wallet.name} paid within its day`)
    assert.ok(!exceeds(this.#sum(wallet, 'paid', this.#today().slice(0, 7)), tier.sent_month_max), `${wallet.name} paid within its month`)
  }

  #assertReceivedWithin(wallet: ModelAccount): void {
    const tier = this.tierOf(wallet)
    if (tier === null) return
    assert.ok(!exceeds(wallet.balance, tier.balance_max), `${wallet.name} holds what it may`)
    const received = this.#sum(wallet, 'received', this.#today().slice(0, 7))
    assert.ok(!exceeds(received, tier.received_month_max), `${wallet.name} received within its month`)
  }

  #pay(from: ModelAccount | null, to: ModelAccount, amount: number): void {
    if (from !== null) from.balance -= amount
    to.balance += amount
  }

  #count(moved: ModelAccount, side: 'paid' | 'received', amount: number): void {
    const { account, kind } = moved
    if (kind === 'wallet') this.#moved.set(moved, (this.#moved.get(moved) ?? new Set()).add(side))
    const day = this.#today()
    for (const period of [day, day.slice(0, 7)]) {
      const key = `${account} ${side} ${period}`
      this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount)
    }
  }

  #sum({ account }: ModelAccount, side: 'paid' | 'received', period: string): number {
    return this.#sums.get(`${account} ${side} ${period}`) ?? 0
  }
}

export function availableOf({ balance, held }: ModelAccount): number {
  return balance - held
}

function exceeds(amount: number, limit: number | null): boolean {
  return limit !== null && amount > limit
}
