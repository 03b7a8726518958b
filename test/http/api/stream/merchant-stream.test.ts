// The stream of a merchant over real HTTP: what it carries, resuming from the log, and its end with key or session.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { SignedIn } from '../../../../engine/contract/dashboard.ts'
import type { Client } from '../../../support/client.ts'
import { cookieOf, PASSWORD, signUp as signUpMerchant } from '../../../support/dashboard-callers.ts'
import { MERCHANT_STREAM as PATH, Reading } from '../../../support/merchant-stream-reader.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

interface Keys {
  readonly id: string
  readonly public_key: string
  readonly secret_key: string
}

let server: TestServer
let merchant: Merchant
let tag: string

before(async () => {
  server = await ownServer()
  merchant = await server.fundedMerchant(1_000_000)
  tag = await server.wallet(merchant)
})

after(() => server.close())

async function newPair(): Promise<{ client: Client; headers: Record<string, string>; id: string }> {
  const form = { environment: 'test', scopes: ['disbursements.write'] }
  const { body } = await ok(server.operator.post<Keys>(`/v1/operator/merchants/${merchant.id}/api-keys`, form))
  const headers = { 'x-api-key': body.public_key, 'x-api-secret': body.secret_key }
  return { client: server.anybody.with(headers), headers, id: body.id }
}

const pay = (amount = 1) => ok(merchant.test.post('/v1/biz/payouts', { recipient: tag, amount }, newKey()))

