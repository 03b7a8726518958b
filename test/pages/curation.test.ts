// How a merchant becomes a published biller through the operator's desk: the queue, what changed side by side, every
// decision, logos; what was not seen is not approved, and all that merchants and operators write stays text.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { makeProduct } from '../support/bill-callers.ts'
import { openBiller, PROFILE, put, upload } from '../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../support/biller-engine.ts'
import { assertAccessible, assertFits, inBothLooks, keepPicture, sharedBrowser } from '../support/browser.ts'
import { textOf } from '../support/checkout-steps.ts'
import { sendForm } from '../support/forms.ts'
import { deskSession, follow, onDesk } from '../support/operator-steps.ts'
import { plainPng } from '../support/pictures.ts'
import { askPage, hidden } from '../support/raw-page.ts'
import type { Merchant, TestServer } from '../support/server-fixture.ts'
import { ownServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await ownServer()
  browser = await sharedBrowser()
})

after(async () => {
  await server?.close()
})

const WAYS = [
  ['without a script', { javaScriptEnabled: false }, 'Gao'],
  ['with a script', {}, 'Mopti'],
] as const satisfies readonly (readonly [string, BrowserContextOptions, string])[]

const stateOf = async ({ test: client }: Merchant): Promise<unknown> => (await client.get('/v1/biz/biller')).body.directory_state

async function fresh(name: string): Promise<{ readonly merchant: Merchant; readonly slug: string }> {
  const merchant = await server.merchant(`${name} SA`)
  const { body } = await put(merchant.test, { ...PROFILE, display_name: name })
  await upload(merchant.test, plainPng(128, [10, 100, 200]))
  const product = await merchant.test.post('/v1/biz/biller/products', { slug: 'facture', ...GOOD_PRODUCTS.user })
  assert.equal(product.status, 201, product.text)
  assert.equal((await merchant.test.post('/v1/biz/biller/submit', undefined)).status, 200)
  return { merchant, slug: body.slug }
}

for (const [way, options, town] of WAYS) {
  test(`a merchant is refused, corrects, is published, changes its logo, is suspended and reinstated: ${way}`, async () => {
    const { merchant, slug } = await fresh(`Sahel ${town}`)
    await onDesk(server, browser, options, async (page) => {
      await follow(page, 'Facturiers')
      await follow(page, `Sahel ${town}`)
      assert.match(await textOf(page, 'main'), /Première demande/)
      await sendForm(page, `${slug}/reject`)
      assert.match(await textOf(page, '.error'), /Saisissez un motif/)
      assert.equal(await stateOf(merchant), 'in_review')
      await sendForm(page, `${slug}/reject`, { reason: 'Le nom est trop <b>vague</b>.\nChangez-le.' })
      assert.equal(await textOf(page, '.said'), 'Refusé : le marchand lira le motif.')
      assert.equal((await merchant.test.get('/v1/biz/biller')).body.reject_reason, 'Le nom est trop <b>vague</b>.\nChangez-le.')
      assert.equal(await page.locator('form.card').count(), 0, 'nothing more to decide')

      await put(merchant.test, { ...PROFILE, display_name: `Énergie ${town}` })
      await put(merchant.test, { ...GOOD_PRODUCTS.user, title: 'Nouvelle facture' }, '/v1/biz/biller/products/facture')
      assert.equal((await merchant.test.post('/v1/biz/biller/submit', undefined)).status, 200)
      await page.reload()
      assert.match(await textOf(page, 'tr:has(th:text("Nom"))'), new RegExp(`modifié ?Sahel ${town}Énergie ${town}`))
      assert.doesNotMatch(await textOf(page, 'tr:has(th:text("Catégorie"))'), /modifié/)
      assert.match(await textOf(page, 'details summary'), /1 ligne modifiée/)
      assert.match(await textOf(page, 'details tr:has(th:text("Titre"))'), /Nouvelle facture$/)
      await keepPicture(page, 'curation-compared')
      await sendForm(page, `${slug}/approve`)
      assert.equal(await textOf(page, '.said'), 'Approuvé : l’annuaire le montre.')
      assert.equal(await stateOf(merchant), 'published')

      await upload(merchant.test, plainPng(128, [200, 50, 0]))
      await follow(page, 'Facturiers')
      await page.click(`.plain >> text="Énergie ${town}"`)
      await page.waitForSelector('img.logo')
      assert.equal(await page.locator('img[alt="Logo en attente"]').count(), 1)
      // Fails for a picture that the page's policy or the server keeps back.
      await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
      await sendForm(page, `${slug}/logo-approve`)
      assert.equal(await textOf(page, '.said'), 'Logo approuvé.')
      assert.equal((await merchant.test.get('/v1/biz/biller')).body.pending_logo_url, null)

      await sendForm(page, `${slug}/suspend`, { reason: 'Plaintes de clients.' })
      assert.equal(await stateOf(merchant), 'suspended')
      assert.match(await textOf(page, '.facts'), /Plaintes de clients\./)
      await sendForm(page, `${slug}/reinstate`)
      assert.equal(await stateOf(merchant), 'published')
      await follow(page, 'Journal')
      const journal = await textOf(page, 'tbody')
      for (const action of ['refusé', 'approuvé', 'suspendu', 'rétabli']) assert.match(journal, new RegExp(`Facturier ${action}`))
    })
  })
}

