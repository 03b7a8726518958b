// The merchant as a biller on the dashboard, in a real browser: profile, logo, products with their preview, the review.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { png } from '../billers/pictures.ts'
import { TestHouse } from '../e2e/house.ts'
import { openBrowser, openPage } from './browser.ts'
import { textOf } from './checkout-steps.ts'
import { inDashboard, press, readable, signUpIn } from './dashboard-steps.ts'

let house: TestHouse
let browser: Browser

before(async () => {
  house = await TestHouse.open()
  browser = await openBrowser()
})

after(async () => {
  await browser.close()
  await house.close()
})

const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('a biller', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`is described, has a logo and a product, and is published for tests ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      await inDashboard(browser, { javaScriptEnabled }, async (page) => {
        await signUpIn(page, house.server.baseUrl)
        await press(page, 'nav[aria-label="Tableau de bord"] a[href$="/biller"]')
        await page.fill('#display_name', `Énergie ${javaScriptEnabled ? 'A' : 'B'} ${Date.now()}`)
        await page.selectOption('#category', 'electricity')
        await page.fill('#short_desc', 'Votre facture en un geste.')
        await press(page, 'form[action$="/biller"] button')
        assert.equal(await textOf(page, '.heading .badge'), 'Brouillon')

        await page.setInputFiles('#file', { name: 'logo.png', mimeType: 'image/png', buffer: png(256) })
        await press(page, 'form[enctype] button')
        assert.equal(await page.locator('img.logo').count(), 1)

        await press(page, 'a[href$="/products/new"]')
        await page.fill('#slug', 'forfait')
        await page.fill('#title', HOSTILE)
        const schema = { steps: [{ title: 'Compteur', fields: [{ id: 'compteur', label: HOSTILE, type: 'text', required: true }] }] }
        await page.fill('#schema', JSON.stringify(schema))
        if (!javaScriptEnabled) await press(page, 'button[name=preview]')
        assert.match(await textOf(page, '[data-preview]'), /Compteur.*script.*\*/)
        assert.equal(await page.locator('[data-preview] img').count(), 0)
        await page.fill('#packages', 'Petit;1 000\nGrand;5000')
        await press(page, 'form.card > button:not([name])')
        assert.equal(await textOf(page, '.heading .badge'), 'Actif')
        assert.match(await page.inputValue('#packages'), /Petit;1000;/)

        await press(page, 'form[action$="/deactivate"] button')
        assert.equal(await textOf(page, '.heading .badge'), 'Inactif')
        await press(page, 'form[action$="/activate"] button')

        await press(page, 'nav[aria-label="Tableau de bord"] a[href$="/biller"]')
        await page.click('summary:has-text("Demander la publication")')
        await press(page, 'form[action$="/submit"] button')
        assert.equal(await textOf(page, '.heading .badge'), 'En cours d’examen')
        await press(page, 'form[action$="/approve"] button')
        assert.equal(await textOf(page, '.told'), 'Le facturier est visible des portefeuilles de test.')
      })
    })
  }

  test('is told what is wrong', async () => {
    const { page, context } = await openPage(browser)
    await signUpIn(page, house.server.baseUrl)
    const base = page.url().split('?')[0] ?? ''
    await page.goto(`${base}/biller`)
    await press(page, 'form[action$="/biller"] button')
    assert.match(await textOf(page, '.error'), /nom affiché/)
    await page.goto(`${base}/products/new`)
    await page.fill('#slug', 'forfait')
    await page.fill('#title', 'Forfait')
    await page.fill('#schema', '{"steps": [')
    await press(page, 'form.card > button:not([name])')
    assert.match(await textOf(page, '.error'), /facturier|schéma/)
    assert.equal(await page.inputValue('#schema'), '{"steps": [')
    await context.close()
  })
})

describe('a product', () => {
  test('is tried out, and the log of its code is shown', async () => {
    await inDashboard(browser, {}, async (page) => {
      await signUpIn(page, house.server.baseUrl)
      const base = page.url().split('?')[0] ?? ''
      await page.goto(`${base}/biller`)
      await page.fill('#display_name', `Eau ${Date.now()}`)
      await page.selectOption('#category', 'water')
      await page.fill('#short_desc', 'L’eau de tous.')
      await press(page, 'form[action$="/biller"] button')
      await page.goto(`${base}/products/new`)
      await page.fill('#slug', 'facture')
      await page.fill('#title', 'Facture d’eau')
      await page.selectOption('#amount_mode', 'lookup')
      await page.selectOption('#lookup_integration', 'code')
      await page.fill(
        '#lookup_code',
        'function lookup(args) { console.log("compteur", args.fields.compteur); return { ok: true, amount: 4500 } }',
      )
      await page.selectOption('#fulfillment_mode', 'code')
      await page.fill('#fulfillment_code', 'function onPaid(ctx) { throw new Error("<b>plus de stock</b>") }')
      await press(page, 'form.card > button:not([name])')
      await press(page, 'a[href$="/try"]')
      await page.fill('#fields', '{"compteur": "01234567890"}')
      await press(page, 'form[action$="try-lookup"] button')
      assert.match(await textOf(page, '[role=status] pre'), /"amount": 4500/)
      await press(page, 'form[action$="try-fulfillment"] button')
      assert.match(await textOf(page, '[role=status] pre'), /plus de stock/)
      assert.equal(await page.locator('details.operation').count(), 2)
      for (const summary of await page.locator('details.operation summary').all()) await summary.click()
      assert.match(await textOf(page, 'main'), /compteur 01234567890/)
      await readable(page, 'trial')
    })
  })
})

describe('every page', () => {
  for (const [width, height, colorScheme] of [
    [360, 640, 'light'],
    [1280, 800, 'dark'],
  ] as const) {
    test(`fits ${width} px and is accessible: ${colorScheme}`, async () => {
      await inDashboard(browser, { viewport: { width, height }, colorScheme }, async (page) => {
        await signUpIn(page, house.server.baseUrl)
        const base = page.url().split('?')[0] ?? ''
        for (const path of ['/biller', '/products/new', '/api']) {
          await page.goto(base + path)
          await readable(page, `biller${path.replaceAll('/', '-')}-${width}`)
        }
        await page.goto(`${base}/biller`)
        await page.fill('#display_name', HOSTILE)
        await page.fill('#short_desc', HOSTILE)
        await press(page, 'form[action$="/biller"] button')
        await readable(page, `biller-hostile-${width}`)
      })
    })
  }
})
