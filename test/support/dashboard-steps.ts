// What tests of the dashboard do on it: sign up, press, look.
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { assertAccessible, assertFits, inBothLooks, keepPicture, openPage, type Theme } from './browser.ts'
import { assertNoFaults } from './checkout-steps.ts'
import { newEmail, PASSWORD } from './dashboard-callers.ts'

const MERCHANT = 'Boutique Awa'

/** Signs up by the form. */
export async function signUpByForm(page: Page, baseUrl: string): Promise<{ readonly email: string }> {
  const email = newEmail()
  await page.goto(`${baseUrl}/dashboard/signup`)
  await page.fill('#merchant_name', MERCHANT)
  await page.fill('#email', email)
  await page.fill('#password', PASSWORD)
  await press(page, 'button[type=submit]')
  return { email }
}

/** Signs up by the API, whose cookies the page gets, and shows the home page: the form takes three times as long. */
export async function signUpIn(page: Page, baseUrl: string, merchantName = MERCHANT): Promise<{ readonly email: string }> {
  const email = newEmail()
  const data = { merchant_name: merchantName, email, password: PASSWORD }
  const answer = await page.request.post(`${baseUrl}/v1/dashboard/signup`, { data })
  assert.equal(answer.status(), 201)
  await page.goto(`${baseUrl}/dashboard/test`)
  return { email }
}

/** Clicks, and waits for the page that follows. */
export async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click(selector)])
}

/** Fits, is accessible, runs nothing that a user typed. */
export async function readable(page: Page, name: string): Promise<void> {
  await assertFits(page)
  await assertAccessible(page)
  assert.equal(await page.evaluate('document.querySelectorAll("main script, main [onerror]").length'), 0)
  await keepPicture(page, name)
}

/** As `readable`, in one theme at 360 px and in the other at 1280 px. */
export function readableInBoth(page: Page, name: string, onPhone: Theme = 'light'): Promise<void> {
  return inBothLooks(page, onPhone, ({ width }) => readable(page, `${name}-${width}`))
}

/** A page of its own, which must leave nothing in its console. */
export async function inDashboard(browser: Browser, options: BrowserContextOptions, steps: (page: Page) => Promise<void>): Promise<void> {
  const seen = await openPage(browser, { reducedMotion: 'reduce', ...options })
  try {
    await steps(seen.page)
    assertNoFaults(seen)
  } finally {
    await seen.context.close()
  }
}

/** Makes a link by the form; the page is the link's then. */
export async function makeLink(page: Page, description: string, amount = ''): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/dashboard/test/links/new`)
  await page.fill('#description', description)
  await page.fill('#amount', amount)
  await press(page, 'form.card button[type=submit]')
}
