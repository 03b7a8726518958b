// Rules of the operator about money, as live state: limits by environment, tiers of wallets, limits of merchants, the counters that
// limits compare with, plans of fees and which merchant has which. Rules are data; what they allow is decided in movement-rules.ts.
import type { FeeRules } from '../../contract/fees.ts'
import { type LimitRules, MERCHANT_LIMIT_NAMES, type MerchantRule, type WalletLimit, type WalletTier } from '../../contract/limits.ts'
import type { SetMerchantLimitsBody } from '../../contract/merchant-limits.ts'
import type { Immutable } from '../../contract/schema.ts'
import type { Currency } from '../../kernel/currency.ts'
import type { Environment } from '../../kernel/environment.ts'
import { SnapshotTables, Table } from '../../kernel/table.ts'
import type { TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { LogRecord } from '../record.ts'
import { type Tariffs, tariffsOf } from './fees.ts'
import { MovementCounters } from './movement-counters.ts'

/** What an operator asks for. The approval of a change keeps it as it was asked. */
export type RuleChange = LimitRulesChange | WalletTierChange | MerchantLimitsChange | FeeRulesChange | FeePlanChange

export interface LimitRulesChange {
  readonly kind: 'limit_rules'
  readonly environment: Environment
  readonly currency: Currency
  readonly rules: LimitRules
}

export interface WalletTierChange {
  readonly kind: 'wallet_tier'
  readonly environment: Environment
  /** Normalized. */
  readonly tag: string
  /** Null: the default tier. */
  readonly tier: string | null
  readonly reason: string
}

export interface MerchantLimitsChange {
  readonly kind: 'merchant_limits'
  readonly environment: Environment
  readonly merchant_id: string
  /** A limit that is absent stays; null takes the default. */
  readonly limits: Immutable<Omit<SetMerchantLimitsBody, 'environment'>>
}

export interface FeeRulesChange {
  readonly kind: 'fee_rules'
  readonly environment: Environment
  readonly currency: Currency
  readonly rules: FeeRules
}

export interface FeePlanChange {
  readonly kind: 'fee_plan'
  readonly environment: Environment
  readonly merchant_id: string
  /** Null: the default plan. */
  readonly plan: string | null
}

/** The members of a change that say what applies. `currency`: of the rules, or of the account that the change is about. */
export type PresentRules =
  | Pick<LimitRulesChange, 'kind' | 'currency' | 'rules'>
  | Pick<FeeRulesChange, 'kind' | 'currency' | 'rules'>
  | (Pick<WalletTierChange, 'kind' | 'tier'> & { readonly currency: Currency })
  | (Pick<FeePlanChange, 'kind' | 'plan'> & { readonly currency: Currency })
  | (Pick<MerchantLimitsChange, 'kind' | 'limits'> & { readonly currency: Currency })

export interface FeeRulesRow {
  readonly environment: Environment
  readonly currency: Currency
  readonly rules: FeeRules
}

/** The plan that an operator gave to a merchant. */
export interface FeePlanRow {
  readonly account: AccountNumber
  readonly plan: string
}

export interface LimitRulesRow {
  readonly environment: Environment
  readonly currency: Currency
  readonly rules: LimitRules
}

/** The tier that an operator gave to a wallet. */
export interface WalletTierRow {
  readonly account: AccountNumber
  readonly tier: string
}

/** Limits of one merchant in one environment in place of the rules'. */
export interface MerchantRuleRow {
  readonly account: AccountNumber
  readonly limits: Immutable<Partial<MerchantRule>>
}

/** The newest window of each limit in which the wallet was noticed that it is near it. */
export interface LimitNoticeRow {
  readonly account: AccountNumber
  readonly windows: Readonly<Partial<Record<WalletLimit, number>>>
}

declare module '../state.ts' {
  interface State {
    readonly rules: Rules
  }
}

export const NO_MERCHANT_RULE: MerchantRule = { payout_max: null, payout_day_max: null, charge_max: null, balance_max: null }

export const NO_LIMIT_RULES: LimitRules = { wallet_tiers: [], default_tier: null, merchant: NO_MERCHANT_RULE }

export const NO_FEE_RULES: FeeRules = { plans: [], default_plan: null }

/** Every movement asks by these: they are made when the rules change. */
type ByLedger<Named> = Readonly<Record<Environment, Map<Currency, Named>>>

interface NamedTiers {
  readonly tiers: ReadonlyMap<string, WalletTier>
  readonly defaultTier: WalletTier | null
  readonly merchant: MerchantRule
}

interface NamedPlans {
  readonly plans: ReadonlyMap<string, Tariffs>
  readonly defaultPlan: Tariffs | null
}

export class Rules extends SnapshotTables {
  readonly counters = new MovementCounters()
  #hasLimits = false
  readonly #limits: ByLedger<NamedTiers> = { live: new Map(), test: new Map() }
  readonly #tierOfWallet = new Map<AccountNumber, string>()
  readonly #ruleOfMerchant = new Map<AccountNumber, MerchantRuleRow['limits']>()
  /** Limits of merchants with some of their own, as they apply; made again after each change. */
  readonly #wholeRules = new Map<AccountNumber, MerchantRule>()

  readonly limitRules = new Table<LimitRulesRow>(this, 'limit_rules', { boundedBy: 'one row of each environment and currency' }, (row) => {
    if (row === undefined) return
    this.#hasLimits = true
    this.#wholeRules.clear()
    const { wallet_tiers, default_tier, merchant } = row.rules
    const tiers = new Map(wallet_tiers.map((tier) => [tier.name, tier]))
    this.#limits[row.environment].set(row.currency, { tiers, defaultTier: tiers.get(default_tier ?? '') ?? null, merchant })
  })

  readonly walletTiers = new Table<WalletTierRow>(
    this,
    'wallet_tier',
    { boundedBy: 'one row of each wallet; operators make them' },
    (row, before) => {
      if (row !== undefined) this.#tierOfWallet.set(row.account, row.tier)
      else if (before !== undefined) this.#tierOfWallet.delete(before.account)
    },
  )

  readonly merchantRules = new Table<MerchantRuleRow>(this, 'merchant_rule', { boundedBy: 'two rows of each merchant' }, (row) => {
    if (row === undefined) return
    this.#hasLimits = true
    this.#wholeRules.clear()
    this.#ruleOfMerchant.set(row.account, row.limits)
  })

  #hasFees = false
  readonly #feePlans: ByLedger<NamedPlans> = { live: new Map(), test: new Map() }
  readonly #planOfMerchant = new Map<AccountNumber, string>()

  readonly feeRules = new Table<FeeRulesRow>(this, 'fee_rules', { boundedBy: 'one row of each environment and currency' }, (row) => {
    if (row === undefined) return
    this.#hasFees = true
    const plans = new Map(row.rules.plans.map((plan) => [plan.name, tariffsOf(plan)]))
    this.#feePlans[row.environment].set(row.currency, { plans, defaultPlan: plans.get(row.rules.default_plan ?? '') ?? null })
  })

  readonly feePlans = new Table<FeePlanRow>(this, 'fee_plan', { boundedBy: 'two rows of each merchant' }, (row, before) => {
    if (row !== undefined) this.#planOfMerchant.set(row.account, row.plan)
    else if (before !== undefined) this.#planOfMerchant.delete(before.account)
  })

  readonly #noticed = new Map<AccountNumber, LimitNoticeRow['windows']>()

  readonly limitNotices = new Table<LimitNoticeRow>(this, 'limit_notice', { boundedBy: 'one row of each wallet' }, (row) => {
    if (row !== undefined) this.#noticed.set(row.account, row.windows)
  })

  constructor() {
    super()
    this.addSnapshotSource(this.counters)
  }

  /** False: nothing costs a fee. */
  get hasFees(): boolean {
    return this.#hasFees
  }

  feesOf(environment: Environment, currency: Currency): FeeRules {
    return this.feeRules.get(keyOf(environment, currency))?.rules ?? NO_FEE_RULES
  }

  hasFeePlan(environment: Environment, currency: Currency, name: string): boolean {
    return this.#feePlans[environment].get(currency)?.plans.has(name) === true
  }

  /** Returns the plan that applies to an account; null without one. A plan that is no more gives way to the default one. */
  feePlanOf(environment: Environment, currency: Currency, account: AccountNumber): Tariffs | null {
    const named = this.#feePlans[environment].get(currency)
    if (named === undefined) return null
    const own = this.#planOfMerchant.get(account)
    return (own === undefined ? undefined : named.plans.get(own)) ?? named.defaultPlan
  }

  /** False: nothing limits a movement but the ceilings of accounts. */
  get hasLimits(): boolean {
    return this.#hasLimits
  }

  /** Gives the payer of a refund back what its payment of `paidAtMs` took of the limits, where their day or month is not over. */
  giveBack({ transactions, timeMs }: Pick<LogRecord, 'transactions' | 'timeMs'>, paidAtMs: TimeMs): void {
    const refund = transactions.find(({ type }) => type === 'refund')
    for (const { credit, amount } of refund?.postings ?? []) this.counters.giveBack(credit, amount, paidAtMs, timeMs)
  }

  limitsOf(environment: Environment, currency: Currency): LimitRules {
    return this.limitRules.get(keyOf(environment, currency))?.rules ?? NO_LIMIT_RULES
  }

  noticedWindow(wallet: AccountNumber, limit: WalletLimit): number | undefined {
    return this.#noticed.get(wallet)?.[limit]
  }

  hasTier(environment: Environment, currency: Currency, name: string): boolean {
    return this.#limits[environment].get(currency)?.tiers.has(name) === true
  }

  /** Returns the tier that applies to a wallet; null without one. A tier that is no more gives way to the default one. */
  tierOf(environment: Environment, currency: Currency, wallet: AccountNumber): WalletTier | null {
    const named = this.#limits[environment].get(currency)
    if (named === undefined) return null
    const own = this.#tierOfWallet.get(wallet)
    return (own === undefined ? undefined : named.tiers.get(own)) ?? named.defaultTier
  }

  /** Returns the limits that apply to a merchant's account. */
  merchantRuleOf(environment: Environment, currency: Currency, account: AccountNumber): MerchantRule {
    const merchant = this.#limits[environment].get(currency)?.merchant ?? NO_MERCHANT_RULE
    const own = this.#ruleOfMerchant.get(account)
    return own === undefined ? merchant : (this.#wholeRules.get(account) ?? this.#wholeRule(account, own, merchant))
  }

  #wholeRule(account: AccountNumber, own: MerchantRuleRow['limits'], merchant: MerchantRule): MerchantRule {
    const entries = MERCHANT_LIMIT_NAMES.map((name) => [name, own[name] ?? merchant[name]])
    const rule = Object.fromEntries(entries) as unknown as MerchantRule
    this.#wholeRules.set(account, rule)
    return rule
  }

  ownRuleOf(account: AccountNumber): MerchantRuleRow['limits'] {
    return this.#ruleOfMerchant.get(account) ?? {}
  }
}

/** Key of the rules of an environment and a currency. */
export function keyOf(environment: Environment, currency: Currency): string {
  return `${environment}:${currency}`
}
