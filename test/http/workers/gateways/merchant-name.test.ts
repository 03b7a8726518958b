// Names of merchants in text messages and pushes: plain ones as they are, none that could be an address, a number or a code.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BillerProfile } from '../../../../engine/domain/biller/biller-state.ts'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { isPlainName, nameInMessages, plainName } from '../../../../http/workers/gateways/merchant-name.ts'
import { openMerchant } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

describe('a name that its merchant chose itself', () => {
  const plain = [
    'Boutique Awa',
    'Chez Tantie Aïssata',
    'Ets. Diallo & Fils',
    'S.A.R.L. Baobab',
    'Baobab S.A.',
    'Pharmacie de garde 24h/24',
    "Atelier d'Or (Dakar)",
    'École N’Krumah, Abidjan',
    'مخبزة النور',
    'Taxi +',
  ]
  for (const name of plain) {
    it(`a name that its merchant chose itself stands in messages: ${name}`, () => {
      assert.equal(isPlainName(name), true)
    })
  }

  const refused = [
    'evil.example',
    'www.evil.example',
    'Banque: https://evil.example/a',
    'allez sur evil.ci',
    'evil。example',
    'evil．example',
    'evil․com',
    'evil\u200b.com',
    'ev\u00adil.ci gratuit',
    '192.168.0.1',
    'awa@evil.example',
    '@awa_diallo',
    'Appelez 07 07 07 07 07',
    'Appelez le ０７０７０７０７',
    'Appelez le ٠٧٠٧٠٧٠٧',
    'Code 123456',
    'Faites *144#',
    'evil[.]com',
    'T.CO',
    'J.B.Diallo',
    'a\nb',
    'Cadeau 🎁',
    'ΑΒΓ',
    '',
  ]
  for (const name of refused) {
    it(`a name that its merchant chose itself does not stand in messages: ${JSON.stringify(name)}`, () => {
      assert.equal(isPlainName(name), false)
    })
  }
})

it('a name has letters, digits, blanks and few signs in messages, and 40 characters at most', () => {
  const rows: readonly (readonly [name: string, shown: string | null])[] = [
    ['École N’Krumah, Abidjan', "École N'Krumah Abidjan"],
    ["Atelier d'Or (Dakar)", "Atelier d'Or Dakar"],
    ['Pharmacie 24h/24', 'Pharmacie 24h 24'],
    [`Boutique ${'a'.repeat(50)}`, `Boutique ${'a'.repeat(31)}`],
    ['Cliquez: https://evil.example/a', null],
    [`${'a'.repeat(50)} evil.example`, null],
  ]
  for (const [name, shown] of rows) assert.equal(plainName(name), shown, name)
})

describe('the name in messages', () => {
  const LURE = 'Gain: evil.example'

  async function signedUp(
    merchantName: string,
  ): Promise<{ readonly fixture: EngineFixture; readonly account: AccountNumber; readonly id: string }> {
    const fixture = await EngineFixture.open()
    const email = 'compta@boutique.example'
    const session = { tokenHash: 'session', userAgent: '' }
    assert.equal(fixture.do({ type: 'SignUpMerchant', merchantName, email, passwordHash: 'hash', session }).kind, 'created')
    const id = fixture.state.dashboard.userByEmail(email)?.merchant_id ?? ''
    const account = fixture.state.merchants.merchants.get(id)?.accounts.live ?? -1
    return { fixture, account, id }
  }

  function biller(merchant_id: string, more: Partial<BillerProfile>): BillerProfile {
    return {
      merchant_id,
      slug: 'eau',
      display_name: 'Eau du Nord',
      live: true,
      directory_state: 'published',
      logo: null,
      pending_logo: null,
      ...more,
    } as BillerProfile
  }

  it('the name in messages is that of a merchant that signed up, unless it could be an address', async () => {
    const plain = await signedUp('Boutique Awa')
    assert.equal(nameInMessages(plain.fixture.engine, plain.account), 'Boutique Awa')
    const lure = await signedUp(LURE)
    assert.equal(nameInMessages(lure.fixture.engine, lure.account), null)
  })

  it('the name in messages is what an operator approved, as long as it is published', async () => {
    const { fixture, account, id } = await signedUp(LURE)
    const { profiles } = fixture.state.billers
    for (const unseen of [{ live: false }, { directory_state: 'suspended' }, { directory_state: 'in_review' }] as const) {
      profiles.set('eau', biller(id, unseen))
      assert.equal(nameInMessages(fixture.engine, account), null)
    }
    profiles.set('eau', biller(id, {}))
    assert.equal(nameInMessages(fixture.engine, account), 'Eau du Nord')
  })

  it('the name in messages is never refused where an operator approved it, and never an address', async () => {
    const rows: readonly (readonly [name: string, shown: string | null])[] = [
      ['Eau.ci', 'Eau ci'],
      ['EAU․CI', 'EAU CI'],
      ['https://eau.ci/payer', 'https eau ci payer'],
      ['S.A.R.L. Eau.ci', 'S.A.R.L. Eau ci'],
      ['Sénélec S.A.', 'Sénélec S.A.'],
      ['Eau\u200b.ci', 'Eau ci'],
      ['Café 🎁 Baobab!', 'Café Baobab'],
      ['Canal+ (Abidjan)', 'Canal Abidjan'],
      ['ΑΒΓ', null],
      ['Appelez 07 07 07 07 07', null],
    ]
    for (const [name, shown] of rows) {
      const { fixture, account, id } = await signedUp('Boutique')
      fixture.state.billers.profiles.set('eau', biller(id, { display_name: name }))
      assert.equal(nameInMessages(fixture.engine, account), shown, name)
    }
  })

  it('the name in messages is what an operator wrote, cut where it is long', async () => {
    const fixture = await EngineFixture.open()
    const { live } = openMerchant(fixture, 'Eau.ci')
    assert.equal(nameInMessages(fixture.engine, live), 'Eau ci')
    const long = openMerchant(fixture, 'Société nationale des eaux et de l’assainissement')
    assert.equal(nameInMessages(fixture.engine, long.test), "Société nationale des eaux et de l'assai")
  })
})
