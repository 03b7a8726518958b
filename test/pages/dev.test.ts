// The pages for development in a real Chromium: sign up, log in, scan and pay on the simulated phone with and without a
// script, and see what the server sent.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { assertAccessibleInBothThemes, assertFits, keepPicture, openPage, sharedBrowser } from '../support/browser.ts'
import { OTP, openCharge, PIN, stateOf } from '../support/charge-callers.ts'
import { assertNoFaults, plain, textOf } from '../support/checkout-steps.ts'
import { sendForm } from '../support/forms.ts'
import { type Merchant, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser
let merchant: Merchant

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
  merchant = await server.merchant('Boutique Awa & Filles')
})

const WAYS = [
  ['with a script', {}],
  ['without a script', { javaScriptEnabled: false }],
] as const satisfies readonly (readonly [string, BrowserContextOptions])[]

const PHONE_WINDOW = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true } as const satisfies BrowserContextOptions

/** Shows a page for development, runs the steps, and demands that the browser had nothing to complain of. */
async function onDev(path: string, options: BrowserContextOptions, steps: (page: Page) => Promise<void>): Promise<void> {
  const seen = await openPage(browser, options)
  try {
    await seen.page.goto(`${server.process.baseUrl}/${path}`)
    await steps(seen.page)
    assertNoFaults(seen)
  } finally {
    await seen.context.close()
  }
}

async function logIn(page: Page, tag: string): Promise<void> {
  await sendForm(page, 'phone/start', { identifier: `@${tag}` })
  await sendForm(page, 'phone/login', { code: OTP, pin: PIN })
  assert.match(plain(await textOf(page, '.ticket h1')), new RegExp(`@${tag}, portefeuille de test`))
}

/** A test wallet with money. */
async function richWallet(amount: number): Promise<string> {
  const tag = await server.wallet(merchant)
  assert.equal((await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount })).status, 201)
  return tag
}

const drawPhone = (prefix: string): string => `${prefix}${String(randomInt(100_000_000)).padStart(8, '0')}`

