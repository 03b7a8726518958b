// Two members and a key against each other: who made a bulk payout finds no button to approve it, and of two decisions the first one wins.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Disbursement } from '../../engine/contract/disbursement.ts'
import { sharedBrowser } from '../support/browser.ts'
import { plain, textOf } from '../support/checkout-steps.ts'
import { signUp } from '../support/dashboard-callers.ts'
import { plainText } from '../support/dashboard-shop.ts'
import { inDashboard, press, readableInBoth } from '../support/dashboard-steps.ts'
import { DISBURSEMENTS } from '../support/disbursement-callers.ts'
import { joined } from '../support/member-callers.ts'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let browser: Browser

before(async () => {
  server = await sharedServer()
  browser = await sharedBrowser()
})

const APPROVE = 'form[action$="/approve"] button'

test('an owner, a manager and a key of the owner decide', async () => {
  const owner = await signUp(server)
  const manager = await joined(server, owner, 'manager')
  const session = owner.browser.with({ 'x-environment': 'test' })
  const scopes = ['disbursements.write', 'disbursements.approve']
  const { body: made } = await ok(session.post('/v1/dashboard/api-keys', { environment: 'test', scopes, label: 'Paie' }))
  const key = server.anybody.with({ 'x-api-key': String(made.public_key), 'x-api-secret': String(made.secret_key) })
  const tag = newTag()
  await ok(key.post('/v1/biz/test/wallets', { tag }))
  await ok(key.post('/v1/biz/test/deposits', { amount: 1000 }))
  await ok(session.request('PUT', '/v1/dashboard/payout-policy', { json: { approval_above: 0 } }))
  const asked = async (): Promise<string> => {
    const body = { items: [{ recipient: tag, amount: 300 }], start: 'auto', reference: 'PAIE' }
    return (await ok(key.post<Disbursement>(DISBURSEMENTS, body, newKey()))).body.id
  }
  const onPage = (cookie: string, id: string, steps: (page: Page) => Promise<void>): Promise<void> =>
    inDashboard(browser, { viewport: { width: 360, height: 640 } }, async (page) => {
      const [name = '', value = ''] = cookie.split('=')
      await page.context().addCookies([{ name, value, url: server.process.baseUrl }])
      await page.goto(`${server.process.baseUrl}/dashboard/test/disbursements/${id}`)
      await steps(page)
    })
  const first = await asked()
  await onPage(owner.cookie, first, async (page) => {
    assert.equal(await page.locator(APPROVE).count(), 0, 'a key of the owner is the owner')
    await readableInBoth(page, 'second-person-owner')
  })
  const own = await key.post<{ code: string }>(`${DISBURSEMENTS}/${first}/approve`, undefined)
  assert.deepEqual([own.status, own.body.code], [403, 'second_person_required'])
  await onPage(manager.cookie, first, async (page) => {
    await readableInBoth(page, 'second-person-manager')
    await press(page, APPROVE)
    await page.waitForSelector('.badge:has-text("Terminé")')
    assert.match(plain(await textOf(page, 'main')), /Approuvé par/)
  })
  const second = await asked()
  let late = ''
  await onPage(manager.cookie, second, async (page) => {
    late = await page.evaluate<string>(`String(new URLSearchParams(new FormData(document.querySelector('form[action$="/approve"]'))))`)
  })
  await ok(key.post(`${DISBURSEMENTS}/${second}/cancel`, undefined))
  const headers = { cookie: manager.cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const address = `${server.process.baseUrl}/dashboard/test/disbursements/${second}/approve`
  const answer = await fetch(address, { method: 'POST', headers, body: late })
  assert.equal(answer.status, 409, 'the approval of a page that is older than the cancellation')
  assert.match(plainText(await answer.text()), /L’état de ce versement groupé ne permet pas cette opération/)
  const { body } = await key.get<{ available: number }>('/v1/biz/balance')
  assert.equal(body.available, 700)
})
