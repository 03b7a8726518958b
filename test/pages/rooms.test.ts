// What crosses several parts of the server, in one browser: a merchant on its dashboard, a customer with the simulated
// telephone, an operator, and the inbox that shows what the server sent meanwhile.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { GOOD_PRODUCTS } from '../support/biller-engine.ts'
import { sharedBrowser } from '../support/browser.ts'
import { OTP, openPayer, PIN } from '../support/charge-callers.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { inDashboard, press, readable, signUpIn } from '../support/dashboard-steps.ts'
import { sendForm } from '../support/forms.ts'
import { follow, onDesk } from '../support/operator-steps.ts'
import { plainPng } from '../support/pictures.ts'
import type { Merchant, TestServer } from '../support/server-fixture.ts'
import { ownServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser
/** Lends test wallets. */
let lender: Merchant

before(async () => {
  server = await ownServer()
  browser = await sharedBrowser()
  lender = await server.fundedMerchant(1_000_000)
})

after(async () => {
  await server?.close()
})

const place = (path: string): string => `nav[aria-label="Tableau de bord"] a[href$="/${path}"]`

test('a charge of the dashboard is paid on the telephone, and the dashboard says so', async () => {
  const { tag } = await openPayer(server, lender, 20_000)
  await inDashboard(browser, {}, async (page) => {
    await signUpIn(page, server.process.baseUrl, 'Chez <b>Awa</b>')
    await press(page, place('test'))
    await press(page, place('charges'))
    await press(page, '.heading a[href$="charges/new"]')
    await page.fill('#amount', '7 500')
    await page.fill('#reference', 'CMD-7')
    await press(page, 'form.card button[type=submit]')
    assert.equal(await textOf(page, '.badge'), 'En attente')
    const shown = page.url()
    const token = new URL(shown).pathname.split('/').at(-1) ?? ''

    const phone = await page.context().newPage()
    await phone.goto(`${server.process.baseUrl}/dev/phone`)
    await sendForm(phone, 'phone/start', { identifier: `@${tag}` })
    await sendForm(phone, 'phone/login', { code: OTP, pin: PIN })
    await phone.fill('#c', `${server.process.baseUrl}/pay/${token}`)
    await press(phone, 'form[action="phone/charge"] button')
    assert.equal(plain(await textOf(phone, '.ticket h1')), `@${tag} paie à Chez <b>Awa</b> 7 500 F CFA`)
    await sendForm(phone, 'pay', { pin: PIN })
    assert.equal(await textOf(phone, '.ending h2'), 'Paiement effectué')

    await page.goto(shown)
    assert.equal(await textOf(page, '.badge'), 'Payé')
    assert.match(await textOf(page, 'main'), new RegExp(tag))
    await phone.goto(`${server.process.baseUrl}/dev`)
    assert.match(await textOf(phone, `.letter:has-text("${token}")`), /de Chez <b>Awa<\/b> .*charge\.succeeded/)
  })
})

interface Directory {
  readonly data: readonly { readonly slug: string }[]
}

test('a biller of the dashboard is published at the desk, and paid', async () => {
  const { app } = await openPayer(server, lender, 50_000)
  const found = async (): Promise<readonly string[]> =>
    (await app.get<Directory>('/v1/me/directory?q=plateau')).body.data.map(({ slug }) => slug)
  await inDashboard(browser, {}, async (page) => {
    await signUpIn(page, server.process.baseUrl, 'Mosquée du Plateau')
    await describeBiller(page)
    assert.deepEqual(await found(), [], 'not before its time')

    await onDesk(server, browser, {}, async (desk) => {
      assert.match(await textOf(desk, '.tiles'), /Facturiers à examiner 1/)
      await follow(desk, 'Facturiers')
      await follow(desk, 'Dons du Plateau')
      assert.match(await textOf(desk, 'details'), /Titre ?Don libre/)
      await sendForm(desk, 'dons-du-plateau/approve')
      assert.match(await textOf(desk, '.said'), /^Approuvé/)
      assert.deepEqual(await found(), ['dons-du-plateau'])

      const path = '/v1/me/directory/dons-du-plateau/products/don/pay'
      const paid = await app.post<{ transaction_id: string }>(path, { amount: 5000, pin: PIN }, { 'idempotency-key': randomUUID() })
      assert.equal(paid.status, 200, paid.text)
      await desk.goto(`${server.process.baseUrl}/dev`)
      assert.match(await textOf(desk, `.letter:has-text("${paid.body.transaction_id}")`), /de Mosquée du Plateau .*bill\.paid/)
      await press(page, place('biller'))
      assert.match(await textOf(page, '.heading .badge'), /Publié/)
      await page.goto(`${server.process.baseUrl}/dashboard/test/bills`)
      await press(page, 'tbody a')
      const { transaction_id } = paid.body
      assert.match(page.url(), new RegExp(`bills/${transaction_id}$`))
      assert.match(plain(await textOf(page, 'main')), /Facture de 5 000 F CFA ?Payée.*Rien à livrer.*Exécutions du code ?0/)
      await readable(page, 'bill')
      await press(page, 'form[action$="/redeliver"] button')
      assert.match(await textOf(page, 'main'), /La livraison est relancée/)
      await page.click('summary:has-text("Rembourser")')
      await page.selectOption('form[action$="/refund"] [name=reason]', 'cancelled')
      await press(page, 'form[action$="/refund"] button')
      assert.match(
        plain(await textOf(page, 'main')),
        /La facture est remboursée.*Facture de 5 000 F CFA ?Remboursée.*Raison du remboursement ?Achat annulé/,
      )
      assert.equal(await page.locator('form[action*="/bills/"]').count(), 0, 'a refunded bill has no further action')
      await press(page, `a[href$="transactions/${transaction_id}"]`)
      assert.match(plain(await textOf(page, 'main')), /Facture : 5 000 F CFA.*Écritures.*Débit.*Mosquée du Plateau/)

      await desk.goto(`${server.process.baseUrl}/operator/billers/dons-du-plateau`)
      await sendForm(desk, 'dons-du-plateau/suspend', { reason: 'Vérification en cours.' })
      assert.deepEqual(await found(), [], 'the directory shows it no more')
    })
  })
})

/** Profile, logo and product, sent in for review. */
async function describeBiller(page: Page): Promise<void> {
  await press(page, place('biller'))
  await page.fill('#display_name', 'Dons du Plateau')
  await page.selectOption('#category', 'donations')
  await page.fill('#short_desc', 'Donnez ce que vous voulez.')
  await press(page, 'form[action$="/biller"] button')
  await page.setInputFiles('#file', { name: 'logo.png', mimeType: 'image/png', buffer: plainPng(256, [20, 120, 80]) })
  await press(page, 'form[enctype] button')
  await press(page, 'a[href$="/products/new"]')
  const { title, schema } = GOOD_PRODUCTS.user
  await page.fill('#slug', 'don')
  await page.fill('#title', title)
  await page.selectOption('#amount_mode', 'user')
  await page.click('summary:has-text("JSON")')
  await page.fill('#schema', JSON.stringify(schema))
  await press(page, 'form.card > button:not([name]):not(.unseen)')
  assert.equal(await textOf(page, '.heading .badge'), 'Actif')
  await press(page, place('biller'))
  await page.click('summary:has-text("Demander la publication")')
  await press(page, 'form[action$="/submit"] button')
  assert.equal(await textOf(page, '.heading .badge'), 'En cours d’examen')
}