describe('the simulated phone', () => {
  for (const [name, options] of WAYS) {
    test(`the simulated phone picks a test wallet, scans an address and pays: ${name}`, async () => {
      const tag = await richWallet(50_000)
      const charge = await openCharge(merchant, { amount: 12_500, description: '2 pagnes wax' })
      await onDev('dev/phone', options, async (page) => {
        await logIn(page, tag)
        assert.match(plain(await textOf(page, '.ticket .amount')), /^50 000 F CFA$/)
        await page.fill('#c', charge.checkout_url)
        await Promise.all([page.waitForEvent('load'), page.click('form[action="phone/charge"] button')])
        assert.equal(plain(await textOf(page, '.ticket h1')), `@${tag} paie à Boutique Awa & Filles 12 500 F CFA`)
        await sendForm(page, 'pay', { pin: '1357' })
        assert.match(await textOf(page, '#pin-error'), /Essais restants : 4/)
        await sendForm(page, 'pay', { pin: PIN })
        assert.equal(await textOf(page, '.ending h2'), 'Paiement effectué')
        await page.click('.back a')
        await page.waitForSelector('[data-live=balance]')
        assert.match(plain(await textOf(page, '.ticket .amount')), /^37 500 F CFA$/)
        assert.match(plain(await textOf(page, '.lines')), /Boutique Awa & Filles .*− 12 500 F CFA/)
      })
      assert.equal(await stateOf(server, charge), 'paid')
    })

    test(`the simulated phone signs up a test number: ${name}`, async () => {
      const tag = newTag()
      await onDev('dev/phone', options, async (page) => {
        await sendForm(page, 'phone/start', { phone: drawPhone('+22500') })
        await sendForm(page, 'phone/signup', { given_name: 'Awa', family_name: 'Diallo', tag: `@${tag}`, pin: '1234' })
        assert.match(await textOf(page, '#pin-error'), /PIN/)
        assert.equal(await page.inputValue('#given_name'), 'Awa', 'what was typed is kept')
        await sendForm(page, 'phone/signup', { pin: '7391' })
        assert.match(plain(await textOf(page, '.ticket h1')), new RegExp(`^@${tag}, portefeuille de test 0 F CFA$`))
        await sendForm(page, 'phone/leave')
        assert.equal(await textOf(page, 'h1'), 'Téléphone simulé')
      })
      const { body } = await merchant.test.post('/v1/biz/payouts/check-recipient', { recipient: tag })
      assert.deepEqual(body, { exists: true, display_name: 'Awa D.' })
    })

    test(`the simulated phone signs up a live number with the code of the inbox: ${name}`, async () => {
      const [tag, phone] = [newTag(), drawPhone('+22507')]
      await onDev('dev/phone', options, async (page) => {
        await sendForm(page, 'phone/start', { phone })
        const inbox = await page.context().newPage()
        await inbox.goto(`${server.process.baseUrl}/dev`)
        const letter = await textOf(inbox, `.letter:has(b:text-is("${phone}"))`)
        assert.match(letter, /SMS/)
        const [, code = ''] = /Cauri : ([0-9]{6}) est votre code/.exec(letter) ?? []
        await sendForm(page, 'phone/signup', { code: '999999', given_name: 'Awa', family_name: 'Diallo', tag, pin: '7391' })
        assert.match(await textOf(page, '#code-error'), /code/)
        await sendForm(page, 'phone/signup', { code, pin: '7391' })
        assert.match(plain(await textOf(page, '.ticket h1')), new RegExp(`^@${tag} 0 F CFA$`))
        await page.goto((await openCharge({ ...merchant, test: merchant.live })).checkout_url)
        assert.match(
          plain(await textOf(page, '.ticket')),
          new RegExp(`Votre portefeuille @${tag}. Solde : 0 F CFA. Il manque 1 000 F CFA.`),
        )
        await page.goto((await openCharge(merchant)).checkout_url)
        assert.doesNotMatch(await textOf(page, '.ticket'), /Votre portefeuille/, 'a wallet of the other environment cannot pay')
      })
    })
  }

  test('the simulated phone reads its stream: balance, lines and events change while it is looked at', async () => {
    const tag = await richWallet(1_000)
    await onDev('dev/phone', {}, async (page) => {
      await logIn(page, tag)
      await page.waitForSelector('[data-listening]')
      await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 4_000 })
      await page.waitForSelector('.events li:has(code:text-is("payment.received"))')
      await page.waitForSelector('.amount:text-matches("^5\\\\s000")')
      assert.match(plain(await textOf(page, '.events li:has(code:text-is("payment.received"))')), /4 000 F CFA reçus/)
      assert.match(plain(await textOf(page, '.lines')), /Dépôt .*\+ 4 000 F CFA/)
    })
  })

  test('the simulated phone reads the content of a QR code, and follows the link of the checkout page', async () => {
    const tag = await richWallet(10_000)
    const [first, second] = [await openCharge(merchant), await openCharge(merchant)]
    await onDev('dev/phone', {}, async (page) => {
      await logIn(page, tag)
      const { body } = await server.anybody.get<{ payload: string }>(`/v1/biz/checkout/${first.token}/qr`)
      await page.fill('#c', body.payload)
      await Promise.all([page.waitForEvent('load'), page.click('form[action="phone/charge"] button')])
      await sendForm(page, 'pay', { pin: PIN })
      await page.goto(second.checkout_url)
      assert.match(
        plain(await textOf(page, '.ticket')),
        new RegExp(`Votre portefeuille @${tag}. Solde : 9 000 F CFA. Il restera 8 000 F CFA.`),
      )
      await Promise.all([page.waitForURL('**/dev/phone/charge?c=*'), page.click('text=Payer avec le téléphone simulé')])
      await sendForm(page, 'pay', { pin: PIN })
      assert.equal(await textOf(page, '.ending h2'), 'Paiement effectué')
    })
    assert.deepEqual([await stateOf(server, first), await stateOf(server, second)], ['paid', 'paid'])
  })
})

