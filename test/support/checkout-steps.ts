// What tests of the checkout page do on it: open it, fill in its forms, read it.
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Charge } from '../../engine/contract/charge.ts'
import { openPage, type SeenPage } from './browser.ts'

export const CHARGE = { amount: 12_500, reference: 'CMD-118', description: '2 pagnes wax, livraison à Cocody' }

/** Shows the charge's page, runs the steps, and demands that the browser had nothing to complain of. */
export async function onPage(
  browser: Browser,
  charge: Charge,
  options: BrowserContextOptions,
  steps: (page: Page) => Promise<void>,
): Promise<void> {
  const seen = await openPage(browser, options)
  try {
    await seen.page.goto(charge.checkout_url)
    await steps(seen.page)
    assertNoFaults(seen)
  } finally {
    await seen.context.close()
  }
}

export function assertNoFaults({ faults }: SeenPage): void {
  assert.deepEqual(faults, [])
}

export async function send(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`#${name}`, value)
  await Promise.all([page.waitForEvent('load'), page.click('button[type=submit]')])
}

export const textOf = async (page: Page, selector: string): Promise<string> =>
  ((await page.textContent(selector)) ?? '').replaceAll(/[ \n]+/g, ' ').trim()
/** Without the spaces that keep numbers together. */
export const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

export async function assertFocused(page: Page, id: string): Promise<void> {
  assert.equal(await page.evaluate('document.activeElement?.id'), id)
}
