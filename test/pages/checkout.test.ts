// The checkout page in a real Chromium: paid on the web with and without a script, turning over by itself, in French, on
// a small phone, by keyboard, with names that mean harm.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { assertAccessible, assertAccessibleInBothThemes, assertFits, keepPicture, openPage, sharedBrowser } from '../support/browser.ts'
import { OTP, openCharge, PIN, stateOf } from '../support/charge-callers.ts'
import { assertFocused, assertNoFaults, CHARGE, onPage, plain, send, textOf } from '../support/checkout-steps.ts'
import type { Merchant, TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser
let merchant: Merchant
/** A wallet with money. */
let tag: string

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
  merchant = await server.merchant('Boutique Awa & Filles')
  tag = await server.wallet(merchant)
  assert.equal((await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 1_000_000 })).status, 201)
})

const PHONE: BrowserContextOptions = { viewport: { width: 320, height: 568 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

describe('paid on the web', () => {
  for (const [name, options] of [
    ['with a script', {}],
    ['without a script', { javaScriptEnabled: false }],
    ['on a small phone, in the dark', { ...PHONE, colorScheme: 'dark' }],
  ] as const satisfies readonly (readonly [string, BrowserContextOptions])[]) {
    test(name, async () => {
      const charge = await openCharge(merchant, { ...CHARGE, redirect_url: 'https://boutique.example/merci?commande=118' })
      await onPage(browser, charge, options, async (page) => {
        assert.equal(plain(await textOf(page, 'h1')), 'Payer à Boutique Awa & Filles 12 500 F CFA')
        assert.equal(await textOf(page, '.words'), CHARGE.description)
        await send(page, { identifier: `@${tag.toUpperCase()}` })
        assert.match(await textOf(page, '.sent'), /un code à 6 chiffres vient de lui être envoyé par SMS/)
        await send(page, { otp: OTP, pin: PIN })
        assert.equal(await textOf(page, 'h1'), 'Paiement effectué')
        assert.match(plain(await textOf(page, 'main')), /Vous avez payé 12 500 F CFA à Boutique Awa & Filles\./)
        assert.match(await textOf(page, '.receipt'), /CMD-118/)
        const href = `https://boutique.example/merci?commande=118&token=${charge.token}&state=paid`
        assert.equal(await page.getAttribute('[data-onward]', 'href'), href)
        assert.equal(new URL(page.url()).search, '', 'who pays stands in no address')
        await page.reload()
        assert.equal(await textOf(page, 'h1'), 'Paiement effectué', 'reloading sends nothing again')
      })
      assert.equal(await stateOf(server, charge), 'paid')
    })
  }

  test('a charge is paid on the web by keyboard alone', async () => {
    const charge = await openCharge(merchant, CHARGE)
    await onPage(browser, charge, {}, async (page) => {
      const type = async (id: string, text: string): Promise<void> => {
        for (let steps = 0; (await page.evaluate('document.activeElement?.id')) !== id; steps++) {
          assert.ok(steps < 10, `${id} is reached by the tab key`)
          await page.keyboard.press('Tab')
        }
        await page.keyboard.type(text)
      }
      const enter = () => Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
      await type('identifier', tag)
      await enter()
      await assertFocused(page, 'otp')
      await page.keyboard.type(OTP)
      await type('pin', PIN)
      await enter()
      assert.equal(await textOf(page, 'h1'), 'Paiement effectué')
    })
  })

  test('repeated clicks pay once', async () => {
    const charge = await openCharge(merchant, CHARGE)
    const before = await balance()
    await onPage(browser, charge, {}, async (page) => {
      await send(page, { identifier: tag })
      await page.fill('#otp', OTP)
      await page.fill('#pin', PIN)
      await Promise.all([page.waitForSelector('.ending'), page.click('button[type=submit]', { clickCount: 5 })])
    })
    assert.equal((await balance()) - before, CHARGE.amount)
  })
})

async function balance(): Promise<number> {
  return (await merchant.test.get<{ available: number }>('/v1/biz/balance')).body.available
}

describe('turns over by itself', () => {
  test('a page of a charge that was paid elsewhere shows it and goes back to the shop', async () => {
    const arrived: string[] = []
    const shop = createServer((request, response) => {
      arrived.push(request.url ?? '')
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>Boutique</title><link rel="icon" href="data:,"><h1>Merci</h1>')
    })
    await new Promise<void>((resolve) => shop.listen(0, 'localhost', resolve))
    try {
      const redirect_url = `http://localhost:${(shop.address() as AddressInfo).port}/merci?commande=118`
      const charge = await openCharge(merchant, { ...CHARGE, redirect_url })
      await onPage(browser, charge, {}, async (page) => {
        await page.waitForSelector('.code')
        await merchant.test.post(`/v1/biz/test/charges/${charge.token}/pay`, { payer_tag: tag })
        await page.waitForSelector('.ending')
        assert.equal(await textOf(page, 'h1'), 'Paiement effectué')
        await page.waitForSelector('[data-onward-news]:has-text("Vous y serez redirigé")')
        await page.waitForURL(`${redirect_url}&token=${charge.token}&state=paid`)
      })
      assert.deepEqual(arrived, [`/merci?commande=118&token=${charge.token}&state=paid`])
    } finally {
      await new Promise((resolve) => shop.close(resolve).closeAllConnections())
    }
  })

  for (const [end, path, title] of [
    ['expired', 'test/charges/{token}/expire', 'Paiement expiré'],
    ['cancelled', 'charges/{token}/cancel', 'Paiement annulé'],
  ] as const) {
    test(`the page turns over when the charge is ${end}, also while a form is being filled in`, async () => {
      const charge = await openCharge(merchant, CHARGE)
      await onPage(browser, charge, { viewport: { width: 320, height: 568 } }, async (page) => {
        await send(page, { identifier: tag })
        await page.fill('#otp', OTP)
        await merchant.test.post(`/v1/biz/${path.replace('{token}', charge.token)}`, undefined)
        await page.waitForSelector('.ending')
        assert.equal(await textOf(page, 'h1'), title)
        await assertAccessible(page)
        await assertFits(page)
        await keepPicture(page, end)
      })
    })
  }

  test('a form that comes too late leads to what the charge is now', async () => {
    const charge = await openCharge(merchant, CHARGE)
    await onPage(browser, charge, { javaScriptEnabled: false }, async (page) => {
      await send(page, { identifier: tag })
      await merchant.test.post(`/v1/biz/charges/${charge.token}/cancel`, undefined)
      await send(page, { otp: OTP, pin: PIN })
      assert.equal(await textOf(page, 'h1'), 'Paiement annulé')
    })
  })

  test('the clock runs and the code changes', async () => {
    const charge = await openCharge(merchant, CHARGE)
    const seen = await openPage(browser)
    try {
      await seen.page.clock.install()
      await seen.page.goto(charge.checkout_url)
      const code = () => seen.page.getAttribute('.code', 'src')
      const [first, clock] = [await code(), await textOf(seen.page, '[role=timer]')]
      assert.match(clock, /^(?:30:00|29:5\d)$/)
      await seen.page.clock.runFor(16_000)
      assert.notEqual(await code(), first)
      assert.match(await textOf(seen.page, '[role=timer]'), /^29:[34]\d$/)
      // Not waitForFunction: its second look is an eval, which the page's policy refuses.
      await seen.page.evaluate('document.querySelector(".code").decode()')
      assertNoFaults(seen)
    } finally {
      await seen.context.close()
    }
  })
})

describe('every view', () => {
  const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const LONG = { amount: 1_000_000_000_000, reference: 'R'.repeat(255), description: `<b>gras</b> ${'w'.repeat(300)}\n\nfin` }

  const SMALL = { width: 320, height: 568 }
  const DESK = { width: 1280, height: 800 }

  test('every view fits 320 and 1280 px, is accessible in both themes and keeps harm to itself', async () => {
    const hostile = await server.merchant(HOSTILE)
    const rich = await server.wallet(merchant)
    await merchant.test.post('/v1/biz/test/deposits', { recipient: rich, amount: LONG.amount })
    const look = async (page: Page, name: string): Promise<void> => {
      for (const size of [DESK, SMALL]) {
        await page.setViewportSize(size)
        await assertFits(page)
        await assertAccessibleInBothThemes(page)
        assert.equal(await page.evaluate('document.querySelectorAll("main script, main b script, main img:not(.code)").length'), 0)
        await keepPicture(page, `${name}-${size.width}`)
      }
    }
    await onPage(browser, await openCharge(hostile, LONG), { viewport: SMALL, reducedMotion: 'reduce' }, async (page) => {
      assert.equal(await page.getAttribute('html', 'lang'), 'fr')
      await look(page, 'hostile-pending')
      const token = page.url().split('/').at(-1) ?? ''
      await hostile.test.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: rich })
      await page.waitForSelector('.ending')
      await look(page, 'hostile-paid')
    })
    await onPage(browser, await openCharge(merchant, CHARGE), { viewport: SMALL, reducedMotion: 'reduce' }, async (page) => {
      await look(page, 'pending')
      await send(page, { identifier: tag })
      await look(page, 'code')
      await send(page, { otp: OTP, pin: PIN })
      await look(page, 'paid')
    })
  })

  test('a link that leads nowhere has a page of its own', async () => {
    const seen = await openPage(browser)
    try {
      const answer = await seen.page.goto(`${server.process.baseUrl}/pay/nulle-part`)
      assert.equal(answer?.status(), 404)
      assert.equal(await textOf(seen.page, 'h1'), 'Page introuvable')
      await assertAccessible(seen.page)
    } finally {
      await seen.context.close()
    }
  })
})
