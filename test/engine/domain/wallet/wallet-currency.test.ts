// A wallet has the currency of its phone's calling code where the deployment keeps it, otherwise the first one, for good.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CURRENCY_CODES, callingCodesOf, type KeptCurrencies } from '../../../../engine/kernel/currency.ts'
import { openLiveWallet } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

const ROWS: readonly (readonly [kept: KeptCurrencies, phone: string, currency: string])[] = [
  [['XOF', 'GHS', 'XAF'], '+221770000001', 'XOF'],
  [['XOF', 'GHS', 'XAF'], '+233240000002', 'GHS'],
  [['XOF', 'GHS', 'XAF'], '+237670000003', 'XAF'],
  [['XOF', 'GHS', 'XAF'], '+224620000004', 'XOF'],
  [['GHS', 'XOF'], '+2250700000005', 'XOF'],
  [['GHS', 'XOF'], '+224620000006', 'GHS'],
  [['XOF'], '+233240000007', 'XOF'],
]

for (const [kept, phone, currency] of ROWS)
  it(`${phone} has ${currency} where ${kept.join(', ')} are kept`, async () => {
    const fixture = await EngineFixture.open({ currencies: kept })
    const account = openLiveWallet(fixture, phone, 'awa')
    assert.equal(fixture.state.accounts.currency(account), currency)
    await fixture.start()
    assert.equal(fixture.state.accounts.currency(account), currency)
  })

it('no calling code begins another, so a phone has one currency', () => {
  const codes = CURRENCY_CODES.flatMap(callingCodesOf)
  const doubled = codes.filter((code) => codes.filter((other) => other.startsWith(code)).length > 1)
  assert.deepEqual(doubled, [])
})
