// What tests of the dashboard do on it: sign up, press, look.
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { assertAccessible, assertFits, keepPicture, openPage } from './browser.ts'
import { assertNoFaults } from './checkout-steps.ts'
import { newEmail, PASSWORD } from './dashboard-callers.ts'

export async function signUpIn(page: Page, baseUrl: string, merchantName = 'Boutique Awa'): Promise<{ readonly email: string }> {
  const email = newEmail()
  await page.goto(`${baseUrl}/dashboard/signup`)
  await page.fill('#merchant_name', merchantName)
  await page.fill('#email', email)
  await page.fill('#password', PASSWORD)
  await press(page, 'button[type=submit]')
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

const PHONE = { width: 360, height: 640 }
const DESK = { width: 1280, height: 800 }

/**
 * As `readable`, in one theme at 360 px and in the other at 1280 px. The page stays as it is loaded, because our pages follow windows and
 * themes by their styles alone: a second load and another start of axe-core take as long as the look itself.
 */
export async function readableInBoth(page: Page, name: string, onPhone: 'light' | 'dark' = 'light'): Promise<void> {
  await page.setViewportSize(DESK)
  await page.emulateMedia({ colorScheme: onPhone === 'light' ? 'dark' : 'light' })
  await readable(page, `${name}-${DESK.width}`)
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: onPhone })
  await readable(page, `${name}-${PHONE.width}`)
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
