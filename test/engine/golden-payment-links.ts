// The scenario behind the golden file of payment links and of their charges.
import { deposit, openMerchant, openWallet } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { linkCharge, newLink } from '../support/payment-link-engine.ts'
import { must } from './golden-steps.ts'

export function playPaymentLinks(fixture: EngineFixture): void {
  const { test: merchant } = openMerchant(fixture, 'Boutique')
  const payer = openWallet(fixture, 'awa')
  must(fixture, deposit({ tag: 'awa' }, 1000), 201)
  must(fixture, newLink(merchant, 'code', { maxPayments: 1 }), 201, 'link')
  const id = fixture.state.paymentLinks.byCode('code')?.link.id ?? ''
  must(fixture, linkCharge(merchant, id, 'one', 100), 201, 'charge')
  must(fixture, linkCharge(merchant, id, 'two', 200), 201)
  const pay = (token: string) => ({ type: 'PayCharge', token, merchant: null, payer, challengeId: null, answer: 'app' }) as const
  must(fixture, pay('one'), 200, 'pay')
  must(fixture, pay('two'), 409, 'pay too late')
  must(fixture, { type: 'RefundCharge', merchant, token: 'one' }, 200)
  must(fixture, newLink(merchant, 'other', { amount: 50, expiresMs: fixture.loop.nowMs + 3_600_000 }), 201)
  const other = fixture.state.paymentLinks.byCode('other')?.link.id ?? ''
  must(fixture, { type: 'ClosePaymentLink', merchant, id: other }, 200, 'close')
}
