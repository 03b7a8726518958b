// The golden scenario of the operator's rules: limits of an environment, a tier of a wallet, limits of a merchant, and movements that
// count, are refused and are given back.
import { NO_MERCHANT_RULE } from '../../engine/domain/rules/rules-state.ts'
import { deposit, openMerchant, openWallet, payout } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

export function playRules(fixture: EngineFixture): void {
  const { id, test } = openMerchant(fixture, 'Boutique')
  openWallet(fixture, 'awa')
  must(fixture, deposit({ merchantId: id }, 100_000), 201)
  const tier = { name: 'basic', balance_max: 50_000, received_month_max: 20_000, sent_day_max: 5000, sent_month_max: null }
  const larger = { ...tier, name: 'verified', received_month_max: 200_000 }
  const rules = { wallet_tiers: [tier, larger], default_tier: 'basic', merchant: { ...NO_MERCHANT_RULE, payout_max: 40_000 } }
  must(fixture, { type: 'ChangeRules', change: { kind: 'limit_rules', environment: 'test', currency: 'XOF', rules } }, 200)
  must(fixture, payout(test, 'awa', 20_001), 201, 'above the tier')
  must(
    fixture,
    { type: 'ChangeRules', change: { kind: 'wallet_tier', environment: 'test', tag: 'awa', tier: 'verified', reason: 'Vue' } },
    200,
  )
  must(fixture, payout(test, 'awa', 20_001), 201, 'within the tier')
  must(fixture, payout(test, 'awa', 20_000), 201, 'near what the wallet may hold')
  must(fixture, { type: 'SetMerchantLimits', merchantId: id, limits: { environment: 'test', payout_max: 1000 } }, 200)
  must(fixture, payout(test, 'awa', 1001), 201, 'above the merchant')
  must(fixture, { type: 'ChangeRules', change: { kind: 'wallet_tier', environment: 'test', tag: 'awa', tier: null, reason: 'Fin' } }, 200)
}
