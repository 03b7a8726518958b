// The golden scenario of unknown recipients: counted by each route that names them, under limits that an operator set.
import { batch, line } from '../support/batch-lines.ts'
import { deposit, liveWallet, openMerchant, payout } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

export function playRecipients(fixture: EngineFixture): void {
  const { id, live } = openMerchant(fixture, 'Boutique')
  must(fixture, liveWallet('+2250700000001', 'awa'), 201)
  must(fixture, deposit({ merchantId: id }, 1000, 'live'), 201)
  must(fixture, payout(live, 'ghost', 1), 201, 'unknown')
  must(fixture, { type: 'SetMerchantLimits', merchantId: id, limits: { unknown_recipients: 5, unknown_recipients_per_minute: 7 } }, 200)
  fixture.loop.advance(1234)
  must(fixture, batch(live, [line('awa', 1), line('ghost', 1), line('spook', 1)]), 201, 'batch')
  must(fixture, { ...batch(live, [line('ghoul', 1)]), type: 'DryRunBatch' }, 200)
  must(fixture, { type: 'CheckRecipient', merchant: live, recipient: 'awa' }, 200, 'check')
  must(fixture, { type: 'CheckRecipient', merchant: live, recipient: 'ghost' }, 200, 'unknown check')
  must(fixture, { type: 'SetMerchantLimits', merchantId: id, limits: { unknown_recipients: null } }, 200)
  must(fixture, payout(live, '+2250799999999', 1), 201)
}
