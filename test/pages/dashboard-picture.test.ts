// The home page of a shop that has done business today: what it shows adds up, and it is the picture in the README.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { keepPicture, sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { inDashboard, press, signUpIn } from '../support/dashboard-steps.ts'
import { newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser

before(async () => {
  browser = await sharedBrowser()
  server = await sharedServer()
})

test('today’s takings and their number, what was refunded of them, and payouts', async () => {
  await inDashboard(browser, { viewport: { width: 1100, height: 820 }, colorScheme: 'light' }, async (page) => {
    await signUpIn(page, server.process.baseUrl)
    const base = page.url().split('?')[0] ?? ''
    await page.goto(`${base}/keys`)
    await page.check('input[name="disbursements.write"]')
    await press(page, 'form.card button[type=submit]')
    const keyed = server.anybody.with({
      'x-api-key': await page.inputValue('#public'),
      'x-api-secret': await page.inputValue('#secret'),
    })
    const [awa, kofi] = [newTag(), newTag()]
    for (const tag of [awa, kofi]) await keyed.post('/v1/biz/test/wallets', { tag })
    await keyed.post('/v1/biz/test/deposits', { amount: 250_000 })
    for (const tag of [awa, kofi]) await keyed.post('/v1/biz/test/deposits', { recipient: tag, amount: 100_000 })
    const pay = async (amount: number, reference: string): Promise<string> => {
      const { body } = await keyed.post<{ token: string }>('/v1/biz/charges', { amount, reference })
      await keyed.post(`/v1/biz/test/charges/${body.token}/pay`, { payer_tag: awa })
      return body.token
    }
    await pay(12_500, 'CMD-118')
    await pay(8000, 'CMD-119')
    const refunded = await pay(3000, 'CMD-120')
    await keyed.post(`/v1/biz/charges/${refunded}/refund`, undefined, { 'idempotency-key': 'refund' })
    await keyed.post('/v1/biz/charges', { amount: 27_000, reference: 'CMD-121' })
    for (const [recipient, amount, reference] of [
      [awa, 15_000, 'PAIE-11'],
      [kofi, 18_500, 'PAIE-11'],
    ] as const) {
      await keyed.post('/v1/biz/payouts', { recipient, amount, reference }, { 'idempotency-key': recipient })
    }
    await page.goto(base)
    const tiles = await page.locator('.tile .big').allTextContents()
    assert.deepEqual(tiles.map(plain), ['237 000 F CFA', '23 500 F CFA', '33 500 F CFA'])
    assert.match(plain(await textOf(page, 'figcaption')), /Encaissé : 23 500 F CFA ?Remboursé : 3 000 F CFA ?Versé : 33 500 F CFA/)
    assert.match(plain(await textOf(page, '.tile:nth-child(2)')), /3 paiements · hier : 0 F CFA · remboursé : 3 000 F CFA/)
    await keepPicture(page, 'dashboard')
    await page.goto(`${base}/disbursements/new`)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.fill('#lines', `@${awa};25 000;PAIE-12\n@${kofi};18 500;PAIE-12\n@personne;9 000;PAIE-12`)
    await press(page, 'form.card button[type=submit]')
    await keepPicture(page, 'dashboard-disbursement')
  })
})
