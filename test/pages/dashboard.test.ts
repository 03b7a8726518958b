// The dashboard in a real browser, as its owner uses it: sign up, make a key and use it, ask for a payment, pay, look.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openPage, sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { newEmail, PASSWORD } from '../support/dashboard-callers.ts'
import { inDashboard, press, readable, readableInBoth, signUpByForm, signUpIn } from '../support/dashboard-steps.ts'
import { newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
})

describe('the way of a merchant', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`the way of a merchant signs up, makes a key, pays and is paid ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      await inDashboard(browser, { javaScriptEnabled }, async (page) => {
        const { email } = await signUpByForm(page, server.process.baseUrl)
        assert.match(await textOf(page, '.notice'), /Bienvenue/)

        await press(page, 'nav[aria-label="Tableau de bord"] a[href$="/keys"]')
        await page.fill('#label', 'Caisse')
        await page.check('input[name="disbursements.write"]')
        await press(page, 'form.card button[type=submit]')
        const [publicKey, secret] = [await page.inputValue('#public'), await page.inputValue('#secret')]
        const keyed = server.anybody.with({ 'x-api-key': publicKey, 'x-api-secret': secret })
        assert.equal((await keyed.get('/v1/biz/ping')).status, 200)

        await press(page, 'nav[aria-label="Tableau de bord"] a[href$="/test"]')
        await page.click('summary:has-text("Argent et portefeuilles de test")')
        await press(page, 'form[action$="test-deposits"] button')
        assert.match(plain(await textOf(page, '.tile .big')), /100 000 F CFA/)
        const tag = newTag()
        await page.click('summary:has-text("Argent et portefeuilles de test")')
        await page.fill('#tag', `@${tag}`)
        await press(page, 'form[action$="test-wallets"] button')

        await press(page, '.heading a[href$="payouts/new"]')
        await page.fill('#recipient', `@${tag}`)
        await page.fill('#amount', '12 500')
        await page.fill('#reference', 'PAIE-11')
        await press(page, 'form.card button[type=submit]')
        assert.match(plain(await textOf(page, 'main')), /Confirmer le versement/)
        await press(page, 'form[action$="/payouts"] button')
        assert.match(plain(await textOf(page, 'h1')), /Versement de 12 500 F CFA/)
        assert.equal(await textOf(page, '.badge'), 'Versé')

        await press(page, 'nav[aria-label="Tableau de bord"] a[href$="/charges"]')
        await press(page, '.heading a[href$="charges/new"]')
        await page.fill('#amount', '5000')
        await page.fill('#reference', 'CMD-118')
        await press(page, 'form.card button[type=submit]')
        assert.equal(await textOf(page, '.badge'), 'En attente')
        const token = new URL(page.url()).pathname.split('/').at(-1) ?? ''
        await keyed.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: tag })
        await page.reload()
        assert.equal(await textOf(page, '.badge'), 'Payé')
        await page.click('summary:has-text("Rembourser")')
        await page.selectOption('[name=reason]', 'cancelled')
        await press(page, '.confirm button')
        assert.equal(await textOf(page, '.badge'), 'Remboursé')

        await press(page, '.side form.leave button')
        assert.match(page.url(), /\/dashboard\/login$/)
        await page.fill('#email', email)
        await page.fill('#password', PASSWORD)
        await press(page, 'button[type=submit]')
        assert.equal(await textOf(page, 'h1'), 'Accueil')
      })
    })
  }

  test('a disbursement is checked before it is paid', async () => {
    await inDashboard(browser, {}, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      await page.click('summary:has-text("Argent et portefeuilles de test")')
      await press(page, 'form[action$="test-deposits"] button')
      const tag = newTag()
      await page.click('summary:has-text("Argent et portefeuilles de test")')
      await page.fill('#tag', tag)
      await press(page, 'form[action$="test-wallets"] button')
      await press(page, 'nav[aria-label="Tableau de bord"] a[href$="/disbursements"]')
      await press(page, '.heading a[href$="disbursements/new"]')
      const csv = `Bénéficiaire;Montant;Référence\r\n@${tag};"1 000";UN\r\n@personne_ici;500;DEUX\r\n;;\r\npas un tag;12;`
      await page.setInputFiles('#file', { name: 'paie.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
      await press(page, 'form.card button[type=submit]')
      assert.match(plain(await textOf(page, 'main')), /À verser ?1 000 F CFA \(1 ligne sur 3\)/)
      await readable(page, 'disbursement-check')
      await press(page, 'form[action$="/start"] button')
      await page.waitForSelector('.badge:has-text("Terminé")')
      assert.match(plain(await textOf(page, 'main')), /Versé : 1 000 F CFA \(1 ligne sur 1\)/)
      await readable(page, 'disbursement')
      await press(page, 'nav[aria-label="Tableau de bord"] a[href$="/disbursements"]')
      assert.equal(await page.locator('tbody tr').count(), 1)
    })
  })
})

describe('every page', () => {
  const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

  test('every page fits 360 and 1280 px, is accessible in both themes, keeps harm to itself', async () => {
    await inDashboard(browser, { viewport: { width: 360, height: 640 } }, async (page) => {
      await signUpIn(page, server.process.baseUrl, HOSTILE)
      const base = page.url().split('?')[0] ?? ''
      await page.goto(`${base}/charges/new`)
      await page.fill('#amount', '1000')
      await page.fill('#reference', HOSTILE)
      await page.fill('#description', HOSTILE)
      await press(page, 'form.card button[type=submit]')
      await readableInBoth(page, 'charge')
      for (const path of [
        '',
        '/charges',
        '/payouts',
        '/payouts/new',
        '/disbursements',
        '/disbursements/new',
        '/transactions',
        '/keys',
        '/account',
      ]) {
        await page.goto(base + path)
        await readableInBoth(page, `dashboard${path.replaceAll('/', '-')}`)
      }
      await page.goto(`${base}/charges?state=paid&reference=${encodeURIComponent(HOSTILE)}&from=2026-01-01`)
      await readableInBoth(page, 'charges-filtered')
    })
  })

  test('every page leads the keyboard past the navigation with its first key', async () => {
    await inDashboard(browser, {}, async (page) => {
      await signUpIn(page, server.process.baseUrl)
      await page.goto(`${page.url().split('?')[0] ?? ''}/charges`)
      await page.keyboard.press('Tab')
      assert.equal(await textOf(page, ':focus'), 'Aller au contenu')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      assert.equal(await textOf(page, '.content :focus'), 'Demander un paiement')
    })
  })

  for (const path of ['login', 'signup'] as const) {
    test(`${path} says what is wrong`, async () => {
      const { page, context } = await openPage(browser, { viewport: { width: 360, height: 640 } })
      await page.goto(`${server.process.baseUrl}/dashboard/${path}`)
      if (path === 'signup') await page.fill('#merchant_name', 'Boutique')
      await page.fill('#email', newEmail())
      await page.fill('#password', 'court')
      await press(page, 'button[type=submit]')
      assert.match(await textOf(page, '.error'), path === 'login' ? /incorrect/ : /trop faible/)
      await readable(page, path)
      await context.close()
    })
  }
})
