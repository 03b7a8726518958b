// The till, its closing sheet and the counter, requested as a browser without a script does.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { SignedIn } from '../../engine/contract/dashboard.ts'
import { openPayer, type Payer } from '../support/charge-callers.ts'
import type { Client } from '../support/client.ts'
import { newEmail, type Owner, signUp } from '../support/dashboard-callers.ts'
import { plainText } from '../support/dashboard-shop.ts'
import { joined } from '../support/member-callers.ts'
import { askPage, type RawAnswer } from '../support/raw-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let payer: Payer
let owner: Owner
let ownerId: string
let keyed: Client
let cashier: Owner & { readonly id: string }

before(async () => {
  server = await sharedServer()
  owner = await signUp(server, 'Boutique Awa')
  keyed = await server.keyed(owner.merchantId, 'test', ['disbursements.write'])
  payer = await openPayer(server, { id: owner.merchantId, test: keyed, live: keyed }, 50_000)
  cashier = await joined(server, owner, 'cashier')
  ownerId = (await ok(owner.browser.get<SignedIn>('/v1/dashboard/me'))).body.user.id
})

function page(who: Pick<Owner, 'cookie'>, path: string): Promise<RawAnswer> {
  return askPage(server.process.baseUrl, `/dashboard/test/${path}`, { headers: { cookie: who.cookie } })
}

function send(who: Owner, path: string, form: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const headers = { cookie: who.cookie, origin: server.process.baseUrl }
  return askPage(server.process.baseUrl, `/dashboard/test/${path}`, { headers, form: { csrf: who.csrfToken, key: newEmail(), ...form } })
}

/** Collects at the counter. Returns the path of the charge's page. */
async function collected(who: Owner, amount: string): Promise<string> {
  const { status, location } = await send(who, 'counter', { amount })
  const path = /counter\/[\w-]{32}/.exec(location)?.[0]
  assert.ok(status === 303 && path !== undefined, location)
  return path
}

async function pay(path: string): Promise<void> {
  await ok(keyed.post(`/v1/biz/test/charges/${path.slice('counter/'.length)}/pay`, { payer_tag: payer.tag }))
}

describe('the counter', () => {
  test('shows the code of an amount, and then that it is paid, for whom and how much', async () => {
    assert.match((await page(cashier, 'counter')).text, /data-pad="amount" hidden/)
    const path = await collected(cashier, '1 500')
    const waiting = (await page(cashier, path)).text
    assert.match(waiting, /data-awaits-payment[\s\S]*qr\.svg/)
    assert.ok(!waiting.includes('paid-screen'))
    await pay(path)
    assert.match(plainText((await page(cashier, path)).text), new RegExp(`Payé 1 500 F CFA par @${payer.tag} Client suivant`))
  })

  test('says what is wrong with an amount and keeps it, and a cancelled payment leads to the next', async () => {
    const { status, text } = await send(cashier, 'counter', { amount: '12,5' })
    assert.deepEqual([status, text.includes('id="amount-error"'), text.includes('value="12,5"')], [400, true, true])
    const path = await collected(cashier, '700')
    assert.match((await send(cashier, `${path}/cancel`, {})).location, /counter\?ok=charge_cancelled$/)
    assert.match(plainText((await page(cashier, path)).text), /Ce paiement est terminé : Annulé/)
  })
})

describe('the till', () => {
  test('says who took what today, leads to these charges, and shows a cashier its own alone', async () => {
    await pay(await collected(owner, '4 000'))
    const all = plainText((await page(owner, 'till')).text)
    assert.ok(all.includes(owner.email) && all.includes(cashier.email) && all.includes('4 000 F CFA'))
    const own = plainText((await page(cashier, 'till')).text)
    assert.ok(own.includes(cashier.email) && !own.includes(owner.email) && !own.includes('4 000 F CFA'))
    const one = plainText((await page(owner, `till?member_id=${ownerId}`)).text)
    assert.ok(one.includes('4 000 F CFA'))
    const wrong = await page(owner, 'till?member_id=x')
    assert.deepEqual([wrong.status, wrong.text.includes('trop de paiements')], [400, false])
    const list = (await page(owner, `charges?created_by=${cashier.id}`)).text
    assert.ok(list.includes('1\u202f500') && !list.includes('4\u202f000'))
    assert.match(plainText((await page(owner, 'till?from=2020-01-01&to=2020-01-02')).text), /Aucun paiement dans cette période/)
  })

  test('is closed by a sheet with the cash that was counted, and what is no number counts as none', async () => {
    const path = 'till/close?p10000=2&p500=3&p5=x&float=5+000'
    const sheet = plainText((await page(cashier, path)).text)
    assert.match(sheet, /Boutique Awa Clôture de caisse/)
    assert.match(sheet, /Net 1 500 F CFA/)
    assert.match(sheet, /10 000 F CFA 2 · 20 000 F CFA 500 F CFA 3 · 1 500 F CFA Espèces comptées 21 500 F CFA/)
    assert.match(sheet, /Espèces de la période 16 500 F CFA Reçu par Cauri, net 1 500 F CFA Total de la période 18 000 F CFA/)
    assert.match(sheet, /Signature du caissier Signature du responsable/)
    assert.ok(!plainText((await page(cashier, 'till/close')).text).includes('Espèces de la période'))
  })
})
