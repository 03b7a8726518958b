// Notices over HTTP: what a member chooses, and the e-mail that leaves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notices } from '../../../../engine/contract/notice.ts'
import type { TopUp } from '../../../../engine/contract/top-up.ts'
import { PASSWORD, signUp } from '../../../support/dashboard-callers.ts'
import { mailed } from '../../../support/mailed.ts'
import { joined } from '../../../support/member-callers.ts'
import { newKey } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const PATH = '/v1/dashboard/notices'

test('an owner begins with all notices but the daily summary, another member with none, and each chooses', async () => {
  const server = await sharedServer()
  const owner = await signUp(server)
  const { email } = (await ok(owner.browser.get<Notices>(PATH))).body
  assert.deepEqual(email, {
    ...{ activation: true, top_up: true, withdrawal: true, disbursement: true, run_failed: true },
    ...{ delivery_failed: true, biller_decision: true, new_device: true, approval_wanted: true, daily_summary: false },
  })
  const set = await owner.browser.request<Notices>('PUT', PATH, { json: { email: { daily_summary: true, top_up: false } } })
  assert.equal(set.status, 200, set.text)
  assert.deepEqual((await ok(owner.browser.get<Notices>(PATH))).body, { email: { ...email, daily_summary: true, top_up: false } })
  assert.equal((await owner.browser.request('PUT', PATH, { json: { email: { top_up: 'yes' } } })).status, 400)
  const viewer = await joined(server, owner, 'viewer')
  const none = Object.values((await ok(viewer.browser.get<Notices>(PATH))).body.email)
  assert.deepEqual(new Set(none), new Set([false]))
})

test('a name that is no kind of notice is ignored: neither answered nor kept, and a cashier is not refused for it', async () => {
  const server = await sharedServer()
  const owner = await signUp(server)
  const cashier = await joined(server, owner, 'cashier')
  for (const { browser } of [owner, cashier]) {
    const before = (await ok(browser.get<Notices>(PATH))).body
    const set = await browser.request<Notices>('PUT', PATH, { json: { email: { new_device: true, newsletter: true, other: ['x'] } } })
    assert.equal(set.status, 200, set.text)
    assert.deepEqual(set.body, { email: { ...before.email, new_device: true } })
    assert.deepEqual((await ok(browser.get<Notices>(PATH))).body, set.body)
  }
})

test('a credited top-up of a live account is mailed in both languages with its amount and its page', async () => {
  const server = await sharedServer()
  const owner = await signUp(server, 'Boutique Awa')
  const live = owner.browser.with({ 'x-environment': 'live' })
  const { id } = (await ok(live.post<TopUp>('/v1/biz/top-ups', { amount: 50_000, reference: '' }, newKey()))).body
  await ok(server.operator.post(`/v1/operator/top-ups/${id}/confirm`, { amount: 50_000, reference: 'VIR-1' }, newKey()))
  const mail = await mailed(server, owner.email, 'Approvisionnement crédité')
  assert.match(mail, /Approvisionnement crédité : 50\s000\sF\sCFA · Boutique Awa/)
  assert.match(mail, /Your top-up of 50,000\sF\sCFA has arrived/)
  assert.ok(mail.includes(`/dashboard/live/top-ups/${id}`) && mail.includes('/dashboard/live/notices'), mail)
})

test('a login from another browser is mailed to the member, with a browser that is known by name alone', async () => {
  const server = await sharedServer()
  const { email, device } = await signUp(server, 'Gain: evil.example')
  const login = { email, password: PASSWORD }
  await ok(server.anybody.with({ cookie: device }).post('/v1/dashboard/login', login))
  const stranger = server.anybody.with({ 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) https://evil.example Firefox/130.0' })
  await ok(stranger.post('/v1/dashboard/login', login))
  const mail = await mailed(server, email, 'Connexion depuis un nouvel appareil')
  assert.ok(mail.includes('(Firefox, Windows)'), mail)
  assert.ok(!mail.includes('evil'), mail)
})
