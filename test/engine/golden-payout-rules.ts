// The golden scenario of a merchant's own rules of payouts: limits of a key, what it pays under them, and the payout policy.
import { readBatchLines } from '../support/batch-lines.ts'
import { deposit, openMerchant, testWallet } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must, newestId } from './golden-steps.ts'

export function playPayoutRules(fixture: EngineFixture): void {
  const { id, test } = openMerchant(fixture, 'Boutique')
  must(fixture, testWallet('awa'), 201)
  must(fixture, deposit({ merchantId: id }, 1000), 201)
  const key = { publicKey: 'pk_test_1', secretHash: 'ab'.repeat(32), sealedSecret: 'sealed:v1:key' }
  const about = { merchantId: id, environment: 'test', scopes: ['disbursements.write'], label: 'Paie', by: 'dashboard' } as const
  const madeBy = '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f'
  must(fixture, { type: 'CreateApiKey', ...about, ...key, madeBy, limits: { payout_max: 50, day_max: 100 } }, 201)
  const keyId = newestId(fixture)
  const to = { merchant: test, recipient: 'awa', reference: '', note: '', keyId }
  must(fixture, { type: 'CreatePayout', ...to, amount: 30 }, 201, 'paid')
  must(fixture, { type: 'CreatePayout', ...to, amount: 51 }, 201, 'above')
  const lines = readBatchLines([1, 2].map(() => ({ recipient: 'awa', amount: 40 })))
  must(fixture, { type: 'CreateBatch', merchant: test, lines, reference: '', scheduleId: null, keyId }, 201, 'batch')
  must(fixture, { type: 'SetKeyLimits', merchantId: id, keyId, limits: { payout_max: null, day_max: 200 } }, 200)
  const plan = {
    recurrence: 'weekly',
    startMs: fixture.loop.nowMs + 60_000,
    reference: '',
    lines: [{ recipient: 'awa', amount: 5, reference: '', note: '' }],
  } as const
  must(fixture, { type: 'CreateSchedule', merchant: test, ...plan, by: { kind: 'key', id: keyId, name: 'Paie' } }, 201, 'plan')
  fixture.loop.advance(120_000)
  must(fixture, { type: 'SetPayoutPolicy', merchant: test, approvalAbove: 10 }, 200)
  must(fixture, { type: 'SetPayoutPolicy', merchant: test, approvalAbove: null }, 200)
}
