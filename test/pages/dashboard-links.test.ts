// Payment links on the dashboard, and pages that follow the merchant's events, in a real browser.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page, Request } from 'playwright-core'
import type { PaymentLink } from '../../engine/contract/payment-link.ts'
import { openPage, sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import type { Client } from '../support/client.ts'
import { type Owner, signUp as signUpMerchant } from '../support/dashboard-callers.ts'
import { inDashboard, makeLink, press, readable, readableInBoth, signUpIn } from '../support/dashboard-steps.ts'
import { joined } from '../support/member-callers.ts'
import { askPage } from '../support/raw-page.ts'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
})

const NAV = 'nav[aria-label="Tableau de bord"]'

describe('payment links', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`a link is made, shown, shared and closed ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      await inDashboard(browser, { javaScriptEnabled }, async (page) => {
        await signUpIn(page, server.process.baseUrl)
        await press(page, `${NAV} a[href$="/links"]`)
        await press(page, '.heading a[href$="links/new"]')
        await page.fill('#description', 'Caisse 1')
        await page.fill('#amount', '2 000')
        await page.fill('#max_payments', '5')
        await page.fill('#date', '2030-12-31')
        await page.fill('#time', '18:30')
        await press(page, 'form.card button[type=submit]')
        assert.equal(await textOf(page, '.heading .badge'), 'Actif')
        assert.match(await textOf(page, '.facts'), /Expire\s*31 déc\. 2030, 18:30/)
        const url = await page.inputValue('#address')
        assert.match(url, /\/l\/[\w-]{12}$/)
        assert.equal(await page.evaluate('document.querySelector("img.code").naturalWidth > 0'), true)
        assert.equal(await page.isVisible('[data-copy]'), javaScriptEnabled)
        for (const [selector, start] of [
          ['a[href^="https://wa.me/"]', 'https://wa.me/?text='],
          ['a[href^="sms:"]', 'sms:?body='],
        ] as const) {
          const address = (await page.getAttribute(selector, 'href')) ?? ''
          assert.ok(address.startsWith(start))
          const text = decodeURIComponent(address.slice(start.length))
          assert.equal(plain(text), `Payer 2 000 F CFA à Boutique Awa (Caisse 1) : ${url}`)
        }
        await page.click('summary:has-text("Fermer le lien")')
        await press(page, '.confirm button')
        assert.equal(await textOf(page, '.heading .badge'), 'Fermé')
        assert.equal(await page.locator('img.code').count(), 0)
        await press(page, `${NAV} a[href$="/links"]`)
        const cells = await page.locator('tbody td').allTextContents()
        assert.deepEqual(cells.slice(0, 5).map(plain), ['Caisse 1', 'Fermé', '2 000 F CFA', '0 F CFA', '0 sur 5'])
        assert.equal((await page.request.get(url)).status(), 200)
      })
    })
  }

  test('the form says which field is wrong, and keeps what was typed', async () => {
    const { page, context } = await openPage(browser, { viewport: { width: 360, height: 640 } })
    await signUpIn(page, server.process.baseUrl)
    await makeLink(page, 'Caisse 1', 'deux mille')
    assert.match(await textOf(page, '#amount-error'), /montant entier/)
    assert.equal(await page.inputValue('#description'), 'Caisse 1')
    await page.fill('#amount', '')
    await page.fill('#date', '2020-01-31')
    await press(page, 'form.card button[type=submit]')
    assert.match(await textOf(page, '#date-error'), /dans le futur/)
    assert.equal(await page.inputValue('#date'), '2020-01-31')
    await readable(page, 'links-error-360')
    await context.close()
  })

  test('the copy button puts the address into the clipboard and says so', async () => {
    await inDashboard(browser, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      await makeLink(page, 'Caisse 1')
      await page.click('[data-copy]')
      await page
        .locator('[data-copied]')
        .filter({ hasText: /^Le texte est copié\.$/ })
        .waitFor({ state: 'attached' })
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), await page.inputValue('#address'))
    })
  })

  test('every page of links fits 360 and 1280 px and is accessible in both themes', async () => {
    await inDashboard(browser, { viewport: { width: 360, height: 640 } }, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      await makeLink(page, '"><script>alert(1)</script>')
      await readableInBoth(page, 'link')
      const base = page.url().replace(/\/links.*$/, '/links')
      for (const path of ['', '/new', '?state=active']) {
        await page.goto(base + path)
        await readableInBoth(page, `links${path.replaceAll(/\W/g, '-')}`)
      }
    })
  })

  test('a cashier makes and closes links, a viewer reads them', async () => {
    const owner = await signUpMerchant(server)
    const at = async (cookie: string, steps: (page: Page) => Promise<void>): Promise<void> => {
      const [name = '', value = ''] = cookie.split('=', 2)
      const storageState = { cookies: [{ name, value, ...COOKIE }], origins: [] }
      await inDashboard(browser, { storageState, javaScriptEnabled: false }, async (page) => {
        await page.goto(`${server.process.baseUrl}/dashboard/test`)
        await steps(page)
      })
    }
    const { cookie: cashier } = await joined(server, owner, 'cashier')
    await at(cashier, async (page) => {
      await makeLink(page, 'Caisse 2')
      await page.click('summary:has-text("Fermer le lien")')
      await press(page, '.confirm button')
      assert.equal(await textOf(page, '.heading .badge'), 'Fermé')
    })
    const { cookie: viewer } = await joined(server, owner, 'viewer')
    await at(viewer, async (page) => {
      await press(page, `${NAV} a[href$="/links"]`)
      assert.match(await textOf(page, 'tbody'), /Caisse 2/)
      assert.equal((await page.request.get(`${page.url()}.csv`)).status(), 200)
    })
  })
})

/** A client with a test key of the owner's merchant. */
async function keyed({ browser: owner }: Owner): Promise<Client> {
  const form = { environment: 'test', scopes: ['disbursements.write'], label: '' }
  const { body } = await ok(owner.post<{ public_key: string; secret_key: string }>('/v1/dashboard/api-keys', form))
  return server.anybody.with({ 'x-api-key': body.public_key, 'x-api-secret': body.secret_key })
}

const COOKIE = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' } as const

describe('pages that follow events', () => {
  test('lists, records and the home page show what changes without a reload, by one connection each', async () => {
    await inDashboard(browser, {}, async (page) => {
      const owner = await signUpMerchant(server)
      const [name = '', value = ''] = owner.cookie.split('=', 2)
      await page.context().addCookies([{ name, value, ...COOKIE }])
      const api = await keyed(owner)
      const tag = newTag()
      await ok(api.post('/v1/biz/test/wallets', { tag }))
      await ok(api.post('/v1/biz/test/deposits', { amount: 10_000 }))
      await ok(api.post('/v1/biz/test/deposits', { recipient: tag, amount: 10_000 }))
      const base = `${server.process.baseUrl}/dashboard/test`
      const charged = async (): Promise<string> => (await ok(api.post<{ token: string }>('/v1/biz/charges', { amount: 500 }))).body.token
      const pay = (token: string) => ok(api.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: tag }))
      const shown = async (path: string, act: () => Promise<unknown>, selector: string, words: RegExp): Promise<void> => {
        let streams = 0
        let loads = 0
        const onRequest = (request: Request): void => {
          if (request.url().endsWith('/news')) streams++
        }
        const onLoad = (): void => {
          loads++
        }
        page.on('request', onRequest)
        const opened = page.waitForResponse((response) => response.url().endsWith('/news'))
        await page.goto(base + path)
        page.on('load', onLoad)
        assert.equal((await opened).status(), 200)
        await act()
        await page.locator(selector).filter({ hasText: words }).first().waitFor()
        page.off('request', onRequest)
        page.off('load', onLoad)
        assert.deepEqual([streams, loads], [1, 0], path)
      }
      const first = await charged()
      await shown(`/charges/${first}`, () => pay(first), '.heading .badge', /Payé/)
      assert.equal(await textOf(page, '[data-changed]'), await textOf(page, '[data-live=title]'))
      assert.equal(await page.locator('img.code').count(), 0)
      const second = await charged()
      await shown('/charges', () => pay(second), 'tbody tr', /Payé/)
      await shown('/payouts', () => ok(api.post('/v1/biz/payouts', { recipient: tag, amount: 77 }, newKey())), '.content', /77\sF\sCFA/)
      const { body: link } = await ok(api.post<PaymentLink>('/v1/biz/payment-links', { description: 'Caisse 1' }))
      const byLink = async (): Promise<void> => {
        const { location } = await askPage(server.process.baseUrl, new URL(link.url).pathname, { form: { amount: '333' } })
        await pay(location.split('/').at(-1) ?? '')
      }
      await shown(`/links/${link.id}`, byLink, '.facts', /333\sF\sCFA/)
      const third = await charged()
      await shown('', () => pay(third), '.tiles', /4\spaiements/)
      const make = async (path: string, body: object): Promise<string> =>
        (await ok(api.post<{ id: string }>(`/v1/biz/${path}`, body, newKey()))).body.id
      const act = (path: string, body: object = {}) => ok(api.post(`/v1/biz/${path}`, body))
      const topUp = await make('top-ups', { amount: 900 })
      await shown(`/top-ups/${topUp}`, () => act(`test/top-ups/${topUp}/confirm`), '.heading .badge', /Crédité/)
      const withdrawal = await make('withdrawals', { amount: 900, destination: { kind: 'bank', name: 'Awa', account: 'SN08 0001' } })
      await shown('/withdrawals', () => act(`test/withdrawals/${withdrawal}/pay`), 'tbody tr', /Payé/)
      await shown('', () => act('test/deposits', { amount: 5_000_000 }), '.tiles', /5\s01\d\s\d{3}\sF\sCFA/)
      const endpoint = await make('webhook-endpoints', { url: 'https://127.0.0.1:1/hook', events: ['charge.succeeded'] })
      await shown(`/webhooks/${endpoint}`, () => act(`webhook-endpoints/${endpoint}/ping`), '[data-live=attempts] tbody tr', /\d/)
    })
  })

  test('a page without a stream tries again ever less often, and is up to date once it has one', async () => {
    await inDashboard(browser, {}, async (page) => {
      await page.clock.install()
      await signUpIn(page, server.process.baseUrl)
      const charges = `${new URL(page.url()).origin}/dashboard/test/charges`
      let requests = 0
      await page.route('**/news', (route) => {
        requests++
        return route.fulfill({ status: 204 })
      })
      await page.goto(charges)
      let elapsedMs = 0
      const pass = async (): Promise<void> => {
        await page.clock.runFor(500)
        elapsedMs += 500
      }
      while (requests < 5) await pass()
      // The delays are 2, 4, 8 and 16 s at least. The first request may have been sent during the last step.
      assert.ok(elapsedMs >= 29_500, `${elapsedMs} ms`)
      await page.unroute('**/news')
      const other = await page.context().newPage()
      await other.goto(`${charges}/new`)
      await other.fill('#amount', '4321')
      await press(other, 'form.card button[type=submit]')
      await other.close()
      while (
        (await page
          .locator('tbody')
          .filter({ hasText: /4\s321\sF\sCFA/ })
          .count()) === 0
      )
        await pass()
    })
  })

  test('a page that is hidden has no connection', async () => {
    await inDashboard(browser, {}, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      const turn = (isHidden: boolean) =>
        page.evaluate(
          `Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} }); document.dispatchEvent(new Event('visibilitychange'))`,
        )
      const isNews = (request: { url(): string }): boolean => request.url().endsWith('/news')
      await Promise.all([page.waitForResponse(isNews), page.reload()])
      await Promise.all([page.waitForEvent('requestfailed', isNews), turn(true)])
      await Promise.all([page.waitForResponse(isNews), turn(false)])
    })
  })
})
