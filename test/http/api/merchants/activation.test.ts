// Live activation: what a merchant that signed up under approval may do before and after an operator's decision.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Activation, MerchantActivation } from '../../../../engine/contract/activation.ts'
import type { Answer } from '../../../support/client.ts'
import { newEmail, PASSWORD, signUp } from '../../../support/dashboard-callers.ts'
import { askPage } from '../../../support/raw-page.ts'
import { newKey, TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const DETAILS = {
  legal_name: 'Boutique Awa SARL',
  registration_number: 'SN-DKR-2024-B-12345',
  address: '12 rue Félix Faure, Dakar',
  contact_name: 'Awa Diallo',
  contact_phone: '+221770000001',
  activity: 'Tissus',
}

let server: TestServer

before(async () => {
  server = await ownServer({ SIGNUP: 'approval' })
})

after(async () => {
  await server.close()
})

const codeOf = ({ status, body }: Answer<object>): unknown[] => [status, (body as { code?: string }).code]
const NOT_ACTIVATED = [403, 'live_not_activated']

it('a merchant that signed up moves test money at once and live money after its activation', async () => {
  const { browser, merchantId } = await signUp(server, 'Chez Awa')
  const [test, live] = [await server.keyed(merchantId, 'test', ['disbursements.write']), await server.keyed(merchantId, 'live', [])]
  const fresh = await ok(browser.get<Activation>('/v1/dashboard/activation'))
  assert.deepEqual(fresh.body, { state: 'none', reason: null, requested_at: null, decided_at: null, details: null, files: [] })
  assert.equal((await test.post('/v1/biz/charges', { amount: 10 })).status, 201)
  assert.deepEqual(codeOf(await live.post('/v1/biz/charges', { amount: 10 })), NOT_ACTIVATED)
  assert.deepEqual(codeOf(await live.post('/v1/biz/top-ups', { amount: 10 })), NOT_ACTIVATED)
  assert.deepEqual(codeOf(await live.post('/v1/biz/payment-links', { description: 'Caisse', amount: 10 })), NOT_ACTIVATED)
  const scoped = await server.keyed(merchantId, 'live', ['disbursements.write'])
  assert.deepEqual(codeOf(await scoped.post('/v1/biz/payouts', { recipient: 'awa', amount: 1 }, newKey())), NOT_ACTIVATED)

  const operatorPath = `/v1/operator/merchants/${merchantId}`
  assert.deepEqual(codeOf(await server.operator.post(`${operatorPath}/refuse`, { reason: 'x' })), [409, 'request_not_open'])
  const requested = await ok(browser.post<Activation>('/v1/dashboard/activation', DETAILS))
  assert.deepEqual([requested.body.state, requested.body.details], ['requested', DETAILS])
  const waiting = await ok(server.operator.get<{ data: MerchantActivation[] }>('/v1/operator/activations'))
  assert.deepEqual(waiting.body.data, [{ merchant_id: merchantId, merchant_name: 'Chez Awa', ...requested.body }])

  await ok(server.operator.post(`${operatorPath}/refuse`, { reason: 'Registre introuvable.' }))
  const refused = (await browser.get<Activation>('/v1/dashboard/activation')).body
  assert.deepEqual([refused.state, refused.reason], ['refused', 'Registre introuvable.'])
  assert.deepEqual(codeOf(await live.post('/v1/biz/charges', { amount: 10 })), NOT_ACTIVATED)
  await ok(browser.post('/v1/dashboard/activation', { ...DETAILS, registration_number: 'SN-2' }))
  const activated = await ok(server.operator.post(`${operatorPath}/activate`, {}))
  assert.equal(activated.body.activation_state, 'active')
  assert.equal((await live.post('/v1/biz/charges', { amount: 10 })).status, 201)
  const after = (await ok(browser.post<Activation>('/v1/dashboard/activation', DETAILS))).body
  assert.deepEqual([after.state, after.details?.registration_number], ['active', 'SN-2'], 'an active merchant changes nothing')
  const audit = (await server.operator.get<{ data: { action: string }[] }>('/v1/operator/audit?limit=2')).body.data
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['merchant.activate', 'merchant.refuse'],
  )
})

it('a merchant that an operator makes is active, and a missing detail is named', async () => {
  const merchant = await server.merchant()
  assert.equal((await merchant.live.post('/v1/biz/charges', { amount: 10 })).status, 201)
  const { browser } = await signUp(server)
  const { contact_phone: _, ...rest } = DETAILS
  const missing = await browser.post('/v1/dashboard/activation', rest)
  assert.deepEqual([...codeOf(missing), missing.body.param], [400, 'invalid_request', 'contact_phone'])
})

it('an activation and a merchant that was not activated survive a crash and a start under another setting', async () => {
  const first = await TestServer.open({ settings: { SIGNUP: 'approval' } })
  try {
    const { merchantId } = await signUp(first)
    await first.process.kill()
    const second = await ownServer({ SIGNUP: 'closed' }, first.process.dataDir)
    const live = await second.keyed(merchantId, 'live', [])
    assert.deepEqual(codeOf(await live.post('/v1/biz/charges', { amount: 10 })), NOT_ACTIVATED)
    const body = { merchant_name: 'Boutique', email: newEmail(), password: PASSWORD }
    assert.deepEqual(codeOf(await second.anybody.post('/v1/dashboard/signup', body)), [403, 'signup_closed'])
    const page = await askPage(second.process.baseUrl, '/dashboard/signup')
    assert.deepEqual([page.status, /L’inscription est fermée/.test(page.text), page.text.includes('<form')], [403, true, false])
    const form = { merchant_name: 'Boutique', email: newEmail(), password: PASSWORD }
    const sent = await askPage(second.process.baseUrl, '/dashboard/signup', { form, headers: { origin: second.process.baseUrl } })
    assert.equal(sent.status, 403)
    assert.ok(!(await askPage(second.process.baseUrl, '/dashboard/login')).text.includes('signup'))
    await second.close()
  } finally {
    await first.close()
  }
})

it('a business that is in no register says so, and only then has no number', async () => {
  const { browser } = await signUp(server, 'Étal de Fatou')
  const send = (more: object) => browser.post<Activation & { param?: string }>('/v1/dashboard/activation', { ...DETAILS, ...more })
  for (const more of [{ registration_number: '' }, { registration_number: ' ', informal: false }, { registration_number: undefined }]) {
    const refused = await send(more)
    assert.deepEqual([refused.status, refused.body.param], [400, 'registration_number'], refused.text)
  }
  const requested = await ok(send({ registration_number: '', informal: true }))
  const shown = { ...DETAILS, registration_number: '', informal: true }
  assert.deepEqual(requested.body.details, shown)
  assert.deepEqual((await ok(send({ registration_number: undefined, informal: true }))).body.details, shown)
})
