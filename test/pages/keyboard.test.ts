// Where money moves the keyboard alone is enough, at 360 and at 1280 pixels: each field and each button is reached by the tab key.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sharedBrowser } from '../support/browser.ts'
import { openPayer } from '../support/charge-callers.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { signUp } from '../support/dashboard-callers.ts'
import { inDashboard } from '../support/dashboard-steps.ts'
import { deskSession } from '../support/operator-steps.ts'
import { type Merchant, newKey, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
})

/** More than a page has controls. */
const TABS_MAX = 120

/** Presses the tab key until the control has the focus. */
async function reach(page: Page, selector: string): Promise<void> {
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${selector} is reached by the tab key on ${page.url()}`)
}

const enter = (page: Page) => Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])

interface Step {
  /** Fields by selector. An empty text takes the next choice of a list. */
  readonly typed?: Readonly<Record<string, string>>
  /** Folded part that is opened before. */
  readonly opens?: string
  readonly presses: string
}

async function take(page: Page, { typed = {}, opens, presses }: Step): Promise<void> {
  if (opens !== undefined) {
    await reach(page, opens)
    await page.keyboard.press('Enter')
  }
  for (const [selector, text] of Object.entries(typed)) {
    await reach(page, selector)
    await (text === '' ? page.keyboard.press('ArrowDown') : page.keyboard.type(text))
  }
  await reach(page, presses)
  await enter(page)
}

const MONEY: readonly (readonly [name: string, path: string, steps: readonly Step[], says: RegExp])[] = [
  [
    'a payout',
    'payouts/new',
    [
      { typed: { '#recipient': '@PAYER', '#amount': '1 500' }, presses: 'main form.card button[type=submit]' },
      { presses: 'form[action$="/payouts"] button' },
    ],
    /Versement de 1 500 F CFA\s*Versé/,
  ],
  [
    'a bulk payout',
    'disbursements/new',
    [
      { typed: { '#lines': 'PAYER;2000' }, presses: 'form[action$="/disbursements/new"] button[type=submit]' },
      { presses: 'form[action$="/start"] button' },
    ],
    /2 000 F CFA/,
  ],
  [
    'a withdrawal',
    'withdrawals/new',
    [
      {
        typed: { '#amount': '3 000', '#name': 'Boutique Awa', '#account': 'SN08SN0100152000048500003035' },
        presses: 'form[action$="/withdrawals/new"] button[type=submit]',
      },
      { presses: 'form[action$="/withdrawals"] button' },
    ],
    /Retrait de 3 000 F CFA/,
  ],
  [
    'a refund',
    'charges/CHARGE',
    [
      {
        opens: 'details.confirm:has(form[action$="/refund"]) > summary',
        typed: { '[name=reason]': '' },
        presses: 'form[action$="/refund"] button',
      },
    ],
    /Remboursé/,
  ],
]

/** The operator searches by e-mail address, chooses the account of real money, and deposits. */
const depositFor = (email: string): readonly Step[] => [
  { typed: { '#q': email }, presses: 'form[action="funding"] button' },
  { presses: 'tbody tr:has(.is-live) th a' },
  { typed: { '#kind': '', '#amount': '4 000' }, presses: 'form[action="funding/check"] button' },
  { typed: { '#again': '4 000' }, presses: 'form[action="confirm"] button' },
]

async function deskCookie(): Promise<{ readonly name: string; readonly value: string }> {
  const [name = '', value = ''] = (await deskSession(server)).headers.cookie.split('=')
  return { name, value }
}

for (const options of [
  { viewport: { width: 360, height: 740 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
] as const) {
  test(`money is paid, withdrawn, given back and deposited by keyboard alone: ${options.viewport.width} px, ${options.colorScheme}`, async () => {
    const owner = await signUp(server, 'Boutique au clavier')
    const keyed = await server.keyed(owner.merchantId, 'test', ['disbursements.write'])
    await ok(keyed.post('/v1/biz/test/deposits', { amount: 100_000 }))
    const merchant: Merchant = { id: owner.merchantId, test: keyed, live: keyed }
    const payer = await openPayer(server, merchant, 50_000)
    const { token } = (await ok(keyed.post<{ token: string }>('/v1/biz/charges', { amount: 700 }))).body
    await ok(keyed.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: payer.tag }, newKey()))
    const filled = (text: string): string => text.replace('PAYER', payer.tag).replace('CHARGE', token)
    await inDashboard(browser, options, async (page) => {
      const [name = '', value = ''] = owner.cookie.split('=')
      await page.context().addCookies([{ name, value, url: server.process.baseUrl }])
      for (const [what, path, steps, says] of MONEY) {
        await page.goto(`${server.process.baseUrl}/dashboard/test/${filled(path)}`)
        for (const step of steps) {
          const typed = Object.fromEntries(Object.entries(step.typed ?? {}).map(([selector, text]) => [selector, filled(text)]))
          await take(page, { ...step, typed })
        }
        assert.match(plain(await textOf(page, 'main')), says, what)
      }
      await page.context().addCookies([{ ...(await deskCookie()), url: server.process.baseUrl }])
      await page.goto(`${server.process.baseUrl}/operator/funding`)
      for (const step of depositFor(owner.email)) await take(page, step)
      assert.match(plain(await textOf(page, 'main')), /Effectué\. .*Solde ensuite ?4 000 F CFA/)
    })
  })
}
