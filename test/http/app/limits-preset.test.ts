// LIMITS_PRESET: an empty log begins with the ceilings of the UEMOA, and an operator's change of them is final.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LimitRules } from '../../../engine/contract/limits.ts'
import { ENVIRONMENTS } from '../../../engine/kernel/environment.ts'
import { openLimitsPreset } from '../../../http/app/limits-preset.ts'
import { deposit, openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { turnUntil } from '../../support/turn-until.ts'

const open = (fixture: EngineFixture, preset: 'none' | 'uemoa'): Promise<void> =>
  turnUntil(openLimitsPreset(fixture.engine, preset), () => fixture.settle())

const rulesOf = (fixture: EngineFixture): LimitRules[] =>
  ENVIRONMENTS.map((environment) => fixture.engine.query('rules.limits', { environment, currency: 'XOF' }))

test('both environments begin with the ceilings of wallets without and with an identified holder', async () => {
  const fixture = await EngineFixture.open()
  await open(fixture, 'uemoa')
  for (const { wallet_tiers, default_tier, merchant } of rulesOf(fixture)) {
    assert.deepEqual(
      wallet_tiers.map(({ name, balance_max, received_month_max, sent_day_max, sent_month_max }) => [
        ...[name, balance_max, received_month_max, sent_day_max, sent_month_max],
      ]),
      [
        ['basic', 200_000, 200_000, null, null],
        ['verified', 2_000_000, 10_000_000, null, null],
      ],
    )
    assert.deepEqual([default_tier, Object.values(merchant)], ['basic', [null, null, null, null]])
  }
  const { id, test: merchant } = openMerchant(fixture, 'boutique')
  openWallet(fixture, 'awa')
  fixture.do(deposit({ merchantId: id }, 1_000_000))
  const paid = (amount: number): string => (JSON.parse(fixture.do(payout(merchant, 'awa', amount)).body) as { state: string }).state
  assert.deepEqual([paid(200_001), paid(200_000), paid(1)], ['failed', 'paid', 'failed'])
})

test('a log that has begun keeps its rules, and without the setting there are none', async () => {
  const fixture = await EngineFixture.open()
  await open(fixture, 'none')
  assert.ok(rulesOf(fixture).every(({ wallet_tiers }) => wallet_tiers.length === 0))
  openMerchant(fixture, 'boutique')
  await fixture.start()
  await open(fixture, 'uemoa')
  assert.ok(rulesOf(fixture).every(({ wallet_tiers }) => wallet_tiers.length === 0))
})
