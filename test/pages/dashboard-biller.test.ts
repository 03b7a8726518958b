// The merchant as a biller on the dashboard, in a real browser: profile, logo, products with their preview, the review.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openPage, sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { inDashboard, press, readable, readableInBoth, signUpIn } from '../support/dashboard-steps.ts'
import { png } from '../support/pictures.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
})

/** The first button is for the enter key, and out of sight. */
const SAVE = 'form.card > button:not([name]):not(.unseen)'
const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

/** Waits until a button of the editor has done its work, which loads no page. */
async function inPlace(page: Page, act: () => Promise<void>): Promise<void> {
  await page.evaluate('document.querySelector("[data-editor]").dataset.old = "yes"')
  await act()
  await page.waitForSelector('[data-editor]:not([data-old])')
}

const editInPlace = (page: Page, selector: string): Promise<void> => inPlace(page, () => page.click(selector))

const inputs = async (page: Page, selector: string): Promise<string[]> =>
  Promise.all((await page.locator(selector).all()).map((input) => input.inputValue()))

describe('a biller', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`a biller is described, has a logo and a product, and is published for tests ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      await inDashboard(browser, { javaScriptEnabled }, async (page) => {
        await signUpIn(page, server.process.baseUrl)
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
        const edit = (selector: string) => (javaScriptEnabled ? editInPlace(page, selector) : press(page, selector))
        await page.fill('#step-0-title', 'Compteur')
        await page.fill('#field-0-label', HOSTILE)
        await edit('#step-0-add')
        await page.fill('#field-1-label', 'Quartier')
        await page.selectOption('#field-1-type', 'select')
        await page.fill('#field-1-options', 'Cocody;CO\nYopougon')
        await edit('#add-step')
        await page.fill('#step-1-title', 'Vous')
        await page.fill('#field-2-label', 'Téléphone')
        await page.selectOption('#field-2-type', 'phone')
        await edit('#field-1-up')
        assert.deepEqual(await inputs(page, '[id^=field][id$=-label]'), ['Quartier', HOSTILE, 'Téléphone'])
        await edit('#field-2-up')
        await edit('#step-1-drop')
        await page.fill('#packages', 'Petit;1 000\nGrand;5000')
        await edit('#refresh')
        assert.match(
          plain(await textOf(page, '[data-preview]')),
          /script.*Compteur Quartier \*.*CocodyYopougon.*script.*\*.*Téléphone \*.*Petit, 1 000 F CFA/,
        )
        assert.equal(await page.locator('[data-preview] img').count(), 0)
        await press(page, SAVE)
        assert.equal(await textOf(page, '.heading .badge'), 'Actif')
        assert.match(await page.inputValue('#packages'), /Petit;1000;petit\r?\nGrand;5000;grand/)

        await press(page, 'form[action$="/deactivate"] button')
        assert.equal(await textOf(page, '.heading .badge'), 'Inactif')
        await press(page, 'form[action$="/activate"] button')

        await press(page, 'nav[aria-label="Tableau de bord"] a[href$="/biller"]')
        await page.click('summary:has-text("Demander la publication")')
        await press(page, 'form[action$="/submit"] button')
        assert.equal(await textOf(page, '.heading .badge'), 'En cours d’examen')
        await press(page, 'form[action$="/approve"] button')
        assert.equal(await textOf(page, '.notice'), 'Le facturier est visible des portefeuilles de test.')
      })
    })
  }

  test('a biller sees what is wrong', async () => {
    const { page, context } = await openPage(browser)
    await signUpIn(page, server.process.baseUrl)
    const base = page.url().split('?')[0] ?? ''
    await page.goto(`${base}/biller`)
    await press(page, 'form[action$="/biller"] button')
    assert.match(await textOf(page, '.error'), /nom affiché/)
    await page.goto(`${base}/products/new`)
    await page.fill('#slug', 'forfait')
    await page.fill('#title', 'Forfait')
    await page.click('summary:has-text("JSON")')
    await page.fill('#schema', '{"steps": [')
    await press(page, SAVE)
    assert.match(await textOf(page, 'p.error'), /schéma/)
    assert.equal(await page.inputValue('#schema'), '{"steps": [')
    await context.close()
  })

  test('a biller sees the error at the wrong input, and reaches everything by keyboard', async () => {
    const { page, context } = await openPage(browser)
    await signUpIn(page, server.process.baseUrl)
    const base = page.url().split('?')[0] ?? ''
    await page.goto(`${base}/biller`)
    await page.fill('#display_name', `Gaz ${Date.now()}`)
    await page.fill('#short_desc', 'Le gaz de tous.')
    await press(page, 'form[action$="/biller"] button')
    await page.goto(`${base}/products/new`)
    await page.fill('#slug', 'gaz')
    await page.fill('#title', 'Gaz')
    for (const [input, value, told] of [
      ['#packages', 'Petit;1000\nGrand;mille', /^Ligne 2/],
      ['#field-0-pattern', '(', /expression régulière/],
      ['#field-0-label', '', /identifiant et un libellé/],
    ] as const) {
      await page.evaluate('for (const one of document.querySelectorAll(".rows details")) one.open = true')
      const before = await page.inputValue(input)
      await page.fill(input, value)
      await press(page, SAVE)
      await page.waitForSelector(`${input}:focus`)
      assert.match(await textOf(page, `${input} + .error`), told)
      await page.fill(input, before)
    }
    await page.focus('#step-0-add')
    await inPlace(page, () => page.keyboard.press('Enter'))
    await page.keyboard.type('Bonbonne')
    await page.click('details:not([open]) > summary:has-text("JSON")')
    await page.fill('#schema', '{"steps": []}')
    await press(page, SAVE)
    assert.match(await textOf(page, '#schema-error'), /modifiés tous les deux/)
    assert.equal(await page.inputValue('#field-1-label'), 'Bonbonne')
    await editInPlace(page, 'button[value=rows]')
    assert.match(await page.inputValue('#schema'), /"id": "bonbonne"/)
    await page.focus('#title')
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    assert.match(page.url(), /products\/gaz\?ok=product_saved$/)
    assert.deepEqual(await inputs(page, '[id^=field][id$="-id"]'), ['numero_de_compteur', 'bonbonne'])
    await readable(page, 'product-editor')
    await context.close()
  })
})

describe('a product', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`its code begins with a template ${javaScriptEnabled ? 'with' : 'without'} a script, and a page says what code may use`, async () => {
      await inDashboard(browser, { javaScriptEnabled, viewport: { width: 360, height: 800 } }, async (page) => {
        await signUpIn(page, server.process.baseUrl)
        const base = page.url().split('?')[0] ?? ''
        await page.goto(`${base}/products/new`)
        await page.selectOption('#amount_mode', 'lookup')
        await page.selectOption('#lookup_integration', 'code')
        await page.click('.only-code summary')
        await press(page, 'button[value="lookup-hmac"]')
        assert.match(await page.inputValue('#lookup_code'), /async function signature/)
        assert.match(await textOf(page, '[data-notice]'), /Modèle mis en place/)
        if (javaScriptEnabled) await readable(page, 'product-template')
        await page.click('.only-code summary')
        await press(page, '.only-code a[href$="/code"]')
        assert.equal(await textOf(page, 'h1'), 'Code hébergé')
        if (javaScriptEnabled) await readable(page, 'code-guide')
      })
    })
  }

  test('a product is tried out, and the log of its code is shown', async () => {
    const { page, context, faults } = await openPage(browser, { reducedMotion: 'reduce' })
    let postponed = 0
    try {
      await signUpIn(page, server.process.baseUrl)
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
        'function lookup(args) { console.log("compteur", args.fields.numero_de_compteur); return { ok: true, amount: 4500 } }',
      )
      await page.selectOption('#fulfillment_mode', 'code')
      await page.fill('#fulfillment_code', 'function onPaid(ctx) { throw new Error("<b>plus de stock</b>") }')
      await press(page, SAVE)
      // A full machine has no time for the check of the code: the page says so and keeps the form.
      for (; /indisponible/.test(await textOf(page, 'main')); postponed++) await press(page, SAVE)
      await press(page, 'a[href$="/try"]')
      await page.fill('#lookup-0', '01234567890')
      await press(page, 'form[action$="try-lookup"] button')
      assert.match(await textOf(page, '[role=status] pre'), /"amount": 4500/)
      assert.match(plain(await textOf(page, '[role=status]')), /Ce que voit le client ?4 500 F CFA ?Payer 4 500 F CFA/)
      await press(page, 'form[action$="try-fulfillment"] button')
      assert.match(await textOf(page, '[role=status] pre'), /plus de stock/)
      assert.equal(await page.locator('details.operation').count(), 2)
      for (const summary of await page.locator('details.operation summary').all()) await summary.click()
      assert.match(await textOf(page, 'main'), /compteur 01234567890/)
      await readable(page, 'trial')
      const unexpected = faults.filter((fault) => !/ status of (400|503) /.test(fault))
      assert.deepEqual([unexpected, faults.length], [[], postponed])
    } finally {
      await context.close()
    }
  })
})

describe('every page', () => {
  test('every page fits 360 and 1280 px and is accessible in both themes', async () => {
    await inDashboard(browser, { viewport: { width: 360, height: 640 } }, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      const base = page.url().split('?')[0] ?? ''
      for (const path of ['/biller', '/products/new', '/api']) {
        await page.goto(base + path)
        await readableInBoth(page, `biller${path.replaceAll('/', '-')}`)
      }
      await page.goto(`${base}/biller`)
      await page.fill('#display_name', HOSTILE)
      await page.fill('#short_desc', HOSTILE)
      await press(page, 'form[action$="/biller"] button')
      await readableInBoth(page, 'biller-hostile')
    })
  })
})
