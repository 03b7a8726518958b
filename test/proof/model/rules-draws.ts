// Random rules: tiers and limits of merchants, and plans of fees, of which any number may be none.
import type { FeeRule, FeeRules } from '../../../engine/contract/fees.ts'
import type { LimitRules } from '../../../engine/contract/limits.ts'
import type { Prng } from '../../support/prng.ts'

const KINDS = ['payout', 'charge', 'bill', 'transfer', 'withdrawal'] as const

export function drawnLimits(prng: Prng): LimitRules {
  const limit = (from: number, to: number): number | null => (prng.chance(0.25) ? null : from + prng.below(to - from))
  const tier = (name: string, scale: number): LimitRules['wallet_tiers'][number] => ({
    ...{ name, balance_max: limit(20_000 * scale, 90_000 * scale), received_month_max: limit(50_000 * scale, 300_000 * scale) },
    ...{ sent_day_max: limit(4000 * scale, 20_000 * scale), sent_month_max: limit(20_000 * scale, 200_000 * scale) },
  })
  return {
    // A tier that is no more gives way to the default one.
    wallet_tiers: [tier('basic', 1), ...(prng.chance(0.7) ? [tier('verified', 10)] : [])],
    default_tier: prng.chance(0.9) ? 'basic' : null,
    merchant: {
      ...{ payout_max: limit(30_000, 60_000), payout_day_max: limit(50_000, 400_000) },
      ...{ charge_max: limit(30_000, 60_000), balance_max: limit(1_000_000, 9_000_000) },
    },
  }
}

export function drawnFees(prng: Prng): FeeRules {
  const bound = (max: number): number | undefined => (prng.chance(0.5) ? undefined : prng.below(max))
  const rule = (on: FeeRule['on']): FeeRule => {
    const [min, max] = [bound(100), bound(400)]
    return {
      ...{ on, percent_bp: prng.below(300), fixed: prng.below(50), borne_by: prng.pick(['merchant', 'payer'] as const) },
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max: Math.max(max, min ?? 0) }),
    }
  }
  const plan = (name: string): FeeRules['plans'][number] => ({
    ...{ name, rules: KINDS.filter(() => prng.chance(0.8)).map(rule), refund_fees: prng.chance(0.5) },
  })
  const plans = prng.chance(0.1) ? [] : [plan('standard'), plan('large')]
  return { plans, default_plan: plans.length > 0 && prng.chance(0.8) ? 'standard' : null }
}
