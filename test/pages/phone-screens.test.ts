// The screens of the simulated phone: play money, transfers, bills, mandates, payment links and the history. The wallet is
// signed up once, and each test goes on from it.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBillerSystem, openBillServer, openPaidFor, type PaidFor } from '../support/bill-callers.ts'
import { METER } from '../support/bill-engine.ts'
import { assertAccessible, assertFits, keepPicture, openPage, type SeenPage, sharedBrowser } from '../support/browser.ts'
import { assertNoFaults, plain, textOf } from '../support/checkout-steps.ts'
import { sendForm } from '../support/forms.ts'
import { createMandate } from '../support/mandate-callers.ts'
import { follow } from '../support/operator-steps.ts'
import type { Receiver } from '../support/receiver.ts'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { ok } from '../support/wallet-callers.ts'

const PIN = '7391'
const DUE = { amount: 4500, currency: 'XOF', label: 'Facture de mars', customer_name: 'Awa Diallo', biller_ref: 'F-2026-03' }
const tag = newTag()

let server: TestServer
let system: Receiver
let shop: PaidFor
let browser: Browser
let seen: SeenPage
let page: Page

before(async () => {
  ;[server, system, browser] = await Promise.all([openBillServer(), openBillerSystem(), sharedBrowser()])
  system.answering = ({ path, body }, response) => {
    const isKnown = body.includes(METER)
    response.end(path === '/lookup' ? JSON.stringify(isKnown ? { ok: true, ...DUE } : { ok: false, reason: 'Compteur inconnu.' }) : '')
  }
  shop = await openPaidFor(server, system)
  seen = await openPage(browser, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, reducedMotion: 'reduce' })
  page = seen.page
  await go('')
  await sendForm(page, 'phone/start', { phone: `+22500${String(randomInt(100_000_000)).padStart(8, '0')}` })
  await sendForm(page, 'phone/signup', { given_name: 'Awa', family_name: 'Diallo', tag, pin: PIN })
})

after(async () => {
  if (seen !== undefined) assertNoFaults(seen)
  await Promise.all([server?.close(), system?.close()])
})

const go = (path: string) => page.goto(`${server.process.baseUrl}/dev/phone${path}`)

async function readable(name: string): Promise<void> {
  await assertFits(page)
  await assertAccessible(page)
  await keepPicture(page, `phone-${name}`)
}

const balance = async (): Promise<string> => {
  await go('')
  return plain(await textOf(page, '.ticket .amount'))
}

