// Routes that show a merchant which wallets exist share one budget, and take no phone without its plus sign.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { bearer, newTestPhone, ok, PIN, showCode, signUp } from '../support/wallet-callers.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const PAYOUTS = '/v1/biz/payouts'
const DRY_RUN = `${PAYOUTS}/batch?dry_run=true`
const DIGITS = '221771234567'

interface Lines {
  readonly items: readonly { readonly state: string; readonly failure_code?: string }[]
}

function linesTo(recipients: readonly string[]): { readonly items: readonly object[] } {
  return { items: recipients.map((recipient) => ({ recipient, amount: 1 })) }
}

const unknown = (count: number): string[] => Array.from({ length: count }, newTag)
const schedule = (recipient: string) => ({
  ...linesTo([recipient]),
  recurrence: 'weekly',
  start_at: new Date(Date.now() + 3_600_000).toISOString(),
})

function putLimits(path: string, json: object) {
  return server.operator.request('PUT', path, { json })
}

async function fundedInLive(limits: object) {
  const merchant = await server.merchant()
  const money = { merchant_id: merchant.id, environment: 'live', amount: 1000 }
  assert.equal((await server.operator.post('/v1/operator/deposits', money, newKey())).status, 201)
  const set = await putLimits(`/v1/operator/merchants/${merchant.id}/limits`, limits)
  assert.equal(set.status, 200, set.text)
  return merchant
}

test('a spent budget is answered 429 with param and Retry-After where one recipient is named, and by a failed line in batches', async () => {
  const { live } = await fundedInLive({ unknown_recipients: 2, unknown_recipients_per_minute: 1 })
  const spending = await live.post<Lines>(DRY_RUN, linesTo(unknown(3)))
  assert.deepEqual(
    spending.body.items.map(({ failure_code }) => failure_code),
    ['recipient_not_found', 'recipient_not_found', 'recipient_check_limited'],
  )
  const recipient = newTag()
  const asked = [
    ['recipient', live.post(PAYOUTS, { recipient, amount: 1 }, newKey())],
    ['recipient', live.post(`${PAYOUTS}/check-recipient`, { recipient })],
    ['recipient', live.post('/v1/biz/payout-schedules', schedule(recipient), newKey())],
    ['customer_tag', live.post('/v1/biz/mandates', { customer_tag: recipient, amount: 1, interval: 'monthly' })],
  ] as const
  for (const [param, sent] of asked) {
    const { status, body, headers } = await sent
    assert.deepEqual([status, body.code, body.param], [429, 'rate_limited', param])
    const waitS = Number(headers['retry-after'])
    assert.ok(waitS > 30 && waitS <= 60, String(waitS))
    assert.match(String(body.message), /destinataires inconnus/)
  }
  const english = await live.with({ 'accept-language': 'en' }).post(`${PAYOUTS}/check-recipient`, { recipient })
  assert.match(String(english.body.message), /unknown recipients/)
  const batch = await live.post<Lines>(`${PAYOUTS}/batch`, linesTo([recipient]), newKey())
  assert.deepEqual([batch.status, batch.body.items[0]?.failure_code], [201, 'recipient_check_limited'])
  const short = await live.post<{ failure_code: string }>(PAYOUTS, { recipient, amount: 10_000 }, newKey())
  assert.deepEqual([short.status, short.body.failure_code], [201, 'insufficient_balance'])
})

test('a refused key may be tried again, and gets another answer then', async () => {
  const { id, live } = await fundedInLive({ unknown_recipients: 1, unknown_recipients_per_minute: 1 })
  await live.post(`${PAYOUTS}/check-recipient`, { recipient: newTag() })
  const key = newKey()
  const request = { recipient: newTag(), amount: 1 }
  assert.equal((await live.post(PAYOUTS, request, key)).status, 429)
  await putLimits(`/v1/operator/merchants/${id}/limits`, { unknown_recipients: null })
  assert.equal((await live.post(PAYOUTS, request, key)).status, 201)
})

test('the test environment counts nothing: 2 000 unknown recipients of dry runs and checks', async () => {
  const { test: client } = await server.fundedMerchant(1000)
  for (let sent = 0; sent < 4; sent++) {
    const { status, body } = await client.post<Lines>(DRY_RUN, linesTo(unknown(500)))
    assert.ok(status === 200 && body.items.every(({ failure_code }) => failure_code === 'recipient_not_found'))
  }
  const { body } = await client.post(`${PAYOUTS}/check-recipient`, { recipient: newTag() })
  assert.deepEqual(body, { exists: false, display_name: null })
})

