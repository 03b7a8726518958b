// Messages of customers on the simulated phone and on the dashboard, requested as a browser without a script does.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Charge } from '../../engine/contract/charge.ts'
import { openPayer, type Payer } from '../support/charge-callers.ts'
import type { Client } from '../support/client.ts'
import { newEmail, type Owner, signUp } from '../support/dashboard-callers.ts'
import { plainText } from '../support/dashboard-shop.ts'
import { joined } from '../support/member-callers.ts'
import { signInPhone } from '../support/phone-pages.ts'
import { askPage, hidden, type RawAnswer } from '../support/raw-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let owner: Owner
let cashier: Owner
let keyed: Client
let payer: Payer
let phone: string

before(async () => {
  server = await sharedServer()
  owner = await signUp(server, 'Boutique Awa')
  keyed = await server.keyed(owner.merchantId, 'test', ['disbursements.write'])
  payer = await openPayer(server, { id: owner.merchantId, test: keyed, live: keyed }, 50_000)
  cashier = await joined(server, owner, 'cashier')
  phone = await signInPhone(server.process.baseUrl, payer.tag)
})

function page(who: Pick<Owner, 'cookie'>, path: string): Promise<RawAnswer> {
  return askPage(server.process.baseUrl, `/dashboard/test${path === '' ? '' : `/${path}`}`, { headers: { cookie: who.cookie } })
}

function send(who: Owner, path: string, form: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const headers = { cookie: who.cookie, origin: server.process.baseUrl }
  return askPage(server.process.baseUrl, `/dashboard/test/${path}`, { headers, form: { csrf: who.csrfToken, key: newEmail(), ...form } })
}

/** Returns a charge that the payer has paid, of the keys or of a member. */
async function paidBy(client: Client, reference: string): Promise<Charge> {
  const { token } = (await ok(client.post<Charge>('/v1/biz/charges', { amount: 2500, reference }))).body
  return (await ok(keyed.post<Charge>(`/v1/biz/test/charges/${token}/pay`, { payer_tag: payer.tag }))).body
}

async function write({ transaction_id }: Charge, fields: Readonly<Record<string, string>>): Promise<string> {
  const path = `/dev/phone/history/${transaction_id}`
  const headers = { cookie: phone }
  const { text } = await askPage(server.process.baseUrl, path, { headers })
  assert.match(plainText(text), /Un problème avec ce paiement \?/)
  const form = { f: hidden(text, 'f'), key: hidden(text, 'key'), ...fields }
  const sent = await askPage(server.process.baseUrl, `${path}/problem`, { headers, form })
  assert.equal(sent.status, 303, sent.text)
  return plainText((await askPage(server.process.baseUrl, path, { headers })).text)
}

test('a customer writes on the phone, the home page says so, a member answers, and the phone shows the answer', async () => {
  const charge = await paidBy(keyed, 'CMD-7')
  assert.match(
    await write(charge, { reason: 'not_as_agreed', text: 'La robe est bleue.' }),
    /Non conforme .*La robe est bleue\..*pas encore répondu/,
  )
  assert.match(plainText((await page(owner, '')).text), /1 message d’un client attend/)
  const list = (await page(owner, 'problems?state=open')).text
  const path = /problems\/[0-9a-f-]{36}/.exec(list)?.[0] ?? ''
  const shown = plainText((await page(owner, path)).text)
  assert.match(shown, new RegExp(`Non conforme Attend votre réponse .*Message de @${payer.tag} La robe est bleue\\..*2 500 F CFA .*CMD-7`))
  const blank = await send(owner, `${path}/answer`, { text: ' ' })
  assert.deepEqual([blank.status, blank.text.includes('id="text-error"')], [400, true])
  const answered = await send(owner, `${path}/answer`, { text: 'Nous la changeons demain.' })
  assert.match(answered.location, /ok=problem_answered$/)
  assert.match(plainText((await page(owner, path)).text), /Répondu .*Votre réponse Nous la changeons demain\./)
  assert.doesNotMatch(plainText((await page(owner, '')).text), /message d’un client/)
  const headers = { cookie: phone }
  const seen = plainText((await askPage(server.process.baseUrl, `/dev/phone/history/${charge.transaction_id}`, { headers })).text)
  assert.match(seen, /Réponse Nous la changeons demain\. .*Écrire de nouveau/)
})

test('a cashier sees the messages about its own charges alone, and answers none', async () => {
  const own = await paidBy(cashier.browser.with({ 'x-environment': 'test' }), 'CAISSE-1')
  const other = await paidBy(keyed, 'CMD-8')
  await write(own, { reason: 'paid_twice', text: '' })
  await write(other, { reason: 'wrong_amount', text: '' })
  assert.match(plainText((await page(cashier, '')).text), /1 message d’un client attend/)
  const list = plainText((await page(cashier, 'problems')).text)
  assert.match(list, /Payé deux fois .*CAISSE-1/)
  assert.doesNotMatch(list, /CMD-8/)
  const pathOf = (text: string, reference: string): string => {
    const row = text.split('<tr').find((one) => one.includes(reference)) ?? ''
    return /problems\/[0-9a-f-]{36}/.exec(row)?.[0] ?? ''
  }
  const all = (await page(owner, 'problems')).text
  assert.equal((await page(cashier, pathOf(all, 'CMD-8'))).status, 404)
  const path = pathOf(all, 'CAISSE-1')
  assert.equal((await page(cashier, path)).status, 200)
  assert.ok(!(await page(cashier, path)).text.includes('/answer"'))
  assert.equal((await send(cashier, `${path}/answer`, { text: 'Oui.' })).status, 403)
})

test('a refund of the payment ends its message on every page', async () => {
  const charge = await paidBy(keyed, 'CMD-9')
  await write(charge, { reason: 'cancelled', text: '' })
  const { location } = await send(owner, `charges/${charge.token}/refund`, { reason: 'cancelled', text: '' })
  assert.match(location, /ok=charge_refunded$/)
  const headers = { cookie: phone }
  const seen = plainText((await askPage(server.process.baseUrl, `/dev/phone/history/${charge.transaction_id}`, { headers })).text)
  assert.match(seen, /Le paiement est remboursé/)
  assert.doesNotMatch(seen, /Écrire de nouveau/)
  assert.match(plainText((await page(owner, 'problems?q=CMD-9')).text), /Achat annulé Remboursé/)
})
