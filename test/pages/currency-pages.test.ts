// Pages of a deployment with several currencies, for a merchant whose currency has decimals: every amount stands in that currency, and
// what is typed in major units is what the page shows and the record has.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Charge } from '../../engine/contract/charge.ts'
import { hiddenOf, openShop, plainText, type Shop } from '../support/dashboard-shop.ts'
import { eventuallyAsync } from '../support/eventually.ts'
import { type EveryPage, openEveryPage } from '../support/every-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let every: EveryPage
let shop: Shop

before(async () => {
  server = await sharedServer({ CURRENCIES: 'XOF,GHS,XAF' })
  every = await openEveryPage(server, 'GHS')
  shop = await openShop(server, 1_000_000, 'GHS')
})

/** Pages about the product, not about an account. Their samples are in the default currency. */
const ABOUT_NO_ACCOUNT =
  /^\/(?:$|docs|dev$|dashboard\/(?:login|signup|accept|confirm-email|password-reset)|operator\/(?:login|cluster|quotas|operators))/

/** Asks again while the second's pages of the merchant are used up. */
async function pageAt(address: string, headers: Readonly<Record<string, string>>): Promise<string> {
  let html = ''
  await eventuallyAsync(async () => {
    const answer = await fetch(server.process.baseUrl + address, { headers })
    html = await answer.text()
    return answer.status === 200
  }, address)
  return html
}

describe('every page of an account in cedis', () => {
  test('names no franc', async () => {
    const faults: string[] = []
    const cookie = `${every.owner.cookie}; ${every.desk.headers.cookie}; ${every.phone}`
    for (const [path, addresses] of Object.entries(every.addresses)) {
      if (ABOUT_NO_ACCOUNT.test(path)) continue
      for (const address of addresses) {
        for (const language of ['fr', 'en']) {
          const html = await pageAt(address, { cookie, 'accept-language': language })
          const found = /.{0,60}(?:F\s?CFA|\bfrancs?\b|XOF(?! *GHS)).{0,20}/.exec(html.replaceAll(/<[^>]*>|\s+/g, ' '))
          if (found !== null) faults.push(`${address} (${language}): ${found[0]}`)
        }
      }
    }
    assert.deepEqual(faults, [])
  })
})

interface Row<Made> {
  readonly data: readonly Made[]
}

/** Returns the newest record of a list. */
async function newest<Made>(path: string): Promise<Made> {
  return (await ok(shop.keyed.get<Row<Made>>(`/v1/biz/${path}`))).body.data[0] as Made
}

const key = (): string => randomUUID()

describe('an amount typed in major units', () => {
  const kinds: readonly { readonly path: string; readonly list: string; readonly fields: Readonly<Record<string, string>> }[] = [
    { path: 'charges/new', list: 'charges', fields: {} },
    { path: 'counter', list: 'charges', fields: {} },
    { path: 'links/new', list: 'payment-links', fields: { description: 'Kente' } },
    { path: 'top-ups/new', list: 'top-ups', fields: {} },
    { path: 'withdrawals', list: 'withdrawals', fields: { kind: 'bank', name: 'Kente', account: 'GH000001' } },
    { path: 'contacts/new', list: 'contacts', fields: { recipient: '@kofi_kente' } },
  ]
  for (const [index, { path, list, fields }] of kinds.entries())
    test(`is the amount that ${path} shows and that the record has`, async () => {
      const sent = await shop.post(path, { key: key(), amount: `${index + 12},5`, ...fields })
      assert.equal(sent.status, 303, sent.text)
      assert.equal((await newest<{ amount: number }>(list)).amount, (index + 12) * 100 + 50)
      assert.match(await shop.read(list === 'payment-links' ? 'links' : list), new RegExp(`${index + 12},50 GH₵`))
    })

  test('is refused with too many decimals, by a sentence that names the currency', async () => {
    const sent = await shop.post('charges/new', { key: key(), amount: '12,505' })
    assert.equal(sent.status, 400)
    assert.match(sent.text, /Saisissez un montant en GH₵, avec deux décimales au plus, supérieur à zéro\./)
    assert.match(sent.html, /inputmode="decimal"/)
  })

  test('is what the check of a payout shows, what is paid, and what a failed payout fills in again', async () => {
    const fields = { recipient: `@${shop.tag}`, amount: '1 234,50' }
    const check = await shop.post('payouts/new', fields)
    assert.match(check.text, /Verser 1 234,50 GH₵/)
    await shop.post('payouts', { key: key(), ...hiddenOf(check.html, 'payouts"') })
    const paid = await newest<{ id: string; amount: number }>('payouts')
    assert.equal(paid.amount, 123_450)
    await ok(shop.keyed.post('/v1/biz/payouts', { recipient: `@${shop.tag}`, amount: 99_999_950 }, { 'idempotency-key': key() }))
    const failed = await newest<{ id: string }>('payouts')
    const page = await (await shop.get(`payouts/${failed.id}`)).text()
    assert.equal(hiddenOf(page, 'payouts/edit"').amount, '999999,50')
  })

  test('is what a direct debit asks for', async () => {
    const fields = { customer_tag: shop.tag, interval: 'on_demand', amount: '', max_amount: '20,75', max_payments: '3' }
    const sent = await shop.post('mandates/new', { key: key(), ...fields })
    assert.equal(sent.status, 303, sent.text)
    const { max_amount, max_payments } = await newest<{ max_amount: number; max_payments: number }>('mandates')
    assert.deepEqual([max_amount, max_payments], [2075, 3])
  })

  test('stands in the form of a contact as it was typed', async () => {
    const { id } = await newest<{ id: string }>('contacts')
    assert.match(await (await shop.get(`contacts/${id}`)).text(), /name="amount"[^>]* value="17,50"/)
  })

  test('is counted in the notes and coins of the currency', async () => {
    const sheet = await shop.read('till/close?p20000=2&p50=3&float=10,25')
    assert.match(sheet, /200,00 GH₵ 2 · 400,00 GH₵ 0,50 GH₵ 3 · 1,50 GH₵/)
    assert.match(sheet, /10,25 GH₵/)
  })
})

