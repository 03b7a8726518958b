// The golden scenario of control by operators: wallets blocked and unblocked, merchants suspended and reinstated.
import { deposit, openMerchant, openWallet, payout } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

export function playControl(fixture: EngineFixture): void {
  const { id, test } = openMerchant(fixture, 'Boutique', 10_000)
  const { id: other } = openMerchant(fixture, 'Autre')
  const awa = openWallet(fixture, 'awa')
  openWallet(fixture, 'moussa')
  must(fixture, deposit({ tag: 'awa' }, 100), 201)
  const block = (tag: string) => ({ type: 'BlockWallet', environment: 'test', tag, reason: 'Téléphone “volé”' }) as const
  must(fixture, block('awa'), 200, 'block')
  must(fixture, { type: 'CreateTransfer', sender: awa, recipient: 'moussa', amount: 5, note: '' }, 403)
  must(fixture, payout(test, 'awa', 1), 201, 'to a blocked wallet')
  must(fixture, block('moussa'), 200)
  must(fixture, { type: 'UnblockWallet', environment: 'test', tag: 'moussa' }, 200, 'unblock')
  must(fixture, { type: 'SuspendMerchant', merchantId: other, reason: 'Plaintes' }, 200, 'suspend')
  must(fixture, { type: 'SuspendMerchant', merchantId: id, reason: 'Plaintes' }, 200)
  must(fixture, payout(test, 'moussa', 1), 403)
  must(fixture, { type: 'ReinstateMerchant', merchantId: id }, 200, 'reinstate')
  must(fixture, payout(test, 'moussa', 1), 201, 'paid again')
}
