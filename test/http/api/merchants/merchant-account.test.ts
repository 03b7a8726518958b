// The account of a merchant over HTTP: its address and language at once, its name once an operator has approved it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantAccount, MerchantNameChange } from '../../../../engine/contract/merchant-account.ts'
import type { Answer, Client } from '../../../support/client.ts'
import { type Owner, signUp } from '../../../support/dashboard-callers.ts'
import { mailed } from '../../../support/mailed.ts'
import { joined } from '../../../support/member-callers.ts'
import type { TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const PATH = '/v1/dashboard/account'

const read = async ({ browser }: { browser: Client }): Promise<MerchantAccount> => (await ok(browser.get<MerchantAccount>(PATH))).body
const put = ({ browser }: { browser: Client }, json: object) => browser.request<MerchantAccount>('PUT', PATH, { json })
const codeOf = ({ status, body }: Answer<object>): unknown[] => [
  status,
  (body as { code?: string }).code,
  (body as { param?: string }).param,
]

async function waiting(server: TestServer, owner: Owner): Promise<MerchantNameChange | undefined> {
  const { data } = (await ok(server.operator.get<{ data: MerchantNameChange[] }>('/v1/operator/name-changes?limit=100'))).body
  return data.find(({ merchant_id }) => merchant_id === owner.merchantId)
}

/** The name that a customer reads before it pays. */
async function shownTo(server: TestServer, owner: Owner): Promise<string> {
  const key = await server.keyed(owner.merchantId, 'test', [])
  const { token } = (await ok(key.post<{ token: string }>('/v1/biz/charges', { amount: 10 }))).body
  return (await ok(server.anybody.get<{ merchant_name: string }>(`/v1/biz/checkout/${token}`))).body.merchant_name
}

test('an owner changes address and language at once, and fields that are left out stay', async () => {
  const server = await sharedServer()
  const owner = await signUp(server, 'Boutique Awa')
  const fresh = {
    merchant_id: owner.merchantId,
    name: 'Boutique Awa',
    name_change: null,
    logo_url: null,
    logo_change: null,
    address: null,
    time_zone: 'Africa/Dakar',
    email_language: null,
  }
  assert.deepEqual(await read(owner), fresh)
  const set = await ok(put(owner, { address: '12 rue Félix Faure, Dakar', email_language: 'en' }))
  assert.deepEqual(set.body, { ...fresh, address: '12 rue Félix Faure, Dakar', email_language: 'en' })
  assert.deepEqual((await ok(put(owner, { email_language: null }))).body, { ...set.body, email_language: null })
  assert.deepEqual((await ok(put(owner, { address: null }))).body, fresh)
  assert.deepEqual((await ok(put(owner, { time_zone: 'Africa/Lagos' }))).body, { ...fresh, time_zone: 'Africa/Lagos' })
  assert.deepEqual((await ok(put(owner, { time_zone: 'Africa/Dakar' }))).body, fresh)
  assert.deepEqual((await ok(put(owner, {}))).body, fresh)
  const activity = (
    await ok(owner.browser.get<{ data: { action: string; summary: string }[] }>('/v1/dashboard/activity?action=account.set'))
  ).body
  assert.deepEqual(new Set(activity.data.map(({ summary }) => summary)), new Set(['Compte modifié']))
})

test('customers read a new name once an operator has approved it, and the owner is told by mail in its language', async () => {
  const server = await sharedServer()
  const owner = await signUp(server, 'Boutique Awa')
  await ok(put(owner, { name: 'Chez Awa', email_language: 'en' }))
  const asked = (await read(owner)).name_change
  assert.deepEqual([asked?.state, asked?.name, asked?.reason, asked?.decided_at], ['requested', 'Chez Awa', null, null])
  assert.equal(await shownTo(server, owner), 'Boutique Awa')
  assert.deepEqual(await waiting(server, owner), { merchant_id: owner.merchantId, merchant_name: 'Boutique Awa', ...asked })
  const path = `/v1/operator/merchants/${owner.merchantId}/name`
  assert.deepEqual(codeOf(await server.operator.post(`${path}/approve`, { name: 'Chez Binta' })).slice(0, 2), [409, 'request_not_open'])
  await ok(put(owner, { name: 'Chez Awa et fils' }))
  assert.deepEqual(
    codeOf(await server.operator.post(`${path}/approve`, { name: 'Chez Awa' })).slice(0, 2),
    [409, 'request_not_open'],
    'an operator approves what it has seen',
  )
  const approved = await ok(server.operator.post<{ name: string }>(`${path}/approve`, { name: 'Chez Awa et fils' }))
  assert.equal(approved.body.name, 'Chez Awa et fils')
  assert.deepEqual([(await read(owner)).name, (await read(owner)).name_change], ['Chez Awa et fils', null])
  assert.equal(await shownTo(server, owner), 'Chez Awa et fils')
  assert.equal(await waiting(server, owner), undefined)
  const letter = await mailed(server, owner.email, 'Your new name was approved')
  assert.ok(!letter.includes('Votre nouveau nom'), 'the mail is in the language that the owner chose')
  assert.match(letter, /dashboard\/live\/account/)
})

test('a refused name leaves the old one, with the reason for the owner, and the same name can be asked for again', async () => {
  const server = await sharedServer()
  const owner = await signUp(server, 'Boutique Awa')
  const path = `/v1/operator/merchants/${owner.merchantId}`
  assert.deepEqual(codeOf(await server.operator.post(`${path}/name/refuse`, { reason: 'Rien' })).slice(0, 2), [409, 'request_not_open'])
  await ok(put(owner, { name: 'Orange Money' }))
  await ok(server.operator.post(`${path}/name/refuse`, { reason: 'Le nom d’une autre entreprise.' }))
  const { name, name_change } = await read(owner)
  assert.deepEqual([name, name_change?.state, name_change?.reason], ['Boutique Awa', 'refused', 'Le nom d’une autre entreprise.'])
  assert.match(await mailed(server, owner.email, 'Votre nouveau nom est refusé'), /Motif : Le nom d’une autre entreprise/)
  await ok(put(owner, { name: 'Orange Money' }))
  assert.equal((await read(owner)).name_change?.state, 'requested')
  await ok(put(owner, { name: 'Boutique Awa' }))
  assert.equal((await read(owner)).name_change, null, 'the present name withdraws what waits')
  const audit = (await ok(server.operator.get<{ data: { action: string }[] }>(`/v1/operator/audit?merchant_id=${owner.merchantId}`))).body
  assert.deepEqual(
    audit.data.map(({ action }) => action),
    ['merchant.name_refuse'],
  )
  const timeline = (await ok(server.operator.get<{ data: { summary: string }[] }>(`${path}/timeline?environment=live&type=request`))).body
  assert.ok(timeline.data.some(({ summary }) => summary === 'Nouveau nom demandé ou retiré : Orange Money'))
})

test('names and addresses follow the rules of names, and members who are no owners change nothing', async () => {
  const server = await sharedServer()
  const owner = await signUp(server, 'Boutique Awa')
  for (const name of ['', '   ', '\u200b', 'Сauri Pay', 'Awa\u202e', 'x'.repeat(101)])
    assert.deepEqual(codeOf(await put(owner, { name })), [400, 'invalid_request', 'name'], JSON.stringify(name))
  for (const address of ['', ' ', 'Dakar\nFann', 'x'.repeat(256)])
    assert.deepEqual(codeOf(await put(owner, { address })), [400, 'invalid_request', 'address'], JSON.stringify(address))
  assert.deepEqual(codeOf(await put(owner, { email_language: 'de' })), [400, 'invalid_request', 'email_language'])
  assert.deepEqual(codeOf(await put(owner, { time_zone: 'Europe/Paris' })), [400, 'invalid_request', 'time_zone'])
  const manager = await joined(server, owner, 'manager')
  assert.deepEqual(codeOf(await put(manager, { address: 'Dakar' })).slice(0, 2), [403, 'insufficient_role'])
  assert.equal((await read(manager)).name, 'Boutique Awa')
})
