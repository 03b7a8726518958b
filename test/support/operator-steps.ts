// What tests of the operator's desk do on it: come in, look at a page, act as a program.
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openPage } from './browser.ts'
import { assertNoFaults, textOf } from './checkout-steps.ts'
import { askPage, cookieHeader, hidden } from './raw-page.ts'
import type { TestServer } from './server-fixture.ts'
import { OPERATOR_TOKEN } from './server-process.ts'

/** Opens the desk with a session that a program has signed in, runs the steps, and demands that the browser had nothing to complain of. */
export async function onDesk(
  server: TestServer,
  browser: Browser,
  options: BrowserContextOptions,
  steps: (page: Page) => Promise<void>,
): Promise<void> {
  const seen = await openPage(browser, options)
  try {
    const [name = '', value = ''] = (await deskSession(server)).headers.cookie.split('=')
    await seen.context.addCookies([{ name, value, url: server.process.baseUrl }])
    await seen.page.goto(`${server.process.baseUrl}/operator`)
    assert.equal(await textOf(seen.page, 'h1'), 'Accueil')
    await steps(seen.page)
    assertNoFaults(seen)
  } finally {
    await seen.context.close()
  }
}

/** Follows a link by its text. On a small screen it may stand under "Plus". */
export async function follow(page: Page, text: string): Promise<void> {
  const link = page.locator(`text="${text}" >> visible=true`).first()
  if ((await link.count()) === 0) await page.click('.dock summary')
  await Promise.all([page.waitForEvent('load'), link.click()])
}

export interface DeskSession {
  readonly headers: { readonly cookie: string }
  readonly csrf: string
}

/** A session of a program. */
export async function deskSession({ process: server }: TestServer, token: string = OPERATOR_TOKEN): Promise<DeskSession> {
  const answer = await askPage(server.baseUrl, '/operator/login', { form: { token } })
  assert.equal(answer.status, 303)
  const headers = cookieHeader(answer)
  const home = await askPage(server.baseUrl, '/operator', { headers })
  return { headers, csrf: hidden(home.text, 'csrf') }
}