describe('the simulated phone', () => {
  test('a new wallet gets play money, and an amount that is too large is refused at its field', async () => {
    assert.equal(await balance(), '0 F CFA')
    await sendForm(page, 'phone/fund', { amount: '2 000 000' })
    assert.match(await textOf(page, '#amount-error'), /de 1 à 1 000 000/)
    await sendForm(page, 'phone/fund', { amount: '60 000' })
    assert.equal(await balance(), '60 000 F CFA')
    await readable('home')
  })

  test('it sends money by tag and by number with the PIN, and shows the receipt', async () => {
    const [first, second] = [newTag(), newTag()]
    const made = await shop.merchant.test.post<{ phone: string }>('/v1/biz/test/wallets', { tag: first })
    await shop.merchant.test.post('/v1/biz/test/wallets', { tag: second })
    await follow(page, 'Envoyer')
    await sendForm(page, 'send', { recipient: 'personne_ici', amount: '1 000' })
    await sendForm(page, 'confirm', { pin: PIN })
    assert.match(await textOf(page, '#recipient-error'), /portefeuille/)
    assert.equal(await page.inputValue('#amount'), '1 000', 'what was typed is kept')
    await readable('send')
    await sendForm(page, 'send', { recipient: made.body.phone, amount: '1 000' })
    await sendForm(page, 'confirm', { pin: '1111' })
    assert.match(await textOf(page, '#pin-error'), /Essais restants : 4/)
    await sendForm(page, 'confirm', { pin: PIN })
    assert.match(plain(await textOf(page, 'main')), new RegExp(`Argent envoyé.*${first}.*Solde après ?59 000 F CFA`))
    await readable('receipt')
    await go('/send')
    await sendForm(page, 'send', { recipient: `@${second}`, amount: '2000' })
    await sendForm(page, 'confirm', { pin: PIN })
    assert.equal(await balance(), '57 000 F CFA')
  })

  test('it shows the fee, the total and what the limits leave before the PIN', async () => {
    const rule = { percent_bp: 100, fixed: 0, borne_by: 'payer' }
    const plans = [{ name: 'standard', rules: ['transfer', 'bill', 'charge'].map((on) => ({ on, ...rule })) }]
    const put = (rules: string, json: object) =>
      ok(server.operator.request('PUT', `/v1/operator/rules/${rules}?environment=test`, { json }))
    await put('fees', { plans, default_plan: 'standard' })
    await put('limits', { wallet_tiers: [{ name: 'basic', sent_day_max: 50_000 }], default_tier: 'basic' })
    const price =
      /Frais ?20 F CFA.*Total ?2 020 F CFA.*Solde : 57 000 F CFA. Il restera 54 980 F CFA. Limite du jour : il vous reste 47 000 F CFA/
    await go('')
    assert.match(plain(await textOf(page, 'main')), /Limite du jour : il vous reste 47 000 F CFA/)
    await go('/send')
    await sendForm(page, 'send', { recipient: 'awa', amount: '2000' })
    assert.match(plain(await textOf(page, 'main')), price)
    await readable('price')
    await go(`/bills/${shop.biller}/don`)
    await sendForm(page, 'don', { v0: '2000' })
    assert.match(plain(await textOf(page, 'main')), price)
    const { body } = await shop.merchant.test.post<{ token: string }>('/v1/biz/charges', { amount: 2000 }, newKey())
    await go(`/charge?c=${body.token}`)
    assert.match(plain(await textOf(page, 'main')), price)
    await put('fees', {})
    await put('limits', {})
  })

  test('it finds a biller, looks the bill up, pays it once and shows the receipt', async () => {
    await follow(page, 'Factures')
    await sendForm(page, 'bills', { q: 'ENERGIE' })
    await readable('billers')
    await Promise.all([page.waitForEvent('load'), page.click('.lines a')])
    await readable('biller')
    await follow(page, 'Facture d’électricité')
    await sendForm(page, 'facture', { v0: '04000000000' })
    assert.match(await textOf(page, '.error'), /Compteur inconnu/)
    assert.equal(await page.inputValue('#v0'), '04000000000')
    await readable('product-error')
    await sendForm(page, 'facture', { v0: METER })
    assert.match(plain(await textOf(page, 'main')), /4 500 F CFA.*Facture de mars.*Awa Diallo.*F-2026-03.*Il restera 52 500 F CFA/)
    await sendForm(page, 'pay', { pin: '1111' })
    assert.match(await textOf(page, '#pin-error'), /Essais restants/)
    await readable('bill')
    const address = page.url()
    await sendForm(page, 'pay', { pin: PIN })
    assert.match(plain(await textOf(page, 'main')), /Facture payée.*Solde après ?52 500 F CFA/)
    await page.goto(address)
    await sendForm(page, 'pay', { pin: PIN })
    assert.equal(await balance(), '52 500 F CFA', 'the same form pays once')
  })

  test('it pays a package and an amount of the customer’s own', async () => {
    await go(`/bills/${shop.biller}/recharge`)
    await sendForm(page, 'recharge', { v0: '+221 77 000 00 00' })
    assert.match(await textOf(page, '.error'), /Choisissez une formule/)
    await page.click('text="Pass jour"')
    await readable('packages')
    await sendForm(page, 'recharge')
    await sendForm(page, 'pay', { pin: PIN })
    assert.match(plain(await textOf(page, 'main')), /Facture payée.*Solde après ?52 000 F CFA/)
    await go(`/bills/${shop.biller}/don`)
    await sendForm(page, 'don', { v0: '50' })
    await sendForm(page, 'pay', { pin: PIN })
    assert.ok((await page.locator('.error').count()) > 0, 'below the minimum')
    await go(`/bills/${shop.biller}/don`)
    await sendForm(page, 'don', { v0: '1 000' })
    await sendForm(page, 'pay', { pin: PIN })
    assert.equal(await balance(), '51 000 F CFA')
  })

  test('it approves, rejects and ends mandates', async () => {
    const { merchant } = shop
    const pair = { merchant, payer: { tag, phone: '', app: server.anybody } }
    const first = await createMandate(pair, { description: 'Abonnement' })
    await createMandate(pair)
    await go('/mandates')
    assert.equal(await page.locator('text="À approuver"').count(), 2)
    await readable('mandates')
    await go('')
    await page.fill('#c', first.approval_url)
    await Promise.all([page.waitForEvent('load'), page.click('form[action="phone/charge"] button')])
    await sendForm(page, `${first.id}/approve`, { pin: '1111' })
    assert.match(await textOf(page, '#pin-error'), /Essais restants/)
    await readable('mandate')
    await sendForm(page, `${first.id}/approve`, { pin: PIN })
    assert.match(await textOf(page, 'main'), /Actif/)
    await sendForm(page, `${first.id}/cancel`)
    assert.match(await textOf(page, 'main'), /Annulé/)
    await go('/mandates')
    await Promise.all([page.waitForEvent('load'), page.click('li:has-text("À approuver") a')])
    await Promise.all([page.waitForEvent('load'), page.click('text="Refuser"')])
    assert.match(await textOf(page, 'main'), /Refusé/)
  })

  test('it scans a printed payment link, types the amount and pays', async () => {
    const link = await shop.merchant.test.post<{ url: string; id: string }>('/v1/biz/payment-links', { description: 'Comptoir' })
    await go('')
    await page.fill('#c', link.body.url)
    await Promise.all([page.waitForEvent('load'), page.click('form[action="phone/charge"] button')])
    const code = link.body.url.split('/').at(-1) ?? ''
    await sendForm(page, code, { amount: 'beaucoup' })
    assert.match(await textOf(page, '#amount-error'), /sans décimales/)
    await readable('link')
    await sendForm(page, code, { amount: '1 500' })
    assert.match(plain(await textOf(page, 'main')), /Il restera 49 500 F CFA/)
    await sendForm(page, 'pay', { pin: PIN })
    assert.equal(await textOf(page, '.ending h2'), 'Paiement effectué')
    await shop.merchant.test.post(`/v1/biz/payment-links/${link.body.id}/close`, {})
    await go(`/link/${code}`)
    assert.match(await textOf(page, 'main'), /fermé/)
  })

  test('the history filters by type, reference and day, and leads to each receipt', async () => {
    await go('/history')
    const all = await page.locator('.lines li').count()
    await page.click('summary')
    await sendForm(page, 'history', { type: 'bill' })
    assert.equal(await page.locator('.lines li').count(), 3)
    await readable('history')
    await sendForm(page, 'history', { type: '', from: '2020-01-01', to: '2020-01-02' })
    assert.match(await textOf(page, 'main'), /Aucun mouvement ne correspond/)
    await go(`/history?from=${new Date().toISOString().slice(0, 10)}&to=&q=`)
    assert.equal(await page.locator('.lines li').count(), all)
    await Promise.all([page.waitForEvent('load'), page.click('.lines li:last-child a')])
    assert.match(plain(await textOf(page, 'main')), /Dépôt 60 000 F CFA/)
  })

  test('a phone that is signed out leads to the sign-in', async () => {
    await go('')
    await sendForm(page, 'phone/leave')
    for (const path of ['/send', '/bills', '/mandates', '/history']) {
      await go(path)
      assert.equal(await textOf(page, 'h1'), 'Téléphone simulé', path)
    }
  })
})
