// Every page in a real Chromium: it fits a phone and a desk, no word is broken, controls are large enough to touch, and text has
// contrast in both themes at rest, hovered, focused and printed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { keepPicture, openContext, sharedBrowser } from '../support/browser.ts'
import { type EveryPage, openEveryPage, pagePaths, signInContext } from '../support/every-page.ts'
import { PageLook } from '../support/page-look.ts'
import { PageWeights } from '../support/page-weight.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { ownServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser
let every: EveryPage

before(async () => {
  server = await ownServer()
  browser = await sharedBrowser()
  every = await openEveryPage(server)
})

after(async () => {
  await server?.close()
})

/** They answer a form, or an image. */
const NOT_BY_ADDRESS = /^\/(?:dashboard\/\{environment\}\/security\/enroll|logos\/\{name\}|operator\/funding\/confirm)$/

/** Two seconds at 400 kbit/s, slow 3G. */
const WEIGHT_MAX_BYTES = 100_000

describe('every page', () => {
  test('the list has each page of the route table', () => {
    assert.deepEqual(
      pagePaths().filter((path) => !NOT_BY_ADDRESS.test(path)),
      Object.keys(every.addresses).sort(),
    )
  })

  test('comes compressed, and weighs at most 100 kB with all that it loads', async () => {
    const { owner, desk, phone, addresses } = every
    const weights = new PageWeights(`${owner.cookie}; ${desk.headers.cookie}; ${phone}`)
    const heavy: string[] = []
    for (const address of new Set(Object.values(addresses).flat())) {
      const bytes = await weights.of(server.process.baseUrl + address)
      if (bytes > WEIGHT_MAX_BYTES) heavy.push(`${address}: ${bytes} bytes`)
    }
    assert.deepEqual(heavy, [])
  })

  for (const [name, holds] of [
    ['the dashboard', (path: string) => path.startsWith('/dashboard')],
    ['the desk, the checkout and the pages for development', (path: string) => !path.startsWith('/dashboard')],
  ] as const) {
    test(`${name} on a phone and on a desk, in both themes, at rest, hovered, focused and printed`, async () => {
      const baseUrl = server.process.baseUrl
      const context = await openContext(browser, { reducedMotion: 'reduce' })
      await signInContext(context, baseUrl, every)
      const page = await context.newPage()
      const look = await PageLook.open(page)
      if (holds('/dev/phone')) {
        await page.goto(`${baseUrl}/dev/phone`)
        await look.at('/dev/phone, signed out')
      }
      const [phone = '', session = ''] = every.phone.split(/=(.*)/)
      await context.addCookies([{ name: phone, value: session, url: baseUrl }])
      for (const [path, addresses] of Object.entries(every.addresses).filter(([path]) => holds(path))) {
        for (const address of addresses) {
          await page.goto(baseUrl + address)
          await keepPicture(page, `page-${path.replaceAll(/\W+/g, '-')}`)
          await look.at(address)
        }
      }
      await context.close()
      assert.deepEqual(look.faults, [])
    })
  }
})
