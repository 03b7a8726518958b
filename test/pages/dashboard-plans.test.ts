// Schedules, webhooks and events on the dashboard, in a real browser.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page, Request } from 'playwright-core'
import { sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { inDashboard, press, readable, readableInBoth, signUpIn } from '../support/dashboard-steps.ts'
import { eventuallyAsync } from '../support/eventually.ts'
import { newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
})

const go = (page: Page, path: string) => press(page, `nav[aria-label="Tableau de bord"] a[href$="/${path}"]`)

describe('schedules', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`schedules are made, paused, resumed and cancelled ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      await inDashboard(browser, { javaScriptEnabled }, async (page) => {
        await signUpIn(page, server.process.baseUrl)
        await go(page, 'schedules')
        await press(page, '.heading a[href$="schedules/new"]')
        await page.fill('#date', '2030-01-31')
        await page.fill('#reference', 'LOYER')
        await page.fill('#lines', `@${newTag()};25 000\n@${newTag()};5000;APPART-2;Janvier`)
        await press(page, 'form.card button[type=submit]')
        if (javaScriptEnabled) await readable(page, 'schedule-check')
        await press(page, 'form[action$="/schedules/edit"] button')
        assert.equal(await page.inputValue('#date'), '2030-01-31')
        await press(page, 'form.card button[type=submit]')
        await press(page, 'form[action$="/schedules"] button')
        assert.equal(await textOf(page, '.heading .badge'), 'Actif')
        assert.match(plain(await textOf(page, '.facts')), /30 000 F CFA en 2 lignes/)
        await press(page, 'form[action$="/pause"] button')
        assert.equal(await textOf(page, '.heading .badge'), 'En pause')
        await press(page, 'form[action$="/resume"] button')
        await page.click('summary:has-text("Annuler")')
        await press(page, '.confirm button')
        assert.equal(await textOf(page, '.heading .badge'), 'Annulé')
        await go(page, 'schedules')
        assert.equal(await page.locator('tbody tr').count(), 1)
      })
    })
  }
})

describe('webhooks', () => {
  test('webhooks are made with their secret shown once, tried, changed and deleted', async () => {
    await inDashboard(browser, { viewport: { width: 360, height: 640 } }, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      const base = page.url().split('?')[0] ?? ''
      await page.goto(`${base}/webhooks`)
      await page.fill('#url', 'https://receiver.invalid/hook')
      await page.fill('#description', '<i>caisse</i>')
      await press(page, 'form.card button[type=submit]')
      assert.match(await page.inputValue('#secret'), /^whsec_/)
      await readable(page, 'webhook-secret')
      await press(page, 'a.button')
      await readable(page, 'webhook')
      await press(page, 'form[action$="/ping"] button')
      await readable(page, 'webhook-pinged')
      await page.goto(`${base}/events`)
      await readable(page, 'events')
      await press(page, 'tbody a')
      assert.match(await textOf(page, 'pre'), /"type": "ping"/)
      await readable(page, 'event')
      await page.goto(`${base}/webhooks`)
      await press(page, 'tbody a')
      await press(page, 'form[action$="/disabled"] button')
      assert.equal(await textOf(page, '.heading .badge'), 'Désactivé')
      await page.click('summary:has-text("Supprimer")')
      await press(page, 'form[action$="/delete"] button')
      assert.match(await textOf(page, '.empty'), /Aucune adresse/)
    })
  })

  test('a page whose deletion is under way is not read again for the news', async () => {
    await inDashboard(browser, {}, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      const base = page.url().split('?')[0] ?? ''
      await page.goto(`${base}/webhooks`)
      await page.fill('#url', 'https://receiver.invalid/hook')
      await press(page, 'form.card button[type=submit]')
      const isReading = (request: Request): boolean => request.resourceType() === 'xhr'
      await Promise.all([page.waitForRequest(isReading), press(page, 'a.button')])
      // The endpoint is gone and its news are sent; the browser gets the answer later than its next reading of the page.
      await page.route('**/delete', async (route) => {
        const answer = await route.fetch({ maxRedirects: 0 })
        await setTimeout(3_500)
        await route.fulfill({ response: answer })
      })
      let readings = 0
      page.on('request', (request) => {
        if (isReading(request)) readings++
      })
      await page.click('summary:has-text("Supprimer")')
      await press(page, 'form[action$="/delete"] button')
      assert.match(await textOf(page, '.empty'), /Aucune adresse/)
      assert.equal(readings, 0)
    })
  })

  test('a page keeps nothing of a reading that has ended', async () => {
    await inDashboard(browser, {}, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      await page.addInitScript(countAbortListeners)
      const base = page.url().split('?')[0] ?? ''
      const isRead = page.waitForEvent('requestfinished', (request) => request.resourceType() === 'xhr')
      await page.goto(`${base}/webhooks`)
      await isRead
      await eventuallyAsync(async () => (await page.evaluate('globalThis.abortListeners')) === 0, 'no listener to be left')
    })
  })
})

describe('every page', () => {
  test('every page fits 360 and 1280 px and is accessible in both themes', async () => {
    await inDashboard(browser, { viewport: { width: 360, height: 640 } }, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      const base = page.url().split('?')[0] ?? ''
      for (const path of ['/schedules', '/schedules/new', '/bills', '/webhooks', '/events']) {
        await page.goto(base + path)
        await readableInBoth(page, `plans${path.replaceAll('/', '-')}`, 'dark')
      }
    })
  })
})

/** Runs in the page: counts the listeners that wait for an abort in `abortListeners`, which is absent before the first. */
function countAbortListeners(): void {
  const counted = globalThis as { abortListeners?: number }
  const { addEventListener, removeEventListener } = AbortSignal.prototype
  AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...listener: Parameters<typeof addEventListener>) {
    counted.abortListeners = (counted.abortListeners ?? 0) + 1
    addEventListener.apply(this, listener)
  }
  AbortSignal.prototype.removeEventListener = function (this: AbortSignal, ...listener: Parameters<typeof removeEventListener>) {
    counted.abortListeners = (counted.abortListeners ?? 0) - 1
    removeEventListener.apply(this, listener)
  }
}
