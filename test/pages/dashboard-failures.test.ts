// Paid bills on the dashboard: by the names that customers read, and with what was not delivered on the home page.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { BillPayment } from '../../engine/contract/bill.ts'
import { makeProduct } from '../support/bill-callers.ts'
import { openBiller } from '../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../support/biller-engine.ts'
import { openPayer, PIN } from '../support/charge-callers.ts'
import { signUp } from '../support/dashboard-callers.ts'
import { plainText } from '../support/dashboard-shop.ts'
import { eventuallyAsync } from '../support/eventually.ts'
import { type Merchant, newKey, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

const FORM = {
  steps: [
    {
      id: 'choix',
      title: 'Votre ligne',
      fields: [
        { id: 'ligne', label: 'Numéro de ligne', type: 'phone' },
        { id: 'zone', label: 'Quartier', type: 'select', options: [{ label: 'Cocody', value: 'CO' }] },
      ],
    },
  ],
}
const FAILING = { fulfillment_mode: 'code', fulfillment_code: 'function onPaid() { throw new Error("plus de stock") }' }

let html: (path: string) => Promise<string>
let read: (path: string) => Promise<string>
let bill: BillPayment

before(async () => {
  const server: TestServer = await sharedServer()
  const owner = await signUp(server)
  const keyed = await server.keyed(owner.merchantId, 'test', ['disbursements.write', 'billers.write'])
  const merchant: Merchant = { id: owner.merchantId, test: keyed, live: keyed }
  const payer = await openPayer(server, merchant, 5000)
  const { slug } = await openBiller(server, 'published', merchant)
  const url = 'https://127.0.0.1:9/cauri'
  await ok(keyed.post('/v1/biz/webhook-endpoints', { url, events: ['bill.paid'], description: '' }))
  await makeProduct(keyed, 'recharge', { ...GOOD_PRODUCTS.fixed, schema: FORM, ...FAILING })
  const bought = { pin: PIN, package_id: 'jour', form_values: { ligne: '+221771234567', zone: 'CO' } }
  await ok(payer.app.post(`/v1/me/directory/${slug}/products/recharge/pay`, bought, newKey()))
  html = async (path) =>
    (await fetch(`${server.process.baseUrl}/dashboard/test${path}`, { redirect: 'manual', headers: { cookie: owner.cookie } })).text()
  read = async (path) => plainText(await html(path))
  await eventuallyAsync(async () => {
    const bills = await keyed.get<{ data: BillPayment[] }>('/v1/biz/bill-payments')
    const events = await keyed.get<{ data: { delivery_state: string }[] }>('/v1/biz/events?type=bill.paid')
    bill = bills.body.data[0] as BillPayment
    return bill.fulfillment.state === 'failed' && events.body.data[0]?.delivery_state === 'failed'
  }, 'the failed deliveries')
})

describe('a paid bill', () => {
  test('a bill has the title of its product, and the labels of its fields and options, in list, page, receipt and file', async () => {
    const names = /Recharge .*Numéro de ligne : \+221771234567 Quartier : Cocody/
    assert.match(await read('/bills'), names)
    const page = await read(`/bills/${bill.transaction_id}`)
    assert.match(page, /Produit Recharge Numéro de ligne \+221771234567 Quartier Cocody/)
    assert.match(await read(`/bills/${bill.transaction_id}/receipt`), /Objet Recharge/)
    const file = await html('/bills.csv?format=tableur')
    assert.match(file, /;Recharge;.*Numéro de ligne : \+221771234567, Quartier : Cocody/)
    assert.match(await html('/bills.csv'), /,recharge,.*""zone"":""CO""/)
  })

  test('the list is filtered by product, by its title, and says so when the form is folded', async () => {
    const filtered = await html('/bills?product=recharge&from=2026-01-01')
    assert.match(filtered, /<details class="filters"><summary>/)
    assert.match(filtered, /<option value="recharge" selected>Recharge<\/option>/)
    assert.match(plainText(filtered), /Période : depuis le 1 janv\. 2026 Produit : Recharge Effacer les filtres/)
    assert.match(await html('/bills'), /<div class="filtered on-paper"><ul><li>Période : toutes les dates<\/li><\/ul><\/div>/)
  })

  test('the home page lists bills and events that were not delivered, with the way to each', async () => {
    const home = await html('')
    assert.ok(home.includes(`bills/${bill.transaction_id}`), home)
    assert.match(plainText(home), /1 livraison en échec ?ces 7 derniers jours : .* Relancez la livraison.*, ?Recharge ?,/)
    assert.match(
      plainText(home),
      /Évènements que votre serveur n’a pas reçus ces 7 derniers jours, après tous les essais : 1 ?\. .* bill\.paid/,
    )
    assert.match(await read('/bills'), /1 livraison en échec ?ces 7 derniers jours/)
  })
})

test('the page of the API is small, and each of its routes leads to its page of the reference', async () => {
  const page = await html('/api')
  assert.ok(page.length < 50_000, `${page.length} characters`)
  assert.match(page, /<a class="alone" href="[./]*\/docs\/reference\/createPayout"><code>POST \/v1\/biz\/payouts<\/code><\/a>/)
  assert.ok(!page.includes('/v1/operator/') && !page.includes('/v1/me/'))
})