describe('a file of payments in cedis', () => {
  const payees = (texts: readonly string[], name = 'montant'): string =>
    [`tag;${name}`, ...texts.map((text) => `@${shop.tag};${text}`)].join('\n')

  test('is read in major units, and failed lines of a batch come back as the same amounts', async () => {
    const items = [{ recipient: `@${shop.tag}x`, amount: 1205 }]
    const { id: batch } = (await ok(shop.keyed.post<{ id: string }>('/v1/biz/payouts/batch', { items }, { 'idempotency-key': key() }))).body
    assert.match(await (await shop.get(`batches/${batch}`)).text(), new RegExp(`@${shop.tag}x;&quot;12,05&quot;;;`))
    const check = await shop.post('disbursements/new', { lines: payees(['12,00', '12.5', '1.234,50', '7', '1,234']) }, 'file')
    assert.match(check.text, /Plus gros montant 1 234,50 GH₵/)
    assert.match(check.text, /À verser 1 266,00 GH₵/)
    assert.match(check.text, /Ligne 6 : le montant « 1,234 » se lit 1 234 ou 1,234 :/)
    const [id] = /[0-9a-f-]{36}(?=\/start)/.exec(check.html) ?? []
    const { data } = (await ok(shop.keyed.get<Row<{ amount: number | null }>>(`/v1/biz/disbursements/${id}/lines`))).body
    assert.deepEqual(
      data.map(({ amount }) => amount),
      [1200, 1250, 123_450, 700, null],
    )
  })

  test('in digits alone is refused with both readings, and taken under the name of the currency', async () => {
    const refused = await shop.post('disbursements/new', { lines: payees(['1500']) }, 'file')
    assert.equal(refused.status, 400)
    assert.match(refused.text, /« 1500 » se lit 1500,00 ou 15,00 : écrivez-le avec ses décimales, ou nommez la colonne « montant \(GHS\) »/)
    const check = await shop.post('disbursements/new', { lines: payees(['1500'], 'montant (GHS)') }, 'file')
    assert.match(check.text, /À verser 1 500,00 GH₵/)
  })

  test('of contacts is exported with decimals, and imported as the same amounts', async () => {
    await ok(shop.keyed.post('/v1/biz/contacts', { recipient: '@ama_kente', amount: 123_405 }, { 'idempotency-key': key() }))
    const file = await (await shop.get('contacts/payments.csv')).text()
    assert.match(file, /@ama_kente;"1234,05";/)
    const { data } = (await ok(shop.keyed.get<Row<{ id: string; recipient: string; amount: number }>>('/v1/biz/contacts'))).body
    const amounts = new Map(data.map(({ recipient, amount }) => [recipient, amount]))
    for (const { id } of data) await ok(shop.keyed.request('DELETE', `/v1/biz/contacts/${id}`, {}))
    assert.match((await shop.post('contacts/import', { lines: file, groups: '' }, 'file')).text, /ajouté/)
    const again = (await ok(shop.keyed.get<Row<{ recipient: string; amount: number }>>('/v1/biz/contacts'))).body.data
    assert.deepEqual(new Map(again.map(({ recipient, amount }) => [recipient, amount])), amounts)
  })

  test('of a list for a spreadsheet has amounts as people write them, and the plain one the smallest unit', async () => {
    await ok(shop.keyed.post('/v1/biz/charges', { amount: 4242, description: 'Kente' }, { 'idempotency-key': key() }))
    assert.match(await (await shop.get('charges.csv?format=tableur')).text(), /;"42,42";/)
    assert.match(await (await shop.get('charges.csv')).text(), /,4242,/)
  })

  test('fills the form of a plan with the amounts that it has', async () => {
    const plan = { recurrence: 'monthly', start_at: '2199-01-31T08:00:00Z', items: [{ recipient: `@${shop.tag}`, amount: 1205 }] }
    const { id } = (await ok(shop.keyed.post<{ id: string }>('/v1/biz/payout-schedules', plan, { 'idempotency-key': key() }))).body
    assert.match(await (await shop.get(`schedules/${id}/edit`)).text(), new RegExp(`@${shop.tag};&quot;12,05&quot;;;`))
  })
})

