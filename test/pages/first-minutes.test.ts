// The first five minutes of a new user, by nothing but what the first start prints and the pages for development: a
// payout, the telephone, a charge that is paid on it, and what the server sent meanwhile.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible, keepPicture, openPage, sharedBrowser } from '../support/browser.ts'
import { assertNoFaults, plain, textOf } from '../support/checkout-steps.ts'
import { sendForm } from '../support/forms.ts'
import { follow } from '../support/operator-steps.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { ownServer } from '../support/shared-server.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await ownServer()
  browser = await sharedBrowser()
})

after(async () => {
  await server?.close()
})

/** What a shell makes of a printed command: address, headers and body. */
function request(command: string): { readonly url: string; readonly headers: Record<string, string>; readonly body: string } {
  const [, url = ''] = /curl -sS -X POST (\S+)/.exec(command) ?? []
  const headers = Object.fromEntries([...command.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name = '', value = '']) => [name, value]))
  const [, body = ''] = /-d '([^']*)'/.exec(command) ?? []
  return { url, headers, body }
}

async function paste(command: string): Promise<Record<string, unknown>> {
  const { url, headers, body } = request(command)
  const answer = await fetch(url, { method: 'POST', headers, body })
  assert.equal(answer.status, 201)
  return (await answer.json()) as Record<string, unknown>
}

test('the root leads a browser to the pages, and the printed login opens the dashboard of the demo merchant', async () => {
  const [, email = '', password = ''] = /Dashboard: .*\((\S+), password (\S+)\)/.exec(server.process.errorOutput()) ?? []
  const seen = await openPage(browser, { viewport: { width: 360, height: 740 } })
  try {
    await seen.page.goto(server.process.baseUrl)
    await assertAccessible(seen.page)
    await keepPicture(seen.page, 'first-start')
    const links = await seen.page.$$eval('.starts a', (all) => all.map((one) => one.getAttribute('href')))
    assert.deepEqual(links, ['dashboard/test', 'dev/phone', 'dev', 'operator', 'docs', 'openapi.yaml'])
    for (const link of links) assert.equal((await fetch(`${server.process.baseUrl}/${link}`)).status, 200, String(link))
    await follow(seen.page, 'Tableau de bord')
    await sendForm(seen.page, 'login', { email, password })
    assert.match(plain(await textOf(seen.page, 'body')), /Boutique Démo.*1 000 000 F CFA/)
    assertNoFaults(seen)
  } finally {
    await seen.context.close()
  }
  const json = await fetch(server.process.baseUrl, { headers: { accept: 'application/json' } })
  assert.deepEqual([json.status, ((await json.json()) as { code: string }).code], [404, 'not_found'])
  const away = await fetch(server.process.baseUrl, {
    headers: { accept: 'text/html', 'x-forwarded-for': '203.0.113.7' },
    redirect: 'manual',
  })
  assert.deepEqual([away.status, away.headers.get('location')], [303, 'dashboard'])
})

test('what the first start prints leads to a paid charge', async () => {
  const printed = server.process.errorOutput()
  const [payout = '', charge = ''] = [...printed.matchAll(/curl -sS (?:.|\n)*?-d '[^']*'/g)].map(([command]) => command)
  const [, dev = ''] = /Inbox: +(\S+)/.exec(printed) ?? []
  assert.equal(dev, `${server.process.baseUrl}/dev`)
  assert.equal((await paste(payout)).state, 'paid')

  const seen = await openPage(browser, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true })
  const { page } = seen
  try {
    await page.goto(dev)
    assert.match(plain(await textOf(page, '.letter')), /Vous avez reçu 5 000 F CFA de Boutique Démo/)
    await follow(page, 'Téléphone')
    await sendForm(page, 'phone/start', { identifier: '@awa_demo' })
    assert.equal(await page.inputValue('#code'), '000000', 'the code of every test wallet is there already')
    await sendForm(page, 'phone/login', { pin: '2580' })
    assert.match(plain(await textOf(page, '.amount')), /^5 000 F CFA$/)
    await page.waitForSelector('[data-listening]')
    await assertAccessible(page)
    await keepPicture(page, 'first-phone')

    const { checkout_url, token } = await paste(charge)
    await page.goto(String(checkout_url))
    assert.match(plain(await textOf(page, 'h1')), /Payer à Boutique Démo 2 000 F CFA/)
    await keepPicture(page, 'first-checkout')
    await follow(page, 'Payer avec le téléphone simulé')
    await keepPicture(page, 'first-payment')
    await sendForm(page, 'pay', { pin: '2580' })
    assert.equal(await textOf(page, '.ending h2'), 'Paiement effectué')
    await page.goto(String(checkout_url))
    assert.equal(await textOf(page, 'h1'), 'Paiement effectué', 'the customer’s page says so too')
    await page.goto(dev)
    assert.match(await textOf(page, '.letter'), /Webhook.*charge\.succeeded/)
    await keepPicture(page, 'first-inbox')

    const { headers } = request(charge)
    const answer = await fetch(`${server.process.baseUrl}/v1/biz/charges/${token}`, { headers })
    assert.deepEqual((({ state, payer_tag }) => ({ state, payer_tag }))((await answer.json()) as Record<string, unknown>), {
      state: 'paid',
      payer_tag: 'awa_demo',
    })
    assertNoFaults(seen)
  } finally {
    await seen.context.close()
  }
})

test('each start prints the same keys and login, and a charge that does not exist yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-starts-'))
  try {
    const printed: string[] = []
    for (const _ of ['first', 'second']) {
      const one = await ownServer({}, folder)
      printed.push(one.process.errorOutput().replaceAll(/127\.0\.0\.1:\d+/g, 'here'))
      await one.close()
    }
    const keys = printed.map((text) => /paiement-[0-9a-f]{12}/.exec(text)?.[0] ?? '')
    assert.notEqual(keys[0], keys[1])
    assert.equal(printed[1]?.replace(keys[1] ?? '', 'key'), printed[0]?.replace(keys[0] ?? '', 'key'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