test('an operator reads and changes the limits of a merchant, and the audit trail names them', async () => {
  const { id } = await server.merchant()
  const path = `/v1/operator/merchants/${id}/limits`
  const none = { payout_max: null, payout_day_max: null, charge_max: null, balance_max: null }
  const defaults = { merchant_id: id, unknown_recipients: 1000, unknown_recipients_per_minute: 100, environment: 'live', ...none }
  assert.deepEqual((await server.operator.get(path)).body, defaults)
  const raised = { ...defaults, unknown_recipients: 5000 }
  assert.deepEqual((await putLimits(path, { unknown_recipients: 5000 })).body, raised)
  assert.deepEqual((await putLimits(path, {})).body, raised, 'what is not sent stays')
  const { unknown_recipients, unknown_recipients_per_minute } = raised
  const { body } = await server.operator.get<{ data: { action: string; target: string; details: object }[] }>('/v1/operator/audit')
  const [row] = body.data.filter(({ target }) => target === id)
  const before = { kind: 'merchant_limits', limits: { unknown_recipients: 1000 }, currency: 'XOF' }
  assert.deepEqual([row?.action, row?.details], ['merchant.limits', { unknown_recipients, unknown_recipients_per_minute, before }])
  assert.deepEqual((await putLimits(path, { unknown_recipients: null })).body, defaults)
  for (const wrong of [{ unknown_recipients: 0 }, { unknown_recipients_per_minute: 1.5 }]) {
    assert.equal((await putLimits(path, wrong)).status, 400)
  }
  assert.equal((await putLimits(`/v1/operator/merchants/${crypto.randomUUID()}/limits`, {})).status, 404)
})

test('eight digits without a plus sign are no recipient anywhere, and the message says what a phone needs', async () => {
  const merchant = await server.fundedMerchant(100)
  const { test: client } = merchant
  const wallet = await signUp(server.anybody)
  const funding = { environment: 'test', amount: 1, tag: DIGITS }
  const asked = [
    ['recipient', client.post(PAYOUTS, { recipient: DIGITS, amount: 1 }, newKey())],
    ['recipient', client.post(PAYOUTS, { recipient: `@${DIGITS}`, amount: 1_000_000 }, newKey())],
    ['recipient', client.post(`${PAYOUTS}/check-recipient`, { recipient: DIGITS })],
    ['items.0.recipient', client.post('/v1/biz/payout-schedules', schedule(DIGITS), newKey())],
    ['customer_tag', client.post('/v1/biz/mandates', { customer_tag: DIGITS, amount: 1, interval: 'monthly' })],
    ['customer_tag', client.post('/v1/biz/charges', { customer_tag: DIGITS, amount: 1 })],
    ['recipient', client.post('/v1/biz/test/deposits', { recipient: DIGITS, amount: 1 })],
    ['payer_tag', client.post('/v1/biz/test/charges/any_token_at_all/pay', { payer_tag: DIGITS })],
    ['recipient', wallet.client.post('/v1/me/transfers', { recipient: DIGITS, amount: 1, note: '', pin: PIN }, newKey())],
    ['tag', server.operator.post('/v1/operator/deposits', funding, newKey())],
    ['tag', server.operator.post('/v1/operator/withdrawals', funding, newKey())],
  ] as const
  for (const [param, sent] of asked) {
    const { status, body } = await sent
    assert.deepEqual([status, body.code, body.param], [400, 'invalid_recipient', param])
    assert.match(String(body.message), /téléphone avec son \+ et l’indicatif/)
  }
  for (const path of [`${PAYOUTS}/batch`, DRY_RUN]) {
    const { body } = await client.post<Lines>(path, linesTo([DIGITS]), newKey())
    assert.equal(body.items[0]?.failure_code, 'invalid_recipient')
  }
})

test('reserved tags and tags without a letter are refused for test wallets and at sign-up', async () => {
  const { test: client } = await server.merchant()
  for (const tag of ['admin', '@Total', 'cauri_support', '12345', '12345678', '___']) {
    const { status, body } = await client.post('/v1/biz/test/wallets', { tag })
    assert.deepEqual([status, body.code, body.param], [400, 'invalid_tag', 'tag'], tag)
  }
  const signup = bearer(server.anybody, await showCode(server.anybody, newTestPhone(), 'signup'))
  await ok(signup.post('/v1/auth/identity/set', { family_name: 'Diallo', given_name: 'Awa' }))
  const refused = await signup.post('/v1/auth/tag/set', { tag: '@orange' })
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_tag'])
  await ok(signup.post('/v1/auth/tag/set', { tag: `${newTag().slice(0, 10)}_orange` }))
})
