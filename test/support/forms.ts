// What tests of pages with several forms do on them: fill in the one that a button belongs to, and send it.
import type { Page } from 'playwright-core'

/** Fills in fields by their names within the form that leads to `action`, and sends it. */
export async function sendForm(page: Page, action: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
  const [first] = Object.keys(fields)
  const form = page.locator(`form[action="${action}"]${first === undefined ? '' : `:has([name="${first}"])`}`)
  for (const [name, value] of Object.entries(fields)) {
    const choice = form.locator(`select[name="${name}"]`)
    if ((await choice.count()) > 0) await choice.selectOption(value)
    else await form.locator(`[name="${name}"]`).fill(value)
  }
  await Promise.all([page.waitForEvent('load'), form.locator('button[type=submit]').click()])
}
