// A long file of payouts on the dashboard, in a real browser: sent as a file, checked, paid part after part, taken up
// again where it stopped, and never paid twice.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openPage, sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import type { Client } from '../support/client.ts'
import { signUp } from '../support/dashboard-callers.ts'
import { inDashboard, press, readable } from '../support/dashboard-steps.ts'
import { newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
})

interface Shop {
  readonly keyed: Client
  readonly tag: string
  readonly balance: () => Promise<number>
  /** Signs the browser in. */
  readonly open: (page: Page) => Promise<string>
  readonly get: (path: string) => Promise<Response>
  /** Sends fields as the browser that is signed in does. */
  readonly post: (path: string, fields: Readonly<Record<string, string>>) => Promise<Response>
}

async function openShop(funds: number): Promise<Shop> {
  const owner = await signUp(server)
  const keyed = await server.keyed(owner.merchantId, 'test', ['disbursements.write'])
  const tag = newTag()
  await keyed.post('/v1/biz/test/deposits', { amount: funds })
  await keyed.post('/v1/biz/test/wallets', { tag })
  const base = `${server.process.baseUrl}/dashboard/test`
  return {
    keyed,
    tag,
    balance: async () => (await keyed.get<{ available: number }>('/v1/biz/balance')).body.available,
    open: async (page) => {
      const [name = '', value = ''] = owner.cookie.split('=')
      await page.context().addCookies([{ name, value, url: server.process.baseUrl }])
      await page.goto(`${base}/batches/new`)
      return base
    },
    get: (path) => fetch(base + path, { headers: { cookie: owner.cookie } }),
    post: (path, fields) => {
      const body = new FormData()
      for (const [name, value] of Object.entries({ csrf: owner.csrfToken, ...fields })) body.set(name, value)
      return fetch(base + path, { method: 'POST', redirect: 'manual', headers: { cookie: owner.cookie }, body })
    },
  }
}

const file = (lines: readonly string[]) => ({ name: 'paie.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n'), 'latin1') })

const linesTo = (tag: string, count: number): string[] => [
  'Bénéficiaire;Montant;Référence',
  ...Array.from({ length: count }, (_, at) => `@${tag};10;R${at}`),
]

async function hiddenFields(page: Page): Promise<Record<string, string>> {
  const inputs = await page.locator('form[action$="/batches"] input[type=hidden]').all()
  const pairs = inputs.map(async (input) => [(await input.getAttribute('name')) ?? '', await input.inputValue()] as const)
  return Object.fromEntries(await Promise.all(pairs))
}

const PAY = 'form[action$="/batches"] button:not(.quiet)'

