// The search box of the dashboard: one text finds every kind of record, by a part of a name, a reference, a tag, a phone or an id.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { sharedBrowser } from '../support/browser.ts'
import { textOf } from '../support/checkout-steps.ts'
import { openShop, type Shop } from '../support/dashboard-shop.ts'
import { inDashboard, press, readableInBoth, signUpIn } from '../support/dashboard-steps.ts'
import { newKey, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let browser: Browser
let shop: Shop
const ids = new Map<string, string>()

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
  shop = await openShop(server, 10_000)
  const make = async (kind: string, path: string, body: object): Promise<void> => {
    const answer = await ok(shop.keyed.post<{ id: string }>(path, body, newKey()))
    ids.set(kind, answer.body.id)
  }
  const line = { recipient: shop.tag, amount: 10 }
  await make('charges', '/v1/biz/charges', { amount: 700, reference: 'Été-7' })
  await make('payouts', '/v1/biz/payouts', { ...line, reference: 'Été-7' })
  await make('disbursements', '/v1/biz/disbursements', { items: [line], reference: 'Paie d’été-7' })
  await make('batches', '/v1/biz/payouts/batch', { items: [line], reference: 'Primes d’été-7' })
  const plan = { recurrence: 'monthly', start_at: '2030-01-31T08:00:00Z', items: [line], reference: 'Loyer été-7' }
  await make('schedules', '/v1/biz/payout-schedules', plan)
  await make('links', '/v1/biz/payment-links', { description: 'Buvette d’ÉTÉ-7' })
  await make('mandates', '/v1/biz/mandates', {
    customer_tag: shop.tag,
    interval: 'on_demand',
    max_amount: 5000,
    description: 'Abonnement été-7',
  })
  await make('top-ups', '/v1/biz/top-ups', { amount: 500, reference: 'été-7' })
  const destination = { kind: 'bank', name: 'Awa Été-7', account: 'SN08 0001' }
  await make('withdrawals', '/v1/biz/withdrawals', { amount: 500, destination })
})

const titles = (page: string): string[] => [...page.matchAll(/<section><h2>([^<]*)<\/h2>/g)].map(([, title = '']) => title)
const found = async (q: string): Promise<string[]> => titles(await (await shop.get(`search?q=${encodeURIComponent(q)}`)).text())

const BATCHES = 'Versements groupés de l’API et des programmes'
const ALL = [
  'Encaissements',
  'Versements',
  'Versements groupés',
  BATCHES,
  'Versements programmés',
  'Liens de paiement',
  'Prélèvements',
  'Approvisionnements',
  'Retraits',
  'Transactions',
]