/** Sends a form of the desk and returns the page that it leads to. */
async function onDesk(path: string, form: Readonly<Record<string, string>>): Promise<string> {
  const { headers, csrf } = every.desk
  const url = new URL(path, server.process.baseUrl)
  const sent = await fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams({ csrf, ...form }) })
  assert.equal(sent.status, 303, await sent.text())
  const next = new URL(sent.headers.get('location') ?? '', url)
  return plainText(await (await fetch(next, { headers })).text())
}

describe('an operator', () => {
  test('types an amount of an account in its currency, and again for real money', async () => {
    const form = { kind: 'deposit', environment: 'live', account: every.merchant.id, amount: '1 500,25', reference: 'VIR-9' }
    const { headers, csrf } = every.desk
    const url = `${server.process.baseUrl}/operator/funding/check`
    const sent = await fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams({ csrf, ...form }) })
    const confirm = new URL(sent.headers.get('location') ?? '', url)
    const page = await (await fetch(confirm, { headers })).text()
    assert.match(plainText(page), /Solde actuel 7 500,00 GH₵ Solde ensuite 9 000,25 GH₵/)
    const s = confirm.searchParams.get('s') ?? ''
    assert.match(await onDesk('/operator/funding/confirm', { s, again: '150025' }), /Le montant retapé n’est pas celui du mouvement/)
    assert.match(await onDesk('/operator/funding/confirm', { s, again: '1500.25' }), /Effectué\. .* Solde ensuite 9 000,25 GH₵/)
  })

  test('credits a top-up with what was received, in major units', async () => {
    const { id } = (await ok(shop.keyed.post<{ id: string }>('/v1/biz/top-ups', { amount: 25_075 }, { 'idempotency-key': key() }))).body
    const page = await (await fetch(`${server.process.baseUrl}/operator/requests`, { headers: every.desk.headers })).text()
    assert.match(page, new RegExp(`id="amount-${id}" name="amount" type="text" value="250,75"`))
    await onDesk(`/operator/requests/top-ups/${id}/confirm`, { key: key(), amount: '250,70', reference: 'VIR-10' })
    const { confirmed_amount } = (await ok(shop.keyed.get<{ confirmed_amount: number }>(`/v1/biz/top-ups/${id}`))).body
    assert.equal(confirmed_amount, 25_070)
  })
})

describe('the sign-up page', () => {
  const address = (): string => `${server.process.baseUrl}/dashboard/signup`
  const signUp = (fields: Readonly<Record<string, string>>): Promise<Response> => {
    const typed = { merchant_name: 'Kente', email: `${randomUUID()}@example.com`, password: 'cauris au soleil de midi', ...fields }
    return fetch(address(), { method: 'POST', redirect: 'manual', body: new URLSearchParams(typed) })
  }

  test('offers each currency that is kept by its name, and the merchant has the chosen one for good', async () => {
    const choice = async (language: string): Promise<string> => {
      const page = plainText(await (await fetch(address(), { headers: { 'accept-language': language } })).text())
      return /Devise.*?\(XAF\)|Currency.*?\(XAF\)/.exec(page)?.[0] ?? ''
    }
    assert.equal(
      await choice('fr'),
      'Devise du compte, qui ne change plus ensuite franc CFA (BCEAO) (XOF) cedi ghanéen (GHS) franc CFA (BEAC) (XAF)',
    )
    assert.match(await choice('en'), /^Currency of the account, which does not change later West African CFA franc \(XOF\) Ghanaian cedi/)
    const sent = await signUp({ currency: 'GHS' })
    assert.equal(sent.status, 303)
    const cookie = sent.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ')
    const home = await fetch(`${server.process.baseUrl}/dashboard/test`, { headers: { cookie } })
    assert.match(plainText(await home.text()), /0,00 GH₵/)
  })

  test('refuses a currency that is not kept, and keeps the choice where something else is wrong', async () => {
    assert.equal((await signUp({ currency: 'EUR' })).status, 400)
    const again = await signUp({ currency: 'XAF', password: 'court' })
    assert.equal(again.status, 400)
    assert.match(await again.text(), /<option value="XAF" selected>/)
  })

  test('asks nothing where one currency is kept', async () => {
    const alone = await sharedServer({})
    assert.doesNotMatch(await (await fetch(`${alone.process.baseUrl}/dashboard/signup`)).text(), /<select|name="currency"/)
  })
})

describe('a receipt', () => {
  test('names the currency on the sheet and in the message', async () => {
    const charge = (await ok(shop.keyed.post<Charge>('/v1/biz/charges', { amount: 1299 }))).body
    await ok(shop.keyed.post(`/v1/biz/test/charges/${charge.token}/pay`, { payer_tag: shop.tag }))
    const page = await shop.read(`charges/${charge.token}/receipt`)
    assert.equal(page.match(/12,99 GH₵/g)?.length, 2)
  })
})