describe('a file of 1 200 lines', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`a file of 1 200 lines is paid in three parts ${javaScriptEnabled ? 'by itself' : 'without a script'}, and not twice`, async () => {
      const shop = await openShop(20_000)
      await inDashboard(browser, { javaScriptEnabled }, async (page) => {
        const base = await shop.open(page)
        const lines = [...linesTo(shop.tag, 1199), '@personne_ici;10;']
        await page.setInputFiles('#file', file(lines))
        await press(page, 'form.card button[type=submit]')
        assert.match(plain(await textOf(page, 'main')), /À verser ?11 990 F CFA \(1 199 lignes sur 1 200\)/)
        assert.equal(await page.locator('tbody tr').count(), 1)
        assert.equal(await textOf(page, 'tbody td'), '1201', 'the row of the spreadsheet, whose first row is the header')
        if (javaScriptEnabled) await readable(page, 'batch-file-check')
        await press(page, PAY)
        if (!javaScriptEnabled) {
          assert.match(plain(await textOf(page, '[data-run]')), /500 lignes sur 1 200 traitées/)
          await press(page, PAY)
          assert.match(plain(await textOf(page, '[data-run]')), /1 000 lignes sur 1 200 traitées.*encore 200 lignes/)
          await press(page, PAY)
        }
        await page.waitForURL(/batches\/runs\/lot-[0-9a-f]{40}\?parts=3&rows=2-1201&ok=batches_done$/)
        assert.match(plain(await textOf(page, 'main')), /Versé : 11 990 F CFA \(1 199 lignes sur 1 200\)/)
        assert.equal(await page.locator('main li a[href*="/batches/0"]').count(), 3)
        assert.equal(await shop.balance(), 8010)
        if (javaScriptEnabled) await readable(page, 'batch-file-paid')

        await page.goto(`${base}/batches/new`)
        await page.setInputFiles('#file', file(lines))
        await press(page, 'form.card button[type=submit]')
        assert.equal(await textOf(page, 'h1'), 'Fichier déjà traité')
        assert.equal(await shop.balance(), 8010)
        await press(page, 'form[action$="/again"] button')
        assert.match(plain(await textOf(page, 'main')), /À verser ?11 990.*ne suffit pas/)
      })
    })
  }

  test('a file of 1 200 lines says so when the network is gone, and goes on by its button', async () => {
    const shop = await openShop(20_000)
    const { page, context } = await openPage(browser)
    await shop.open(page)
    await page.setInputFiles('#file', file(linesTo(shop.tag, 1200)))
    await press(page, 'form.card button[type=submit]')
    // The second part is on disk, its answer is lost.
    let isLost = false
    await page.route('**/batches', async (route) => {
      if (isLost || route.request().resourceType() !== 'xhr') return route.continue()
      isLost = true
      await route.fetch()
      await route.abort()
    })
    await press(page, PAY)
    await page.waitForSelector('[role=status]:has-text("interrompue")')
    assert.equal(await shop.balance(), 10_000)
    await page.click(PAY)
    await page.waitForURL(/batches\/runs\//)
    assert.equal(await shop.balance(), 8000)
    await context.close()
  })

  test('a file of 1 200 lines goes on where it stopped when it is sent again, and a part that is sent twice is paid once', async () => {
    const shop = await openShop(20_000)
    await inDashboard(browser, { javaScriptEnabled: false }, async (page) => {
      const base = await shop.open(page)
      await page.fill('#lines', linesTo(shop.tag, 1200).join('\n'))
      await press(page, 'form.card button[type=submit]')
      const fields = await hiddenFields(page)
      // The browser is closed after this: the next button is not pressed.
      const answers = await Promise.all([shop.post('/batches', fields), shop.post('/batches', fields), shop.post('/batches', fields)])
      for (const answer of answers) assert.match(await answer.text(), /Continuer/)
      assert.equal(await shop.balance(), 15_000)
      await page.goto(`${base}/batches/runs/${fields.key}?parts=3`)
      assert.match(await textOf(page, '.error'), /Parties traitées : 1 sur 3/)
      await page.goto(`${base}/batches/new`)
      await page.setInputFiles('#file', file(linesTo(shop.tag, 1200)))
      await press(page, 'form.card button[type=submit]')
      assert.match(plain(await textOf(page, 'main')), /500 lignes de ce fichier sont déjà traitées.*seules les autres/)
      await press(page, PAY)
      await press(page, PAY)
      assert.match(page.url(), /batches\/runs\//)
      assert.equal(await shop.balance(), 8000)
    })
  })

  test('a file of 1 200 lines is refused where its page was changed, and belongs to its merchant', async () => {
    const shop = await openShop(20_000)
    await inDashboard(browser, { javaScriptEnabled: false }, async (page) => {
      await shop.open(page)
      await page.fill('#lines', linesTo(shop.tag, 501).join('\n'))
      await press(page, 'form.card button[type=submit]')
      const fields = await hiddenFields(page)
      assert.equal((await shop.post('/batches', fields)).status, 200)
      const changed = await shop.post('/batches', { ...fields, lines: (fields.lines ?? '').replaceAll(',10,', ',11,') })
      assert.equal(changed.status, 400)
      assert.match(await changed.text(), /déjà servi/)
      assert.equal((await shop.post('/batches', { ...fields, csrf: 'x' })).status, 403)
      for (const wrong of [{ key: 'lot-1' }, { part: '10' }, { part: '-1' }, { parts: '99' }]) {
        assert.match(await (await shop.post('/batches', { ...fields, ...wrong })).text(), /Vérifier le versement groupé/)
      }
      for (const lines of ['', '{}', '[[2,"@awa",10]]', '[[2,"@awa","10","",""]]', '[[2,"@awa",10,"",null]]'])
        assert.equal((await shop.post('/batches', { ...fields, lines })).status, 400, lines)
      assert.equal(await shop.balance(), 15_000)
      const stranger = await openShop(1000)
      assert.equal((await stranger.get(`/batches/runs/${fields.key}`)).status, 404)
      assert.equal((await shop.get(`/batches/runs/${fields.key}`)).status, 200)
    })
  })
})

describe('a file', () => {
  for (const [name, bytes, told] of [
    ['of a workbook', Buffer.from('504b030414000600', 'hex'), /enregistrez-le au format CSV/],
    ['of too many lines', Buffer.from(linesTo('awa', 5001).join('\n')), /5 001 lignes ; 5 000 au plus/],
    ['without a line', Buffer.from('\n\n'), /au moins une ligne/],
  ] as const) {
    test(`${name} gets an error message`, async () => {
      const shop = await openShop(1000)
      const { page, context } = await openPage(browser)
      await shop.open(page)
      await page.setInputFiles('#file', { name: 'paie.csv', mimeType: 'text/csv', buffer: bytes })
      await press(page, 'form.card button[type=submit]')
      assert.match(plain(await textOf(page, '[role=alert]')), told)
      await context.close()
    })
  }
})
