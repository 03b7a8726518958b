// The approval page of a mandate in a real Chromium: approved on the web with and without a script, in every state, with
// what users mistype, and by a customer who was not asked.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Mandate } from '../../engine/contract/mandate.ts'
import { assertAccessible, assertFits, keepPicture, openPage, sharedBrowser } from '../support/browser.ts'
import { OTP, openPayer, PIN } from '../support/charge-callers.ts'
import { assertFocused, assertNoFaults, plain, send, textOf } from '../support/checkout-steps.ts'
import { approvedMandate, createMandate, type Pair, readMandate, untilState } from '../support/mandate-callers.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser
let pair: Pair

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
  const merchant = await server.merchant('Salle Baobab & Fils')
  pair = { merchant, payer: await openPayer(server, merchant, 100_000) }
})

async function onPage(mandate: Mandate, options: BrowserContextOptions, steps: (page: Page) => Promise<void>): Promise<void> {
  const seen = await openPage(browser, options)
  try {
    await seen.page.goto(mandate.approval_url)
    await steps(seen.page)
    assertNoFaults(seen)
  } finally {
    await seen.context.close()
  }
}

const PHONE: BrowserContextOptions = { viewport: { width: 320, height: 568 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const SMS_HINT = /un code à 6 chiffres vient de lui être envoyé par SMS/

describe('approved on the web', () => {
  for (const [name, options] of [
    ['with a script', {}],
    ['without a script', { javaScriptEnabled: false }],
    ['on a small phone, in the dark', { ...PHONE, colorScheme: 'dark' }],
  ] as const satisfies readonly (readonly [string, BrowserContextOptions])[]) {
    test(name, async () => {
      const redirect_url = 'https://boutique.example/abo?x=1#fin'
      const mandate = await createMandate(pair, { amount: 5000, max_payments: 12, description: 'Salle de sport', redirect_url })
      await onPage(mandate, options, async (page) => {
        assert.equal(plain(await textOf(page, 'h1')), 'Autoriser les prélèvements de Salle Baobab & Fils 5 000 F CFA par mois')
        assert.equal(await textOf(page, '.words'), 'Salle de sport')
        assert.match(await textOf(page, '.ticket'), /Premier prélèvement le .+ au plus tôt\. 12 paiements au plus\./)
        if (name !== 'without a script') await assertFits(page)
        if (name !== 'without a script') await assertAccessible(page)
        await keepPicture(page, `mandate-${name.replaceAll(/\W+/g, '-')}-1`)
        await send(page, { identifier: `@${pair.payer.tag.toUpperCase()}` })
        assert.match(await textOf(page, '.sent'), SMS_HINT)
        await keepPicture(page, `mandate-${name.replaceAll(/\W+/g, '-')}-2`)
        await send(page, { otp: OTP, pin: PIN })
        assert.equal(await textOf(page, 'h1'), 'Prélèvements autorisés')
        assert.match(plain(await textOf(page, 'main')), /autorisé Salle Baobab & Fils à prélever 5 000 F CFA par mois\./)
        const href = `https://boutique.example/abo?x=1&token=${mandate.token}&state=active#fin`
        assert.equal(await page.getAttribute('[data-onward]', 'href'), href)
        assert.equal(new URL(page.url()).search, '', 'who agrees stands in no address')
        if (name !== 'without a script') await assertAccessible(page)
        await keepPicture(page, `mandate-${name.replaceAll(/\W+/g, '-')}-3`)
      })
      assert.equal((await readMandate(pair, mandate.id)).state, 'active')
    })
  }
})

test('what is mistyped is said beside its field, and a right code need not be typed again', async () => {
  const mandate = await createMandate(pair)
  await onPage(mandate, {}, async (page) => {
    await send(page, { identifier: 'ab' })
    assert.match(await textOf(page, '#identifier-error'), /Saisissez votre @tag/)
    await assertFocused(page, 'identifier')
    await send(page, { identifier: pair.payer.tag })
    await send(page, { otp: '12', pin: PIN })
    assert.match(await textOf(page, '#otp-error'), /6 chiffres/)
    await send(page, { otp: '999999', pin: PIN })
    assert.match(await textOf(page, '#otp-error'), /incorrect/)
    await send(page, { otp: OTP, pin: '1111' })
    assert.match(await textOf(page, '#pin-error'), /Il vous reste 4 essais/)
    assert.equal(await page.inputValue('#otp'), OTP)
    await send(page, { pin: PIN })
    assert.equal(await textOf(page, 'h1'), 'Prélèvements autorisés')
  })
})

test('a customer who was not asked gets the same answer, no code, and agrees to nothing', async () => {
  const stranger = await openPayer(server, pair.merchant, 100_000)
  const mandate = await createMandate(pair)
  for (const identifier of [stranger.tag, stranger.phone, 'personne_du_tout']) {
    await onPage(mandate, {}, async (page) => {
      await send(page, { identifier })
      assert.match(await textOf(page, '.sent'), SMS_HINT)
      await send(page, { otp: OTP, pin: PIN })
      assert.match(await textOf(page, '#otp-error'), /incorrect/)
    })
  }
  assert.equal((await readMandate(pair, mandate.id)).state, 'pending')
})

test('every other state says what became of it', async () => {
  const { test: client } = pair.merchant
  const [rejected, cancelled] = [await createMandate(pair), await createMandate(pair)]
  await pair.payer.app.post(`/v1/me/mandates/${rejected.id}/reject`, undefined)
  await client.post(`/v1/biz/mandates/${cancelled.id}/cancel`, undefined)
  const expired = await createMandate(pair, { start_at: undefined, end_at: new Date(Date.now() + 500).toISOString() })
  await untilState(pair, expired.id, 'expired')
  for (const [mandate, title] of [
    [rejected, 'Demande refusée'],
    [cancelled, 'Prélèvements annulés'],
    [expired, 'Demande expirée'],
  ] as const) {
    await onPage(mandate, {}, async (page) => {
      assert.equal(await textOf(page, 'h1'), title)
      await assertAccessible(page)
      assert.equal(await page.$('form'), null)
    })
  }
})

test('a paused one can be approved again', async () => {
  const poor: Pair = { ...pair, payer: await openPayer(server, pair.merchant, 0) }
  const { id } = await approvedMandate(poor)
  for (let attempt = 0; attempt < 4; attempt++) await pair.merchant.test.post(`/v1/biz/test/mandates/${id}/collect`, {})
  const paused = await readMandate(poor, id)
  await onPage(paused, {}, async (page) => {
    assert.match(await textOf(page, '.ticket'), /Ces prélèvements sont suspendus/)
    await send(page, { identifier: poor.payer.phone })
    await send(page, { otp: OTP, pin: PIN })
    assert.equal(await textOf(page, 'h1'), 'Prélèvements autorisés')
  })
  assert.equal((await readMandate(poor, id)).state, 'active')
})

test('the page shows amounts without a rhythm, hostile names and links that lead nowhere', async () => {
  const merchant = await server.merchant('<script>alert(1)</script>')
  const own: Pair = { merchant, payer: pair.payer }
  const open = await createMandate(own, { amount: undefined, max_amount: 25_000, interval: 'on_demand', start_at: undefined })
  await onPage(open, {}, async (page) => {
    assert.match(plain(await textOf(page, 'h1')), /<script>alert\(1\)<\/script>.* jusqu’à 25 000 F CFA par mois$/)
    assert.match(await textOf(page, '.ticket'), /Le marchand demande chaque paiement, sans jamais dépasser ce montant\./)
  })
  for (const path of ['/mandates/x', `/mandates/${open.id}`, `/mandates/${'a'.repeat(32)}`]) {
    const response = await fetch(server.process.baseUrl + path)
    assert.equal(response.status, 404)
    assert.match(await response.text(), /Page introuvable/)
  }
  const forged = await fetch(`${server.process.baseUrl}/mandates/${open.token}/approve`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 's=sealed:v1:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx&otp=000000&pin=2580',
  })
  assert.deepEqual([forged.status, forged.headers.get('location')], [303, `../${open.token}`])
})