describe('the stream of a merchant', () => {
  it('begins with the id that it begins behind, and a client that lost it resumes from there', async () => {
    const { headers } = await newPair()
    await pay(1)
    const response = await fetch(`${server.process.baseUrl}${PATH}`, { headers })
    const reader = (response.body ?? assert.fail('a stream has a body')).getReader()
    const { value } = await reader.read()
    const [, id] = /^retry: \d+\nid: (\d+)\n\n/.exec(new TextDecoder().decode(value)) ?? []
    assert.ok(id !== undefined, 'the first lines have an id')
    await reader.cancel()
    await pay(77)
    const resumed = await Reading.open(server.process.baseUrl, { ...headers, 'last-event-id': id })
    const [frame] = await resumed.until(1)
    assert.equal(frame?.data.data.amount, 77)
    await resumed.close()
  })

  it('carries payouts, batches and charges as they become durable, with ids that grow by one', async () => {
    const { headers } = await newPair()
    const stream = await Reading.open(server.process.baseUrl, headers)
    await pay(5)
    const items = [
      { recipient: tag, amount: 1 },
      { recipient: 'nobody_here', amount: 1 },
    ]
    const batch = await ok(merchant.test.post('/v1/biz/payouts/batch', { items }, newKey()))
    const { token } = (await ok(merchant.test.post<{ token: string }>('/v1/biz/charges', { amount: 10 }))).body
    await ok(merchant.test.post(`/v1/biz/charges/${token}/cancel`, undefined))
    const frames = await stream.until(5)
    const types = frames.map(({ event }) => event)
    assert.equal(types[0], 'payout.paid')
    assert.deepEqual(types.slice(1, 4).sort(), ['batch.completed', 'payout.failed', 'payout.paid'])
    assert.equal(types[4], 'charge.cancelled')
    assert.equal(frames.find(({ event }) => event === 'batch.completed')?.data.data.id, batch.body.id)
    for (const [index, { id, event, data }] of frames.entries()) {
      assert.equal(id, (frames[0]?.id ?? 0) + index)
      assert.equal(data.type, event)
      assert.deepEqual(Object.keys(data), ['id', 'type', 'created_at', 'data'])
      assert.equal((await merchant.test.get(`/v1/biz/events/${data.id}`)).status, 200)
    }
    await stream.close()
  })

  it('resumes from any id without a gap or a repetition, and goes on live', async () => {
    const { headers } = await newPair()
    for (let count = 0; count < 300; count++) await pay()
    await pay(8)
    const whole = await Reading.open(server.process.baseUrl, headers, '?last_event_id=0')
    let first: Awaited<ReturnType<typeof whole.until>> = []
    // Other tests have had frames of this merchant before: the payout of 8 is the last one.
    for (let count = 301; first.at(-1)?.data.data.amount !== 8; count++) first = [...(await whole.until(count))]
    await whole.close()
    const from = first[10] ?? assert.fail('it has frames')
    const rest = await Reading.open(server.process.baseUrl, { ...headers, 'last-event-id': String(from.id) })
    await pay(7)
    const seen = await rest.until(first.length - 11 + 1)
    assert.deepEqual(
      seen.slice(0, first.length - 11).map(({ id }) => id),
      first.slice(11).map(({ id }) => id),
    )
    assert.equal(seen.at(-1)?.data.data.amount, 7)
    await rest.close()
  })

  it('has ids that grow by one, whatever other merchants and the other environment write between two events', async () => {
    const other = await server.fundedMerchant(1000)
    const { headers } = await newPair()
    const stream = await Reading.open(server.process.baseUrl, headers)
    await pay(1)
    for (let count = 0; count < 20; count++) await ok(other.test.post('/v1/biz/payouts', { recipient: tag, amount: 1 }, newKey()))
    await ok(merchant.live.post('/v1/biz/charges', { amount: 1 }))
    await pay(2)
    const [first, second] = await stream.until(2)
    assert.equal(second?.id, (first?.id ?? 0) + 1)
    await stream.close()
  })

  it('refuses an id that no frame has had, which a client of another log or release has', async () => {
    const { headers } = await newPair()
    for (const [path, sent, code, param] of [
      [PATH, { 'last-event-id': '900719925474099' }, 'invalid_request', 'Last-Event-ID'],
      [`${PATH}?last_event_id=900719925474099`, {}, 'invalid_parameter', 'last_event_id'],
    ] as const) {
      const response = await fetch(`${server.process.baseUrl}${path}`, { headers: { ...headers, ...sent } })
      assert.equal(response.status, 400)
      const body = (await response.json()) as { code: string; param: string }
      assert.deepEqual([body.code, body.param], [code, param])
    }
  })

  it('shows nothing of the other environment or of other merchants', async () => {
    const other = await server.fundedMerchant(1000)
    const { headers } = await newPair()
    const stream = await Reading.open(server.process.baseUrl, headers)
    await ok(other.test.post('/v1/biz/payouts', { recipient: tag, amount: 1 }, newKey()))
    await ok(merchant.live.post('/v1/biz/charges', { amount: 1 }))
    await pay(9)
    const [frame] = await stream.until(1)
    assert.equal(frame?.data.data.amount, 9)
    await stream.close()
  })

  it('ends when its key is revoked', async () => {
    const { browser } = await signUpMerchant(server)
    const form = { environment: 'test', scopes: ['disbursements.write'], label: '' }
    const { body } = await ok(browser.post<Keys>('/v1/dashboard/api-keys', form))
    const stream = await Reading.open(server.process.baseUrl, { 'x-api-key': body.public_key, 'x-api-secret': body.secret_key })
    assert.equal((await browser.request('DELETE', `/v1/dashboard/api-keys/${body.id}`)).status, 200)
    await stream.ended()
  })

  for (const [way, path] of [
    ['by the API', PATH],
    ['for the pages', '/dashboard/test/news'],
  ] as const) {
    it(`carries the events of a session ${way}, and ends at its logout and not at another session’s`, async () => {
      const owner = await signUpMerchant(server)
      const headers = { cookie: owner.cookie, 'x-environment': 'test' }
      const stream = await Reading.open(server.process.baseUrl, headers, '', path)
      const api = owner.browser.with({ 'x-environment': 'test' })
      const { token } = (await ok(api.post<{ token: string }>('/v1/biz/charges', { amount: 10 }))).body
      const credentials = { email: owner.email, password: PASSWORD }
      const other = await ok(server.anybody.post<SignedIn>('/v1/dashboard/login', credentials))
      const second = server.anybody.with({ cookie: cookieOf(other), 'x-csrf-token': other.body.csrf_token })
      await ok(second.post('/v1/dashboard/logout', undefined))
      await ok(api.post(`/v1/biz/charges/${token}/cancel`, undefined))
      const [frame] = await stream.until(1)
      assert.equal(frame?.event, 'charge.cancelled')
      await ok(owner.browser.post('/v1/dashboard/logout', undefined))
      await stream.ended()
    })
  }

  it('of a session carries the environment that X-Environment names', async () => {
    const owner = await signUpMerchant(server)
    const stream = await Reading.open(server.process.baseUrl, { cookie: owner.cookie, 'x-environment': 'test' })
    for (const environment of ['live', 'test']) {
      const api = owner.browser.with({ 'x-environment': environment })
      const made = await api.post<{ token: string }>('/v1/biz/charges', { amount: environment === 'live' ? 1 : 2 })
      if (made.status === 201) await ok(api.post(`/v1/biz/charges/${made.body.token}/cancel`, undefined))
    }
    const [frame] = await stream.until(1)
    assert.equal(frame?.data.data.amount, 2)
    await stream.close()
  })

  it('refuses an id that is none, and callers without credentials', async () => {
    const { client } = await newPair()
    assert.equal((await client.get(`${PATH}?last_event_id=x`)).body.code, 'invalid_parameter')
    assert.equal((await server.anybody.get(PATH)).status, 401)
  })
})
