// What a movement costs: the plan of its merchant, the rule of the plan, the formula. Pure: movement-rules.ts takes the fee.
import type { FeeBearer, FeeKind, FeePlan, FeeRule } from '../../contract/fees.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { AccountNumber, TransactionType } from '../../ledger/transaction.ts'
import type { State } from '../state.ts'

/** The fee of a movement, as its record keeps it for a refund. */
export interface FeeTerms {
  readonly plan: string
  readonly borne_by: FeeBearer
  /** Whether a refund gives the fee back. */
  readonly refundable: boolean
}

export interface Fee extends FeeTerms {
  readonly on: FeeKind
  readonly amount: Amount
}

/** Movements that have a fee. That of a merchant's withdrawal is decided by its request, an operator's withdrawal has none. */
export const FEE_OF_TYPE = {
  payout: 'payout',
  transfer: 'transfer',
  charge: 'charge',
  bill: 'bill',
  mandate: null,
  deposit: null,
  withdrawal: null,
  refund: null,
  fee: null,
  fee_refund: null,
} as const satisfies Record<TransactionType, FeeKind | null>

/** Returns the account whose plan says what a movement costs. */
export function planAccount(on: FeeKind, debit: AccountNumber, credit: AccountNumber | null): AccountNumber {
  return (on === 'charge' || on === 'bill') && credit !== null ? credit : debit
}

/** Who bears the fee of a kind, where the rule does not choose. */
const BEARERS: Readonly<Partial<Record<FeeKind, FeeBearer>>> = { payout: 'merchant', withdrawal: 'merchant', transfer: 'payer' }

/** Basis points of the whole. */
const WHOLE_BP = 10_000

/** Returns amount × percent_bp ÷ 10 000, rounded half up, + fixed, then not below `min` and not above `max`. */
export function feeAmount({ percent_bp, fixed, min = 0, max }: FeeRule, amount: Amount): Amount {
  // The product of both may be above the safe integers, so whole and rest are taken apart.
  const rest = amount % WHOLE_BP
  const percent = ((amount - rest) / WHOLE_BP) * percent_bp + Math.floor((rest * percent_bp + WHOLE_BP / 2) / WHOLE_BP)
  const fee = Math.max(min, percent + fixed)
  return max === undefined ? fee : Math.min(max, fee)
}

/** Returns who bears the fee of a kind by its rule; without a rule the merchant does, or the payer of a transfer. */
export function bearerOf(on: FeeKind, rule: FeeRule | undefined): FeeBearer {
  return BEARERS[on] ?? rule?.borne_by ?? 'merchant'
}

/** What a plan takes of one kind of movement. Its fees share the terms. */
export interface Tariff {
  readonly on: FeeKind
  readonly rule: FeeRule
  readonly terms: FeeTerms
}

/** A plan with the tariff of each kind that it has a rule for. */
export interface Tariffs {
  readonly plan: FeePlan
  readonly of: Readonly<Partial<Record<FeeKind, Tariff>>>
}

export function tariffsOf(plan: FeePlan): Tariffs {
  const tariff = (rule: FeeRule): Tariff => {
    const { on } = rule
    return { on, rule, terms: { plan: plan.name, borne_by: bearerOf(on, rule), refundable: plan.refund_fees } }
  }
  return { plan, of: Object.fromEntries(plan.rules.map((rule) => [rule.on, tariff(rule)])) }
}

/** The plan of a merchant's account, or the default one where a wallet sends. */
export function planOf({ accounts, rules }: Pick<State, 'accounts' | 'rules'>, account: AccountNumber): FeePlan | null {
  return rules.feePlanOf(accounts.environment(account), accounts.currency(account), account)?.plan ?? null
}

/** The tariff of a kind of movement by the plan of the account; null where it costs nothing. */
export function tariffOf({ accounts, rules }: Pick<State, 'accounts' | 'rules'>, on: FeeKind, account: AccountNumber): Tariff | null {
  if (!rules.hasFees) return null
  return rules.feePlanOf(accounts.environment(account), accounts.currency(account), account)?.of[on] ?? null
}

/** Returns what a movement of the amount costs by the plan of the account; null where it costs nothing. */
export function feeOf(state: Pick<State, 'accounts' | 'rules'>, on: FeeKind, account: AccountNumber, amount: Amount): Fee | null {
  const tariff = tariffOf(state, on, account)
  const fee = tariff === null ? 0 : feeAmount(tariff.rule, amount)
  return tariff === null || fee === 0 ? null : { on, ...tariff.terms, amount: fee }
}

/** Returns the part of the fee that the payer bears. */
export function payerFee(fee: Pick<Fee, 'borne_by' | 'amount'> | null): Amount {
  return fee?.borne_by === 'payer' ? fee.amount : 0
}

/** Returns what a record keeps of its fee for a refund; nothing without one. */
export function termsOf({ plan, borne_by, refundable }: Fee): FeeTerms {
  return { plan, borne_by, refundable }
}