describe('the search page', () => {
  test('one text in another case finds every kind of record', async () => {
    assert.deepEqual(await found(' ÉTÉ-7 '), ALL)
  })

  test('a part of a name is enough, with or without accents', async () => {
    assert.deepEqual(await found('buvette d’ete'), ['Liens de paiement'])
    assert.deepEqual(await found('sn08'), ['Retraits'])
    assert.deepEqual(await found('primes'), [BATCHES])
    assert.deepEqual(await found('paie d’ete'), ['Versements groupés'])
    assert.deepEqual(await found('boutique.example'), ['Membres'])
  })

  test('a part of a reference finds charges and payouts, in any case and with or without accents', async () => {
    await ok(shop.keyed.post('/v1/biz/charges', { amount: 700, reference: 'Réservation 4711' }))
    await ok(shop.keyed.post('/v1/biz/payouts', { recipient: shop.tag, amount: 10, reference: 'ACOMPTE-4711' }, newKey()))
    assert.deepEqual(await found('RESERV'), ['Encaissements'])
    assert.deepEqual(await found('compte-47'), ['Versements'])
    assert.deepEqual(await found('4711'), ['Encaissements', 'Versements'])
  })

  test('a part of a reference is searched among the newest rows, and the page says so where there are more', async () => {
    const rich = await openShop(server, 10_000)
    const pay = (reference: string) => ok(rich.keyed.post('/v1/biz/payouts', { recipient: rich.tag, amount: 1, reference }, newKey()))
    await pay('VIEUX-1')
    for (let part = 0; part < 3; part++) {
      const items = Array.from({ length: 400 }, () => ({ recipient: rich.tag, amount: 1, reference: 'PAIE' }))
      await ok(rich.keyed.post('/v1/biz/payouts/batch', { items }, newKey()))
    }
    await pay('RECENT-1')
    assert.match(await rich.read('search?q=vieux'), /parmi les 1 000 encaissements, versements et factures les plus récents/)
    assert.match(await rich.read('search?q=vieux-1'), /Versements .*VIEUX-1/)
    const recent = await rich.read('search?q=recent')
    assert.match(recent, /Versements .*RECENT-1/)
    assert.match(await rich.read('search?q=pai'), /Il y en a d’autres/)
    assert.match(await rich.read('search?q=pai&lang=en'), /There are others/)
  })

  test('each record is found by its id, in any case', async () => {
    for (const [kind, id] of ids) {
      const html = await (await shop.get(`search?q=${id.toUpperCase()}`)).text()
      if (kind === 'charges') assert.match(html, /<h2>Encaissements<\/h2>/)
      else assert.ok(html.includes(`/${kind}/${id}"`), `${kind} ${id}`)
      // The transaction of a payout is found by the payout's id too.
      assert.equal(titles(html).filter((title) => title !== 'Transactions').length, 1, titles(html).join())
    }
  })

  test('a tag and a phone with blanks find what was paid to them', async () => {
    const byTag = await found(`@${shop.tag}`)
    for (const title of ['Versements', 'Versements programmés', 'Prélèvements', 'Transactions']) assert.ok(byTag.includes(title), title)
    await ok(shop.keyed.post('/v1/biz/payouts', { recipient: shop.phone, amount: 5 }, newKey()))
    assert.deepEqual(await found(`${shop.phone.slice(0, 4)} ${shop.phone.slice(4)}`), ['Versements', 'Transactions'])
  })

  test('nothing typed and nothing found are said in words', async () => {
    assert.match(await shop.read('search?q=++'), /Saisissez une référence/)
    assert.match(await shop.read(`search?q=${encodeURIComponent('<b>rien</b>')}`), /Rien ne correspond à &lt;b&gt;rien/)
    assert.doesNotMatch(await (await openShop(server, 0)).read('search?q=été-7'), /Buvette/, 'another merchant finds nothing')
  })
})

describe('the search of the API', () => {
  for (const path of ['payouts/batch', 'payout-schedules', 'payment-links', 'mandates', 'top-ups', 'withdrawals']) {
    test(`the search of ${path} takes a part of a text, and pages through what it found`, async () => {
      const list = async (query: string): Promise<number> =>
        (await ok(shop.keyed.get<{ data: unknown[] }>(`/v1/biz/${path}?limit=1${query}`))).body.data.length
      assert.deepEqual([await list('&q=ETE-7'), await list(''), await list('&q=ailleurs')], [1, 1, 0])
      const { status, body } = await shop.keyed.get(`/v1/biz/${path}?limit=1&q=`)
      assert.deepEqual([status, body.code, body.param], [400, 'invalid_parameter', 'q'])
    })
  }
})

describe('the search box', () => {
  test('the search box is on every page, which fits 360 and 1280 px and is accessible in both themes', async () => {
    await inDashboard(browser, { viewport: { width: 360, height: 640 } }, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      const base = page.url().split('?')[0] ?? ''
      await page.goto(`${base}/links/new`)
      await page.fill('#description', 'Caisse du marché')
      await press(page, 'form.card button[type=submit]')
      await page.fill('form[role=search] input', 'marche')
      await press(page, 'form[role=search] button')
      assert.equal(await textOf(page, 'main h2'), 'Liens de paiement')
      assert.equal(await page.inputValue('form[role=search] input'), 'marche')
      await readableInBoth(page, 'search')
      await page.goto(`${base}/links`)
      await readableInBoth(page, 'links-list')
    })
  })
})
