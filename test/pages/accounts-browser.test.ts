// The pages of accounts in a real browser, on a phone and on a desk: they fit and are accessible.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sharedBrowser } from '../support/browser.ts'
import { textOf } from '../support/checkout-steps.ts'
import { PASSWORD } from '../support/dashboard-callers.ts'
import { inDashboard, press, readable, signUpIn } from '../support/dashboard-steps.ts'
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

const LOOKS = [
  { name: 'phone', viewport: { width: 360, height: 740 }, colorScheme: 'light', javaScriptEnabled: true },
  { name: 'desk', viewport: { width: 1280, height: 800 }, colorScheme: 'dark', javaScriptEnabled: true },
] as const

for (const { name, ...options } of LOOKS) {
  test(`on a ${name} an owner invites, turns TOTP on, logs in with a code and asks for a new password`, async () => {
    await inDashboard(browser, options, async (page) => {
      const baseUrl = server.process.baseUrl
      const { email } = await signUpIn(page, baseUrl)
      await goTo(page, 'test/members')
      await page.fill('#email', `caisse.${email}`)
      await press(page, 'button:has-text("Envoyer l’invitation")')
      assert.match(await textOf(page, 'main'), /L’invitation est envoyée/)
      await readable(page, `members-${name}`)
      await goTo(page, 'test/security')
      await readable(page, `security-${name}`)
      await press(page, 'button:has-text("Activer")')
      await readable(page, `totp-enrolment-${name}`)
      const secret = (await textOf(page, 'main code')).replaceAll(/\s/g, '')
      await page.fill('#totp', codeOf(secret))
      await press(page, 'button:has-text("Activer")')
      assert.equal(await textOf(page, 'main h1'), 'Vos codes de secours')
      await readable(page, `recovery-codes-${name}`)
      await goTo(page, 'test/security')
      await page.click('summary:has-text("nouveaux codes")')
      await readable(page, `security-on-${name}`)
      await goTo(page, 'test/account')
      await readable(page, `account-${name}`)
      await page.context().clearCookies()
      await goTo(page, 'login')
      await page.fill('#email', email)
      await page.fill('#password', PASSWORD)
      await press(page, 'button[type=submit]')
      await readable(page, `login-code-${name}`)
      await goTo(page, 'password-reset?token=reset_used')
      await readable(page, `link-over-${name}`)
      await goTo(page, `accept?token=${await mailedToken(server, `caisse.${email}`, 'invitation')}`)
      await readable(page, `invitation-${name}`)
      await goTo(page, 'password-reset')
      await readable(page, `forgotten-${name}`)
      await page.fill('#email', email)
      await press(page, 'button[type=submit]')
      await readable(page, `link-sent-${name}`)
    })
  })

  test(`on a ${name} the desk shows operators and movements to approve`, async () => {
    const { client } = await newOperator(server, 'finance', 'Fatou Ndiaye')
    const { id } = await server.merchant()
    const asked = { merchant_id: id, environment: 'live', amount: 250_000, reference: 'VIR-2026-119' }
    assert.equal((await client.post('/v1/operator/deposits', asked, newKey())).status, 202)
    await onDesk(server, browser, options, async (page) => {
      await page.goto(`${server.process.baseUrl}/operator/approvals`)
      await readable(page, `approvals-${name}`)
      await press(page, 'button:has-text("Approuver et exécuter")')
      assert.match(await textOf(page, 'main'), /Le mouvement est exécuté/)
      await page.goto(`${server.process.baseUrl}/operator/operators`)
      await readable(page, `operators-${name}`)
    })
  })
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(`${server.process.baseUrl}/dashboard/${path}`)
}
