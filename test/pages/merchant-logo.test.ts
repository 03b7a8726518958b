// The logo of a merchant in a real browser: a photo from a phone becomes a small square, the desk reviews it, customers see it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { sharedBrowser } from '../support/browser.ts'
import { textOf } from '../support/checkout-steps.ts'
import { type Owner, signUp } from '../support/dashboard-callers.ts'
import { inDashboard, press, readable, readableInBoth } from '../support/dashboard-steps.ts'
import { eventuallyAsync } from '../support/eventually.ts'
import { type DeskSession, deskSession } from '../support/operator-steps.ts'
import { askPage } from '../support/raw-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let browser: Browser
let desk: DeskSession

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
  desk = await deskSession(server)
})

/** A photo: noise, which no PNG makes small. */
const PHOTO = `(() => {
  const canvas = document.createElement('canvas')
  ;[canvas.width, canvas.height] = [900, 600]
  const image = new ImageData(900, 600)
  for (let at = 0, noise = 1; at < image.data.length; at++) {
    noise = (Math.imul(noise, 1103515245) + 12345) >>> 0
    image.data[at] = at % 4 === 3 ? 255 : noise >>> 24
  }
  canvas.getContext('2d').putImageData(image, 0, 0)
  return canvas.toDataURL('image/png').split(',')[1]
})()`

async function inAs(owner: Owner, width: number, steps: Parameters<typeof inDashboard>[2]): Promise<void> {
  await inDashboard(browser, { viewport: { width, height: 800 } }, async (page) => {
    const [name = '', value = ''] = owner.cookie.split('=')
    await page.context().addCookies([{ name, value, url: server.process.baseUrl }])
    await steps(page)
  })
}

test('a photo from a phone becomes a logo that the desk reviews and customers see where they pay', async () => {
  const { baseUrl } = server.process
  const owner = await signUp(server, 'Boutique Fanta')
  await ok(owner.browser.request('PUT', '/v1/dashboard/account', { json: { address: '12 rue Félix Faure, Dakar' } }))
  await inAs(owner, 360, async (page) => {
    await page.goto(`${baseUrl}/dashboard/live/account`)
    assert.match(await textOf(page, '#file-hint'), /garde le carré du milieu/)
    const photo = Buffer.from(String(await page.evaluate(PHOTO)), 'base64')
    assert.ok(photo.length > 200_000)
    await page.setInputFiles('#file', { name: 'photo.png', mimeType: 'image/png', buffer: photo })
    await eventuallyAsync(
      async () => Number(await page.evaluate('document.querySelector("#file").files[0].size')) <= 32_768,
      'the photo is made smaller',
    )
    assert.equal(await page.isVisible('canvas.logo'), true)
    await press(page, 'form[action$="account/logo"] button')
    assert.match(await textOf(page, 'main'), /Votre logo est envoyé/)
    assert.equal(await page.locator('img.logo').count(), 1)
    await readable(page, 'account-logo-360')
  })
  const cards = await askPage(baseUrl, '/operator/requests', { headers: desk.headers })
  assert.match(cards.text, new RegExp(`id="l-${owner.merchantId}"[\\s\\S]*Boutique Fanta[\\s\\S]*class="logo"`))
  const home = await askPage(baseUrl, '/operator', { headers: desk.headers })
  assert.match(home.text, new RegExp(`requests#l-${owner.merchantId}[\\s\\S]*Nouveau logo à vérifier`))
  const logo_url = /name="logo_url" value="([^"]+)"/.exec(cards.text.slice(cards.text.indexOf(`id="l-${owner.merchantId}"`)))?.[1] ?? ''
  const headers = { ...desk.headers, origin: baseUrl }
  const path = `/operator/requests/logos/${owner.merchantId}/approve`
  assert.equal((await askPage(baseUrl, path, { headers, form: { csrf: desk.csrf, logo_url } })).status, 303)
  const keyed = await server.keyed(owner.merchantId, 'test', [])
  const { checkout_url } = (await ok(keyed.post<{ checkout_url: string }>('/v1/biz/charges', { amount: 12_500 }))).body
  const { url } = (await ok(keyed.post<{ url: string }>('/v1/biz/payment-links', { description: 'Caisse 1' }))).body
  for (const [address, name] of [
    [checkout_url, 'checkout-logo'],
    [url, 'link-logo'],
  ] as const) {
    await inAs(owner, 360, async (page) => {
      await page.goto(new URL(new URL(address).pathname, baseUrl).href)
      assert.equal(await textOf(page, '.shop'), '12 rue Félix Faure, Dakar')
      assert.equal(await page.evaluate('document.querySelector(".shop img").naturalWidth'), 256)
      await readableInBoth(page, name)
    })
  }
})
