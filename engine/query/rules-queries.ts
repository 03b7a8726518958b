// Queries for the operator's rules: the limits of an environment, of a merchant, and of a wallet with what it has used.
import type { LimitRules, MerchantRule, MyLimits, WalletLimit } from '../contract/limits.ts'
import type { MerchantLimits } from '../contract/merchant-limits.ts'
import type { Immutable } from '../contract/schema.ts'
import { planOf } from '../domain/rules/fees.ts'
import { merchantLimits } from '../domain/rules/rule-change.ts'
import type { Environment } from '../kernel/environment.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { OfCurrency } from './fee-queries.ts'
import type { Reads } from './reads.ts'

export function limitRules({ state }: Reads, { environment, currency }: OfCurrency): LimitRules {
  return state.rules.limitsOf(environment, currency)
}

export interface LimitsOfMerchant {
  readonly id: string
  readonly environment: Environment
}

/** Returns null for an unknown merchant. */
export function limitsOfMerchant({ state }: Reads, { id, environment }: LimitsOfMerchant): MerchantLimits | null {
  const merchant = state.merchants.merchants.get(id)
  return merchant === undefined ? null : merchantLimits(state, merchant, environment)
}

/** What an operator gave to one account in place of the rules of all; null or absent where it goes by them. */
export interface GivenRules {
  readonly limits: Immutable<Partial<MerchantRule>>
  readonly fee_plan: string | null
  readonly tier: string | null
  /** The plan that applies to it, given or by default. */
  readonly applied_plan: string | null
}

export function givenRules({ state }: Reads, { account }: { readonly account: AccountNumber }): GivenRules {
  const { rules } = state
  const key = String(account)
  return {
    limits: rules.ownRuleOf(account),
    fee_plan: rules.feePlans.get(key)?.plan ?? null,
    tier: rules.walletTiers.get(key)?.tier ?? null,
    applied_plan: planOf(state, account)?.name ?? null,
  }
}

export interface PaidMost {
  readonly environment: Environment
  readonly limit: number
}

/** Returns the ids of the merchants that paid most today (UTC), the largest sum first. */
export function merchantsThatPaidMost(reads: Reads, { environment, limit }: PaidMost): string[] {
  const { merchants, rules } = reads.state
  const now = reads.nowMs()
  return [...merchants.merchants.values()]
    .map(({ id, accounts }) => ({ id, paid: rules.counters.usageOf(accounts[environment], now).paidDay }))
    .filter(({ paid }) => paid > 0)
    .sort((one, other) => other.paid - one.paid)
    .slice(0, limit)
    .map(({ id }) => id)
}

/** Returns the tier of a wallet, and what counts against its limits now. */
export function walletLimits(reads: Reads, { account }: { readonly account: AccountNumber }): MyLimits {
  const { accounts, rules } = reads.state
  const tier = rules.tierOf(accounts.environment(account), accounts.currency(account), account)
  const { paidDay, paidMonth, receivedMonth } = rules.counters.usageOf(account, reads.nowMs())
  const used = {
    balance_max: accounts.balance(account),
    received_month_max: receivedMonth,
    sent_day_max: paidDay,
    sent_month_max: paidMonth,
  }
  const limitOf = (name: WalletLimit): number | null => tier?.[name] ?? null
  const limits = byLimit(limitOf)
  const left = byLimit((name) => {
    const limit = limitOf(name)
    return limit === null ? null : Math.max(0, limit - used[name])
  })
  return { tier: tier?.name ?? null, limits, used, left }
}

function byLimit<Value>(amountOf: (name: WalletLimit) => Value): Record<WalletLimit, Value> {
  return {
    balance_max: amountOf('balance_max'),
    received_month_max: amountOf('received_month_max'),
    sent_day_max: amountOf('sent_day_max'),
    sent_month_max: amountOf('sent_month_max'),
  }
}
