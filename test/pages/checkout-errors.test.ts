// What goes wrong on the checkout page is said beside its field, in French, with a script and without.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible, keepPicture, sharedBrowser } from '../support/browser.ts'
import { OTP, openCharge, PIN, stateOf } from '../support/charge-callers.ts'
import { assertFocused, CHARGE, onPage, plain, send, textOf } from '../support/checkout-steps.ts'
import { type Merchant, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser
let merchant: Merchant
/** A wallet. */
let tag: string

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
  merchant = await server.merchant()
  tag = await server.wallet(merchant)
})

for (const javaScriptEnabled of [true, false]) {
  test(javaScriptEnabled ? 'with a script' : 'without a script', async () => {
    const charge = await openCharge(merchant, CHARGE)
    const payer = await server.wallet(merchant)
    await onPage(browser, charge, { javaScriptEnabled }, async (page) => {
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
      await keepPicture(page, `wrong-pin-${javaScriptEnabled ? 'script' : 'plain'}`)
      assert.equal(await page.inputValue('#otp'), OTP, 'a right code need not be typed again')
      await send(page, { pin: PIN })
      assert.match(plain(await textOf(page, '[role=alert]')), /Le solde est insuffisant .*Il vous manque [0-9 ]+ F CFA : approvisionnez/)
      assert.ok(!page.url().includes(payer), 'the identifier stands in no address')
    })
    assert.equal(await stateOf(server, charge), 'pending')
  })
}

test('a locked PIN says for how long', async () => {
  const charge = await openCharge(merchant, CHARGE)
  const payer = await server.wallet(merchant)
  await onPage(browser, charge, { javaScriptEnabled: false }, async (page) => {
    await send(page, { identifier: payer })
    for (let wrong = 0; wrong < 5; wrong++) await send(page, { otp: OTP, pin: '1111' })
    assert.match(await textOf(page, '#pin-error'), /Le code PIN est bloqué après plusieurs erreurs\. Réessayez dans 15 min\./)
  })
})

test('a charge for another customer shows an error', async () => {
  const charge = await openCharge(merchant, { ...CHARGE, customer_tag: newTag() })
  await onPage(browser, charge, {}, async (page) => {
    assert.match(await textOf(page, '.reserved'), /réservé au client désigné/)
    await send(page, { identifier: tag })
    await send(page, { otp: OTP, pin: PIN })
    assert.match(await textOf(page, '[role=alert]'), /destinée à un autre client/)
  })
})

test('a stranger’s progress, or one that was changed, starts over', async () => {
  const [mine, other] = [await openCharge(merchant, CHARGE), await openCharge(merchant, CHARGE)]
  await onPage(browser, mine, { javaScriptEnabled: false }, async (page) => {
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
      assert.ok(answer.status === 431 || (answer.status === 200 && text.includes('id="identifier"') && !text.includes('id="otp"')), address)
    }
  })
})