describe('what was not seen', () => {
  test('what was not seen is not approved', async () => {
    const { merchant, slug } = await fresh('Vite Changé')
    await onDesk(server, browser, {}, async (page) => {
      await page.goto(`${server.process.baseUrl}/operator/billers/${slug}`)
      await put(merchant.test, { ...PROFILE, display_name: 'Tout Autre Chose' })
      await sendForm(page, `${slug}/approve`)
      assert.match(await textOf(page, '.said'), /Rien n’a été décidé/)
      assert.equal(await stateOf(merchant), 'in_review')
      assert.equal(await textOf(page, 'h1 bdi'), 'Tout Autre Chose')
      await sendForm(page, `${slug}/approve`)
      assert.equal(await stateOf(merchant), 'published')
      await upload(merchant.test, plainPng(128, [1, 2, 3]))
      await page.reload()
      await upload(merchant.test, plainPng(128, [3, 2, 1]))
      await sendForm(page, `${slug}/logo-approve`)
      assert.match(await textOf(page, '.said'), /Rien n’a été décidé/)
      assert.notEqual((await merchant.test.get('/v1/biz/biller')).body.pending_logo_url, null)
    })
  })

  test('a decision sent three times at once is one', async () => {
    const { merchant, slug } = await fresh('Trois Fois')
    const { headers, csrf } = await deskSession(server)
    const path = `/operator/billers/${slug}`
    const page = await askPage(server.process.baseUrl, path, { headers })
    const form = { csrf, key: hidden(page.text, 'key'), submitted_at: hidden(page.text, 'submitted_at') }
    const answers = await Promise.all([1, 2, 3].map(() => askPage(server.process.baseUrl, `${path}/approve`, { headers, form })))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]))
    assert.equal(await stateOf(merchant), 'published')
    const { body } = await server.operator.get<{ data: { action: string; target: string }[] }>('/v1/operator/audit?limit=100')
    assert.equal(body.data.filter(({ action, target }) => action === 'biller.approve' && target === slug).length, 1)
  })

  test('a decision without the session’s token, or on an unknown biller, changes nothing', async () => {
    const { merchant, slug } = await fresh('Sans Jeton')
    const { headers, csrf } = await deskSession(server)
    for (const action of ['approve', 'reject', 'suspend', 'reinstate', 'logo-approve', 'logo-reject']) {
      const path = `/operator/billers/${slug}/${action}`
      assert.equal((await askPage(server.process.baseUrl, path, { headers, form: { csrf: 'x', reason: 'Non.' } })).status, 403, action)
      assert.match((await askPage(server.process.baseUrl, path, { form: { csrf, reason: 'Non.' } })).location, /operator\/login$/)
    }
    assert.equal(await stateOf(merchant), 'in_review')
    assert.equal((await askPage(server.process.baseUrl, '/operator/billers/personne', { headers })).status, 404)
    assert.equal((await askPage(server.process.baseUrl, '/operator/billers/%3Cscript%3E', { headers })).status, 404)
  })
})

describe('every view', () => {
  const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

  const MOBILE: BrowserContextOptions = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, reducedMotion: 'reduce' }

  test('every view fits, is accessible and keeps harm to itself at 360 and 1280 px, in both themes', async () => {
    const { merchant, slug } = await fresh('Vue')
    const saved = await put(merchant.test, { display_name: HOSTILE, category: 'water', short_desc: `${HOSTILE}\n${'w'.repeat(300)}` })
    assert.equal(saved.status, 200, saved.text)
    const code = { fulfillment_mode: 'code', fulfillment_code: 'function onPaid() {\n    return 1\n}' }
    const lookup = { ...GOOD_PRODUCTS.lookup, ...code, title: HOSTILE }
    await makeProduct(merchant.test, 'p'.repeat(60), lookup)
    const other = await openBiller(server, 'published', await server.merchant(HOSTILE))
    const look = (page: Page, view: string): Promise<void> =>
      inBothLooks(page, 'dark', async ({ width, theme }) => {
        await assertFits(page)
        await assertAccessible(page)
        assert.equal(await page.evaluate('document.querySelectorAll("main script, main img:not(.logo)").length'), 0)
        await keepPicture(page, `curation-${view}-${width}-${theme}`)
      })
    await onDesk(server, browser, MOBILE, async (page) => {
      const show = (path: string) => page.goto(`${server.process.baseUrl}/operator/billers${path}`)
      await show('')
      await look(page, 'queue')
      await show(`/${slug}`)
      await look(page, 'first')
      const shown = 'getComputedStyle(document.querySelector(".is-code")).whiteSpace'
      assert.equal(await page.evaluate(shown), 'pre-wrap', 'code keeps its indentation')
      await sendForm(page, `${slug}/reject`)
      await look(page, 'fault')
      await sendForm(page, `${slug}/reject`, { reason: HOSTILE })
      await put(merchant.test, { display_name: 'Vue bis', category: 'tv', short_desc: 'La télévision de tous.' })
      await upload(merchant.test, plainPng(128, [90, 0, 90]))
      await merchant.test.post('/v1/biz/biller/submit', undefined)
      await show(`/${slug}`)
      await look(page, 'changed')
      await upload(other.merchant.test, plainPng(128, [0, 90, 0]))
      await show(`/${other.slug}`)
      await look(page, 'published')
      await page.evaluate('document.querySelector(`img[alt="Logo en attente"]`).decode()')
    })
  })
})
