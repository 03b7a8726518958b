// Fees in the model: the plans that operators set, and the fee that each movement takes or gives back, by a formula of its own.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, type NounModel } from '../entry.ts'
import type { Moves } from '../moves.ts'
import type { AccountsModel, Environment } from './accounts.ts'

export type FeeOn = 'payout' | 'charge' | 'bill' | 'transfer' | 'withdrawal'

interface Rule {
  readonly on: FeeOn
  readonly percent_bp: number
  readonly fixed: number
  readonly min?: number
  readonly max?: number
  readonly borne_by: 'merchant' | 'payer'
}

interface Plan {
  readonly name: string
  readonly rules: readonly Rule[]
  readonly refund_fees: boolean
}

interface Plans {
  readonly plans: readonly Plan[]
  readonly default_plan: string | null
}

export interface ModelFee {
  readonly amount: number
  readonly byPayer: boolean
  readonly isRefundable: boolean
}

export const NO_FEE: ModelFee = { amount: 0, byPayer: false, isRefundable: false }

interface Changed extends Partial<Record<string, unknown>> {
  readonly kind: string
  readonly environment: Environment
  readonly account: number
  readonly plan: string | null
  readonly rules: Plans
}

/** A fee that the record must take, or one that it must give back. */
interface Expected {
  readonly type: 'fee' | 'fee_refund'
  /** Who pays it, or who gets it back. */
  readonly bearer: number
  readonly amount: number
}

const BY_PAYER: Readonly<Partial<Record<FeeOn, boolean>>> = { payout: false, withdrawal: false, transfer: true }

export class FeesModel implements NounModel {
  readonly #accounts: AccountsModel
  readonly #seen: Moves
  readonly #plans = new Map<Environment, Plans>()
  /** By account of the merchant. */
  readonly #own = new Map<number, string>()
  /** What was taken less what was given back, by environment. */
  readonly #sums: Record<Environment, number> = { live: 0, test: 0 }
  #expected: Expected[] = []

  constructor(accounts: AccountsModel, seen: Moves) {
    this.#accounts = accounts
    this.#seen = seen
    for (const move of ['payout', 'charge', 'bill', 'transfer', 'withdrawal', 'refund']) seen.declare(`fee: ${move}`)
  }

  /** Names of the plans of an environment. */
  names(environment: Environment): readonly string[] {
    return (this.#plans.get(environment)?.plans ?? []).map(({ name }) => name)
  }

  /** What a movement of the amount costs by the plan of the account. */
  of(on: FeeOn, account: number, amount: number): ModelFee {
    const plans = this.#plans.get(this.#accounts.account(account).environment)
    const byName = (name: string | null | undefined) => plans?.plans.find((plan) => plan.name === name)
    const plan = byName(this.#own.get(account)) ?? byName(plans?.default_plan)
    const rule = plan?.rules.find((one) => one.on === on)
    if (plan === undefined || rule === undefined) return NO_FEE
    const percent = Number((BigInt(amount) * BigInt(rule.percent_bp) * 2n + 10_000n) / 20_000n)
    const least = Math.max(percent + rule.fixed, rule.min ?? 0)
    const fee = Math.min(least, rule.max ?? least)
    return { amount: fee, byPayer: BY_PAYER[on] ?? rule.borne_by === 'payer', isRefundable: plan.refund_fees }
  }

  /** What the payer pays of a movement in all. */
  cost(on: FeeOn, account: number, amount: number): number {
    const fee = this.of(on, account, amount)
    return amount + (fee.byPayer || BY_PAYER[on] === false ? fee.amount : 0)
  }

  /** Whether payer or merchant hold too little for a payment to the merchant. */
  isShort(on: 'charge' | 'bill', payer: number, merchant: number, amount: number): boolean {
    const fee = this.of(on, merchant, amount)
    const isMerchantShort = !fee.byPayer && this.#accounts.available(merchant) + amount < fee.amount
    return this.#accounts.available(payer) < this.cost(on, merchant, amount) || isMerchantShort
  }

  /** The record must take this fee. */
  take(entry: Entry, on: FeeOn, { amount }: ModelFee, bearer: number): void {
    if (amount === 0) return
    this.#seen.made(`fee: ${on}`)
    this.#expect(entry, { type: 'fee', bearer, amount })
  }

  /** What a refund gives back to whom; nothing where the plan of the payment says no. */
  giveBack(entry: Entry, { amount, byPayer, isRefundable }: ModelFee, payer: number, merchant: number): void {
    if (amount === 0 || !isRefundable) return
    this.#seen.made('fee: refund')
    this.#expect(entry, { type: 'fee_refund', bearer: byPayer ? payer : merchant, amount })
  }

  /** What the merchant gets back before it pays a refund. */
  backToMerchant({ amount, byPayer, isRefundable }: ModelFee): number {
    return isRefundable && !byPayer ? amount : 0
  }

  /** What the payer gets back beside the amount. */
  backToPayer({ amount, byPayer, isRefundable }: ModelFee): number {
    return isRefundable && byPayer ? amount : 0
  }

  audit({ record, events }: Entry): void {
    const found = record.transactions.filter(({ type }) => type === 'fee' || type === 'fee_refund')
    const moved = found.map(({ type, postings: [posting] }) => {
      const bearer = type === 'fee' ? posting?.debit : posting?.credit
      const kept = type === 'fee' ? posting?.credit : posting?.debit
      assert.equal(this.#accounts.account(kept ?? -1).kind, 'fee', 'a fee goes to the account of fees')
      return { type, bearer, amount: posting?.amount }
    })
    assert.deepEqual(moved, this.#expected, `fees of ${record.command} at ${record.sequence}`)
    for (const { type, amount } of this.#expected) this.#sums[record.environment] += type === 'fee' ? amount : -amount
    this.#expected = []
    for (const { payload } of eventsOf<Changed>({ events } as Entry, 'rules.changed')) {
      if (payload.kind === 'fee_rules') this.#plans.set(payload.environment, payload.rules)
      if (payload.kind !== 'fee_plan') continue
      if (payload.plan === null) this.#own.delete(payload.account)
      else this.#own.set(payload.account, payload.plan)
    }
  }

  compare({ accounts }: State): void {
    for (const environment of ['live', 'test'] as const) {
      const account = accounts.own('fee', environment, 'XOF')
      assert.equal(accounts.balance(account), this.#sums[environment], 'the account of fees holds what was taken')
    }
  }

  #expect({ frames }: Entry, expected: Expected): void {
    this.#expected.push(expected)
    if (this.#accounts.walletAt(expected.bearer) !== undefined) frames.push(`${expected.bearer}:balance.updated`)
  }
}
