// Queries for the operator's rules: the limits of an environment, of a merchant, and of a wallet with what it has used.
import type { LimitRules, MyLimits, WalletLimit } from '../contract/limits.ts'
import type { MerchantLimits } from '../contract/merchant-limits.ts'
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
