// The checkout page in a real Chromium: paid on the web with and without a script, turning over by itself, in French, on
// a small phone, by keyboard, with names that mean harm.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Charge } from '../../engine/contract/charge.ts'
import { OTP, openCharge, PIN, stateOf } from '../charges/people.ts'
import { type Merchant, newTag, TestHouse } from '../e2e/house.ts'
import { assertAccessible, assertFits, keepPicture, openBrowser, openPage, type SeenPage } from './browser.ts'

let house: TestHouse
let browser: Browser
let merchant: Merchant
/** A wallet with money. */
let tag: string

before(async () => {
  house = await TestHouse.open()
  browser = await openBrowser()
  merchant = await house.merchant('Boutique Awa & Filles')
  tag = await house.wallet(merchant)
  assert.equal((await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 1_000_000 })).status, 201)
})

after(async () => {
  await browser?.close()
  await house?.close()
})

const CHARGE = { amount: 12_500, reference: 'CMD-118', description: '2 pagnes wax, livraison à Cocody' }
const PHONE: BrowserContextOptions = { viewport: { width: 320, height: 568 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

/** Shows the charge's page, runs the steps, and demands that the browser had nothing to complain of. */
async function onPage(charge: Charge, options: BrowserContextOptions, steps: (page: Page) => Promise<void>): Promise<void> {
  const seen = await openPage(browser, options)
  try {
    await seen.page.goto(charge.checkout_url)
    await steps(seen.page)
    assertNoFaults(seen)
  } finally {
    await seen.context.close()
  }
}

function assertNoFaults({ faults }: SeenPage): void {
  assert.deepEqual(faults, [])
}

async function send(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`#${name}`, value)
  await Promise.all([page.waitForEvent('load'), page.click('button[type=submit]')])
}

const textOf = async (page: Page, selector: string): Promise<string> =>
  ((await page.textContent(selector)) ?? '').replaceAll(/[ \n]+/g, ' ').trim()
/** Without the spaces that keep numbers together. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

async function assertFocused(page: Page, id: string): Promise<void> {
  assert.equal(await page.evaluate('document.activeElement?.id'), id)
}

describe('paid on the web', () => {
  for (const [name, options] of [
    ['with a script', {}],
    ['without a script', { javaScriptEnabled: false }],
    ['on a small phone, in the dark', { ...PHONE, colorScheme: 'dark' }],
  ] as const satisfies readonly (readonly [string, BrowserContextOptions])[]) {
    test(name, async () => {
      const charge = await openCharge(merchant, { ...CHARGE, redirect_url: 'https://boutique.example/merci?commande=118' })
      await onPage(charge, options, async (page) => {
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
      assert.equal(await stateOf(house, charge), 'paid')
    })
  }

  test('by keyboard alone', async () => {
    const charge = await openCharge(merchant, CHARGE)
    await onPage(charge, {}, async (page) => {
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

  test('impatient clicks pay once', async () => {
    const charge = await openCharge(merchant, CHARGE)
    const before = await balance()
    await onPage(charge, {}, async (page) => {
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

describe('what goes wrong is said beside its field, in French', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(javaScriptEnabled ? 'with a script' : 'without a script', async () => {
      const charge = await openCharge(merchant, CHARGE)
      const payer = await house.wallet(merchant)
      await onPage(charge, { javaScriptEnabled }, async (page) => {
        const says = async (field: string, message: RegExp): Promise<void> => {
          assert.match(await textOf(page, `#${field}-error`), message)
          const described = await page.getAttribute(`#${field}`, 'aria-describedby')
          assert.ok(described?.split(' ').includes(`${field}-error`))
          assert.equal(await page.getAttribute(`#${field}`, 'aria-invalid'), 'true')
          assert.match(await page.title(), /^Erreur : /)
          if (javaScriptEnabled) {
            await assertFocused(page, field)
            await assertAccessible(page)
          }
        }
        await send(page, { identifier: 'à côté' })
        await says('identifier', /Saisissez votre @tag, ou votre numéro avec l’indicatif/)
        assert.equal(await page.inputValue('#identifier'), 'à côté')
        await send(page, { identifier: payer })
        await send(page, { otp: '12', pin: PIN })
        await says('otp', /6 chiffres/)
        await send(page, { otp: '111111', pin: PIN })
        await says('otp', /Le code reçu par SMS est incorrect\./)
        await send(page, { otp: OTP, pin: '12' })
        await says('pin', /de 4 à 6 chiffres/)
        await send(page, { otp: OTP, pin: '1111' })
        await says('pin', /Le code PIN est incorrect\. Il vous reste 4 essais\./)
        assert.equal(await page.inputValue('#otp'), OTP, 'a right code need not be typed again')
        await send(page, { pin: PIN })
        assert.match(await textOf(page, '[role=alert]'), /Le solde est insuffisant/)
        assert.ok(!page.url().includes(payer), 'the identifier stands in no address')
      })
      assert.equal(await stateOf(house, charge), 'pending')
    })
  }

  test('a locked PIN says for how long', async () => {
    const charge = await openCharge(merchant, CHARGE)
    const payer = await house.wallet(merchant)
    await onPage(charge, { javaScriptEnabled: false }, async (page) => {
      await send(page, { identifier: payer })
      for (let wrong = 0; wrong < 5; wrong++) await send(page, { otp: OTP, pin: '1111' })
      assert.match(await textOf(page, '#pin-error'), /Le code PIN est bloqué après plusieurs erreurs\. Réessayez dans 15 min\./)
    })
  })

  test('somebody else’s charge', async () => {
    const charge = await openCharge(merchant, { ...CHARGE, customer_tag: newTag() })
    await onPage(charge, {}, async (page) => {
      assert.match(await textOf(page, '.reserved'), /réservé au client désigné/)
      await send(page, { identifier: tag })
      await send(page, { otp: OTP, pin: PIN })
      assert.match(await textOf(page, '[role=alert]'), /destinée à un autre client/)
    })
  })

  test('a stranger’s progress, or one that was changed, starts over', async () => {
    const [mine, other] = [await openCharge(merchant, CHARGE), await openCharge(merchant, CHARGE)]
    await onPage(mine, { javaScriptEnabled: false }, async (page) => {
      await send(page, { identifier: tag })
      const { search } = new URL(page.url())
      assert.match(search, /^\?s=/)
      for (const address of [
        other.checkout_url + search,
        mine.checkout_url + search.replace(/(.{40})(.)/, (_all, kept, changed) => kept + (changed === 'A' ? 'B' : 'A')),
        `${mine.checkout_url}?s=x&s=y&s=${'z'.repeat(4000)}`,
      ]) {
        const answer = await fetch(address)
        const text = await answer.text()
        assert.ok(
          answer.status === 431 || (answer.status === 200 && text.includes('id="identifier"') && !text.includes('id="otp"')),
          address,
        )
      }
    })
  })
})

describe('turns over by itself', () => {
  test('paid elsewhere: shows it and goes back to the shop', async () => {
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
      await onPage(charge, {}, async (page) => {
        await page.waitForSelector('.code')
        await merchant.test.post(`/v1/biz/test/charges/${charge.token}/pay`, { payer_tag: tag })
        await page.waitForSelector('.ending')
        assert.equal(await textOf(page, 'h1'), 'Paiement effectué')
        assert.match(await textOf(page, '[data-onward-news]'), /Vous y serez redirigé/)
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
    test(`${end}, also while a form is being filled in`, async () => {
      const charge = await openCharge(merchant, CHARGE)
      await onPage(charge, {}, async (page) => {
        await send(page, { identifier: tag })
        await page.fill('#otp', OTP)
        await merchant.test.post(`/v1/biz/${path.replace('{token}', charge.token)}`, undefined)
        await page.waitForSelector('.ending')
        assert.equal(await textOf(page, 'h1'), title)
        await assertAccessible(page)
        await assertFits(page)
      })
    })
  }

  test('a form that comes too late leads to what the charge is now', async () => {
    const charge = await openCharge(merchant, CHARGE)
    await onPage(charge, { javaScriptEnabled: false }, async (page) => {
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
      await seen.page.waitForFunction('document.querySelector(".code").complete && document.querySelector(".code").naturalWidth > 0')
      assertNoFaults(seen)
    } finally {
      await seen.context.close()
    }
  })
})

describe('every view', () => {
  const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202egnirts'
  const LONG = { amount: 1_000_000_000_000, reference: 'R'.repeat(255), description: `<b>gras</b> ${'w'.repeat(300)}\n\nfin` }

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, height] of [
      [320, 568],
      [1280, 800],
    ] as const) {
      test(`fits ${width} px, is accessible and keeps harm to itself: ${colorScheme}`, async () => {
        const hostile = await house.merchant(HOSTILE)
        const rich = await house.wallet(merchant)
        await merchant.test.post('/v1/biz/test/deposits', { recipient: rich, amount: LONG.amount })
        const look = async (page: Page, name: string): Promise<void> => {
          await assertFits(page)
          await assertAccessible(page)
          assert.equal(await page.evaluate('document.querySelectorAll("main script, main b script, main img:not(.code)").length'), 0)
          await keepPicture(page, `${name}-${width}-${colorScheme}`)
        }
        await onPage(
          await openCharge(hostile, LONG),
          { viewport: { width, height }, colorScheme, reducedMotion: 'reduce' },
          async (page) => {
            assert.equal(await page.getAttribute('html', 'lang'), 'fr')
            await look(page, 'hostile-pending')
            const token = page.url().split('/').at(-1) ?? ''
            await hostile.test.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: rich })
            await page.waitForSelector('.ending')
            await look(page, 'hostile-paid')
          },
        )
        await onPage(
          await openCharge(merchant, CHARGE),
          { viewport: { width, height }, colorScheme, reducedMotion: 'reduce' },
          async (page) => {
            await look(page, 'pending')
            await send(page, { identifier: tag })
            await look(page, 'code')
            await send(page, { otp: OTP, pin: PIN })
            await look(page, 'paid')
          },
        )
      })
    }
  }

  test('a link that leads nowhere', async () => {
    const seen = await openPage(browser)
    try {
      const answer = await seen.page.goto(`${house.server.baseUrl}/pay/nulle-part`)
      assert.equal(answer?.status(), 404)
      assert.equal(await textOf(seen.page, 'h1'), 'Page introuvable')
      await assertAccessible(seen.page)
    } finally {
      await seen.context.close()
    }
  })
})
