// Payment links over real HTTP: the API, the public page, and payments by it.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Charge } from '../../../../engine/contract/charge.ts'
import type { PaymentLink } from '../../../../engine/contract/payment-link.ts'
import { askPage } from '../../../support/raw-page.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { codeOfAnswer, ok, type Person, PIN, signUp } from '../../../support/wallet-callers.ts'

const PATH = '/v1/biz/payment-links'

let server: TestServer
let merchant: Merchant
let person: Person

before(async () => {
  server = await sharedServer()
  merchant = await server.fundedMerchant(1000)
  person = await signUp(server.anybody)
  await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: person.tag, amount: 100_000 }))
})

async function newLink(json: object = {}): Promise<PaymentLink> {
  return (await ok(merchant.test.post<PaymentLink>(PATH, { description: 'Caisse 1', ...json }))).body
}

const pathOf = ({ url }: PaymentLink): string => new URL(url).pathname

async function charges(): Promise<Charge[]> {
  return (await ok(merchant.test.get<{ data: Charge[] }>('/v1/biz/charges'))).body.data
}

/** Sends the form; returns the token of the charge that it made. */
async function go(link: PaymentLink, amount = ''): Promise<string> {
  const { status, location } = await askPage(server.process.baseUrl, pathOf(link), { form: { amount } })
  assert.equal(status, 303)
  return /\/pay\/([A-Za-z0-9_-]{32})$/.exec(location)?.[1] ?? assert.fail(location)
}

const pay = (token: string) => person.client.post(`/v1/me/charges/${token}/pay`, { pin: PIN }, newKey())

describe('the API of payment links', () => {
  it('a link is made, listed, read and closed', async () => {
    const link = await newLink({ amount: 500, reference: 'CAISSE', max_payments: 5, expires_at: '2099-01-01T00:00:00Z' })
    assert.equal(link.state, 'active')
    assert.deepEqual([link.amount, link.reference, link.max_payments, link.expires_at], [500, 'CAISSE', 5, '2099-01-01T00:00:00.000Z'])
    assert.deepEqual((await ok(merchant.test.get(`${PATH}/${link.id}`))).body, link)
    const listed = await ok(merchant.test.get<{ data: PaymentLink[] }>(`${PATH}?state=active&limit=1`))
    assert.deepEqual(listed.body.data, [link])
    for (const time of ['first', 'again']) {
      const { body } = await ok(merchant.test.post<PaymentLink>(`${PATH}/${link.id}/close`, undefined))
      assert.equal(body.state, 'closed', time)
    }
    assert.equal((await merchant.live.get(`${PATH}/${link.id}`)).status, 404)
    assert.equal((await merchant.test.post(PATH, { description: '' })).status, 400)
    const past = await merchant.test.post(PATH, { description: 'x', expires_at: '2020-01-01T00:00:00Z' })
    assert.deepEqual([past.status, past.body.param], [400, 'expires_at'])
  })
})

describe('the page of a payment link', () => {
  it('GET creates nothing, the form makes a charge that can be paid, and the link counts it', async () => {
    const link = await newLink()
    const before = (await charges()).length
    const page = await askPage(server.process.baseUrl, pathOf(link), {})
    assert.equal(page.status, 200)
    assert.match(page.text, /name="amount"/)
    assert.match(page.text, /Caisse 1/)
    assert.ok(!page.text.includes('<script'), 'no script is needed')
    assert.equal((await charges()).length, before)
    const token = await go(link, '2 500')
    const { body: charge } = await ok(merchant.test.get<Charge>(`/v1/biz/charges/${token}`))
    assert.deepEqual([charge.amount, charge.payment_link_id, charge.state, charge.description], [2500, link.id, 'pending', 'Caisse 1'])
    await ok(pay(token))
    const { body: paid } = await ok(merchant.test.get<PaymentLink>(`${PATH}/${link.id}`))
    assert.deepEqual([paid.payments_count, paid.collected_amount, paid.state], [1, 2500, 'active'])
  })

  it('a link with an amount asks for none, and takes no other', async () => {
    const link = await newLink({ amount: 700 })
    const page = await askPage(server.process.baseUrl, pathOf(link), {})
    assert.ok(!page.text.includes('name="amount"'))
    const { body } = await ok(merchant.test.get<Charge>(`/v1/biz/charges/${await go(link, '1')}`))
    assert.equal(body.amount, 700)
  })

  it('a wrong amount is said on the page, with what was typed', async () => {
    const link = await newLink()
    for (const amount of ['', '0', '12,50', '-5', 'mille', '9999999999999', '<b>']) {
      const page = await askPage(server.process.baseUrl, pathOf(link), { form: { amount } })
      assert.equal(page.status, 422, amount)
      assert.match(page.text, /Saisissez un montant/)
      assert.ok(!page.text.includes('value="<b>"'))
    }
  })

  it('what is paid after the last payment is refused, also when it was made before', async () => {
    const link = await newLink({ amount: 10, max_payments: 1 })
    const tokens = [await go(link), await go(link), await go(link)]
    const answers = await Promise.all(tokens.map((token) => pay(token)))
    assert.deepEqual(answers.map(codeOfAnswer).sort(), ['200', 'payment_link_closed', 'payment_link_closed'])
    const { body } = await ok(merchant.test.get<PaymentLink>(`${PATH}/${link.id}`))
    assert.deepEqual([body.payments_count, body.state], [1, 'closed'])
    const page = await askPage(server.process.baseUrl, pathOf(link), {})
    assert.match(page.text, /Ce lien de paiement est fermé/)
    assert.equal((await askPage(server.process.baseUrl, pathOf(link), { form: { amount: '5' } })).status, 200)
  })

  it('its QR code is a picture that never changes, and an unknown link is 404', async () => {
    const link = await newLink()
    const pictures = [1, 2].map(() => askPage(server.process.baseUrl, `${pathOf(link)}/qr.svg`, {}))
    const [one, other] = await Promise.all(pictures)
    assert.equal(one?.text, other?.text)
    assert.match(one?.text ?? '', /^<svg/)
    for (const path of ['/l/none', '/l/none/qr.svg']) assert.equal((await askPage(server.process.baseUrl, path, {})).status, 404)
  })
})
