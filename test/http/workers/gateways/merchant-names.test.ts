// What leaves over real gateways in the name of a merchant that signed up by itself under an address.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CreatedApiKey } from '../../../../engine/contract/api-key.ts'
import type { Charge } from '../../../../engine/contract/charge.ts'
import type { Mandate } from '../../../../engine/contract/mandate.ts'
import { AccountLinks } from '../../../../http/auth/dashboard/account-links.ts'
import { plainName } from '../../../../http/workers/gateways/merchant-name.ts'
import type { Client } from '../../../support/client.ts'
import { signUp as signUpMerchant } from '../../../support/dashboard-callers.ts'
import { askPage } from '../../../support/raw-page.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { Handsets, newLivePhone, ok, type Person, signUp } from '../../../support/wallet-callers.ts'

const LURE = 'Gain: evil.example'

let handsets: Handsets
let server: TestServer
let merchant: Client
let person: Person
const phone = newLivePhone()

before(async () => {
  handsets = await Handsets.open()
  server = await ownServer({ PUSH_URL: handsets.url, SMS_URL: handsets.url })
  const owner = await signUpMerchant(server, LURE)
  const form = { environment: 'live', scopes: ['disbursements.write'], label: '' }
  const { public_key, secret_key } = (await ok(owner.browser.post<CreatedApiKey>('/v1/dashboard/api-keys', form))).body
  merchant = server.anybody.with({ 'x-api-key': public_key, 'x-api-secret': secret_key })
  person = await signUp(server.anybody, { phone, codeOf: handsets.codeOf })
  const funds = { merchant_id: owner.merchantId, environment: 'live', amount: 1000, reference: '' }
  assert.equal((await server.operator.post('/v1/operator/deposits', funds, newKey())).status, 201)
})

after(async () => {
  await server.close()
  handsets.close()
})

test('the text message with a payment code says: a merchant', async () => {
  const { token } = (await ok(merchant.post<Charge>('/v1/biz/charges', { amount: 500 }))).body
  assert.equal((await server.anybody.post(`/v1/biz/checkout/${token}/otp`, { identifier: person.tag })).status, 202)
  const { channel, text } = await handsets.next(phone)
  assert.equal(channel, 'sms')
  assert.match(text, /^Cauri : \d{6} est votre code pour payer 500 F CFA à un marchand\. Ne le donnez à personne\.$/)
})

test('the push of a mandate request and the text message with its code say: a merchant', async () => {
  const asked = { customer_tag: person.tag, interval: 'on_demand', max_amount: 500 }
  const { token } = (await ok(merchant.post<Mandate>('/v1/biz/mandates', asked))).body
  assert.match((await handsets.next(phone)).text, /^Un marchand vous demande/)
  const answer = await askPage(server.process.baseUrl, `/mandates/${token}/otp`, { form: { identifier: person.tag } })
  assert.equal(answer.status, 303)
  assert.match((await handsets.next(phone)).text, /est votre code pour autoriser les prélèvements d'un marchand\./)
})

test('an e-mail does not hold the name, in its subject either, and holds a plain one', async () => {
  const links = new AccountLinks({ seal: { seal: (_, text) => text }, baseUrl: () => 'https://cauri.example' })
  for (const language of ['fr', 'en'] as const) {
    const mails = (name: string | null): string[] =>
      [
        links.invitation('a@example.ci', name, 'viewer', language).email,
        links.confirmation('a@example.ci', name, language).email,
        links.totpReset('a@example.ci', name, language),
      ].map((mail) => JSON.stringify(mail))
    for (const text of mails(plainName(LURE))) assert.doesNotMatch(text, /evil|Gain/)
    for (const text of mails(plainName('Boutique Awa'))) assert.match(text, /Boutique Awa/)
  }
})

test('the push of a payout says: from a merchant', async () => {
  await ok(merchant.post('/v1/biz/payouts', { recipient: person.tag, amount: 100 }, newKey()))
  assert.match((await handsets.next(phone)).text, /^Vous avez reçu 100\u00a0F\u00a0CFA d’un marchand\. Nouveau solde/)
})
