// The pages of accounts in a real browser, at the widths of a phone and of a desk: they fit and are accessible.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sharedBrowser } from '../support/browser.ts'
import { textOf } from '../support/checkout-steps.ts'
import { PASSWORD } from '../support/dashboard-callers.ts'
import { inDashboard, press, readableInBoth, signUpIn } from '../support/dashboard-steps.ts'
import { codeOf, mailedToken } from '../support/member-callers.ts'
import { newOperator } from '../support/operator-callers.ts'
import { onDesk } from '../support/operator-steps.ts'
import { newKey, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer({ OPERATOR_DUAL_CONTROL: '100000', OPERATOR_DAY_CONTROL: '100000' })
  browser = await sharedBrowser()
})

const PHONE = { viewport: { width: 360, height: 640 } }

test('an owner invites, turns TOTP on, logs in with a code and asks for a new password', async () => {
  await inDashboard(browser, PHONE, async (page) => {
    const baseUrl = server.process.baseUrl
    const { email } = await signUpIn(page, baseUrl)
    await goTo(page, 'test/members')
    await page.fill('#email', `caisse.${email}`)
    await press(page, 'button:has-text("Envoyer l’invitation")')
    assert.match(await textOf(page, 'main'), /L’invitation est envoyée/)
    await readableInBoth(page, 'members')
    await goTo(page, 'test/security')
    await readableInBoth(page, 'security')
    await press(page, 'button:has-text("Activer")')
    await readableInBoth(page, 'totp-enrolment')
    const secret = (await textOf(page, 'main code')).replaceAll(/\s/g, '')
    await page.fill('#totp', codeOf(secret))
    await press(page, 'button:has-text("Activer")')
    assert.equal(await textOf(page, 'main h1'), 'Vos codes de secours')
    await readableInBoth(page, 'recovery-codes')
    await goTo(page, 'test/security')
    await page.click('summary:has-text("nouveaux codes")')
    await readableInBoth(page, 'security-on')
    await goTo(page, 'test/account')
    await readableInBoth(page, 'account')
    await page.context().clearCookies()
    await goTo(page, 'login')
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await press(page, 'button[type=submit]')
    await readableInBoth(page, 'login-code')
    await goTo(page, 'password-reset?token=reset_used')
    await readableInBoth(page, 'link-over')
    await goTo(page, `accept?token=${await mailedToken(server, `caisse.${email}`, 'invitation')}`)
    await readableInBoth(page, 'invitation')
    await goTo(page, 'password-reset')
    await readableInBoth(page, 'forgotten')
    await page.fill('#email', email)
    await press(page, 'button[type=submit]')
    await readableInBoth(page, 'link-sent')
  })
})

test('the desk shows operators and movements to approve', async () => {
  const { client } = await newOperator(server, 'finance', 'Fatou Ndiaye')
  const { id } = await server.merchant()
  const asked = { merchant_id: id, environment: 'live', amount: 250_000, reference: 'VIR-2026-119' }
  assert.equal((await client.post('/v1/operator/deposits', asked, newKey())).status, 202)
  await onDesk(server, browser, PHONE, async (page) => {
    await page.goto(`${server.process.baseUrl}/operator/approvals`)
    await readableInBoth(page, 'approvals')
    await press(page, 'button:has-text("Approuver et exécuter")')
    assert.match(await textOf(page, 'main'), /Le mouvement est exécuté/)
    await page.goto(`${server.process.baseUrl}/operator/operators`)
    await readableInBoth(page, 'operators')
  })
})

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(`${server.process.baseUrl}/dashboard/${path}`)
}
