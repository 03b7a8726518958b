// The poster of a payment link, in a real browser: it fills one sheet of each size.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { MerchantAccount } from '../../engine/contract/merchant-account.ts'
import { logoForm } from '../support/biller-callers.ts'
import { keepPicture, sharedBrowser } from '../support/browser.ts'
import { textOf } from '../support/checkout-steps.ts'
import { signUp as signUpMerchant } from '../support/dashboard-callers.ts'
import { inDashboard, makeLink, press, readable, signUpIn } from '../support/dashboard-steps.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
})

/** Paper by its size without margins of 10 mm, at 96 dots per inch. */
const PAPERS = [
  ['A4', 718, 1047],
  ['A5', 483, 718],
  ['A6', 321, 483],
] as const
const POSTER_ENDS = `({ first: document.querySelector('.poster-head').getBoundingClientRect().top,
  last: document.querySelector('.poster').lastElementChild.getBoundingClientRect().bottom })`

test('the poster fills one sheet of A4, A5 or A6 in black and white, with shop, code and address', async () => {
  await inDashboard(browser, { viewport: { width: 360, height: 640 }, colorScheme: 'dark' }, async (page) => {
    await signUpIn(page, server.process.baseUrl, 'Boutique <b>Awa</b>')
    await makeLink(page, 'Boutique du marché, caisse 1. '.repeat(16), '12 500')
    const url = await page.inputValue('#address')
    await press(page, 'a[href$="/print"]')
    await readable(page, 'link-poster-360')
    assert.equal(await textOf(page, 'h1'), 'Boutique <b>Awa</b>')
    assert.equal(await textOf(page, '.poster-address b'), url.replace('http://', ''))
    assert.match(await textOf(page, '.poster-test'), /aucun argent réel/)
    await page.emulateMedia({ media: 'print' })
    for (const [format, width, height] of PAPERS) {
      await page.setViewportSize({ width, height })
      assert.deepEqual([await page.isVisible('.poster-tools'), await page.isVisible('.bar')], [false, false])
      const colours = 'getComputedStyle(document.querySelector(".poster"))'
      assert.equal(await page.evaluate(`${colours}.color + ${colours}.backgroundColor`), 'rgb(0, 0, 0)rgb(255, 255, 255)')
      const { first, last } = (await page.evaluate(POSTER_ENDS)) as { readonly first: number; readonly last: number }
      assert.ok(first < height / 20 && last > height * 0.95 && last <= height, `${format}: from ${first} to ${last} of ${height}`)
      await keepPicture(page, `link-poster-${format}`)
      const sheet = (await page.pdf({ format, margin: { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' } })).toString('latin1')
      assert.equal(sheet.match(/\/Type\s*\/Page\b/g)?.length, 1, format)
    }
  })
})

test('the poster has the logo of the shop and a band of the chosen colour, which is printed, on one sheet of each size', async () => {
  const owner = await signUpMerchant(server, 'Boutique du marché de Treichville')
  const keyed = await server.keyed(owner.merchantId, 'test', [])
  const sent = await ok(owner.browser.request<MerchantAccount>('POST', '/v1/dashboard/account/logo', logoForm()))
  const seen = { logo_url: sent.body.logo_change?.logo_url ?? '' }
  await ok(server.operator.post(`/v1/operator/merchants/${owner.merchantId}/logo/approve`, seen))
  const link = (await ok(keyed.post<{ id: string }>('/v1/biz/payment-links', { description: 'Caisse 1' }))).body
  await inDashboard(browser, { viewport: { width: 360, height: 640 } }, async (page) => {
    const [name = '', value = ''] = owner.cookie.split('=')
    await page.context().addCookies([{ name, value, url: server.process.baseUrl }])
    await page.goto(`${server.process.baseUrl}/dashboard/test/links/${link.id}/print`)
    await press(page, 'a[href$="colour=green"]')
    await readable(page, 'link-poster-colour-360')
    assert.equal(await page.getAttribute('nav [aria-current]', 'href').then((href) => href?.endsWith('colour=green')), true)
    await page.emulateMedia({ media: 'print' })
    for (const [format, width, height] of PAPERS) {
      await page.setViewportSize({ width, height })
      const head = 'getComputedStyle(document.querySelector(".poster-head"))'
      assert.equal(await page.evaluate(`${head}.backgroundColor + ${head}.printColorAdjust`), 'rgb(11, 95, 65)exact')
      assert.match((await page.getAttribute('.poster-logo img', 'src')) ?? '', /logos\/[0-9a-f]{64}\.png$/)
      const { first, last } = (await page.evaluate(POSTER_ENDS)) as { readonly first: number; readonly last: number }
      assert.ok(first < height / 20 && last > height * 0.95 && last <= height, `${format}: from ${first} to ${last} of ${height}`)
      await keepPicture(page, `link-poster-colour-${format}`)
    }
  })
})