describe('the inbox', () => {
  test('the inbox shows a push and a webhook while it is looked at, and keeps what is open in it', async () => {
    const tag = await richWallet(10_000)
    const charge = await openCharge(merchant, { reference: '<script>alert(1)</script>' })
    await onDev('dev', {}, async (page) => {
      await page.waitForSelector('.letter')
      await merchant.test.post(`/v1/biz/test/charges/${charge.token}/pay`, { payer_tag: tag })
      const webhook = page.locator(`.letter:has-text("${charge.token}")`)
      await webhook.waitFor()
      assert.match(plain((await webhook.textContent()) ?? ''), /Aucune adresse ne reçoit cet évènement/)
      await webhook.locator('summary').click()
      assert.match((await webhook.locator('pre').textContent()) ?? '', /"reference": "<script>alert\(1\)<\/script>"/)
      await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 7 })
      await page.waitForSelector('.letter:has-text("Un dépôt de 7")')
      assert.ok(await webhook.locator('pre').isVisible(), 'news leave open what is open')
      assert.equal(await page.locator('main script').count(), 0)
    })
  })

  test('the inbox shows attempts of a webhook with their results', async () => {
    const other = await server.merchant('Boutique <b>Koffi</b>')
    const url = 'https://receiver.invalid/hooks'
    await other.test.post('/v1/biz/webhook-endpoints', { url, events: ['charge.succeeded'], description: '' })
    const tag = await richWallet(10_000)
    const charge = await openCharge(other)
    await onDev('dev', {}, async (page) => {
      await other.test.post(`/v1/biz/test/charges/${charge.token}/pay`, { payer_tag: tag })
      const letter = page.locator(`.letter:has(code:text-is("${url}"))`).first()
      await letter.waitFor()
      const text = plain((await letter.textContent()) ?? '')
      assert.match(text, /de Boutique <b>Koffi<\/b>/)
      assert.match(text, /Essai 1 : pas de réponse \(.+\), \d+ ms, nouvel essai à \d\d:\d\d:\d\d/)
    })
  })
})

describe('every page', () => {
  const DESK_WINDOW = { width: 1280, height: 800 }

  test('every page fits 360 and 1280 px and is accessible in both themes', async () => {
    const tag = await richWallet(1_000_000_000)
    const charge = await openCharge(merchant, { amount: 999_999_999, description: `<b>gras</b> ${'w'.repeat(200)}` })
    const look = async (page: Page, view: string): Promise<void> => {
      for (const size of [DESK_WINDOW, PHONE_WINDOW.viewport]) {
        await page.setViewportSize(size)
        await assertFits(page)
        await assertAccessibleInBothThemes(page)
        await keepPicture(page, `dev-${view}-${size.width}`)
      }
    }
    await onDev('dev/phone', { ...PHONE_WINDOW, reducedMotion: 'reduce' }, async (page) => {
      await look(page, 'start')
      await sendForm(page, 'phone/start', { identifier: 'per sonne' })
      assert.match(await page.title(), /^Erreur/)
      await look(page, 'start-error')
      await sendForm(page, 'phone/start', { phone: drawPhone('+22500') })
      await look(page, 'signup')
      await page.click('text=Recommencer')
      await logIn(page, tag)
      await page.waitForSelector('[data-listening]')
      await look(page, 'home')
      await page.goto(`${server.process.baseUrl}/dev/phone/charge?c=${charge.token}`)
      await look(page, 'charge')
      await sendForm(page, 'pay', { pin: PIN })
      await look(page, 'paid')
      await page.goto(`${server.process.baseUrl}/dev`)
      await page.waitForSelector('.letter')
      await look(page, 'inbox')
    })
  })
})
