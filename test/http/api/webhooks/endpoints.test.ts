// Endpoints over HTTP: made, shown, changed, deleted, by their merchant alone, each environment for itself.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { WEBHOOK_EVENT_TYPES, type WebhookEndpoint, type WebhookEndpointWithSecret } from '../../../../engine/contract/webhook.ts'
import { ENDPOINTS_MAX } from '../../../../engine/domain/webhook/webhook-limits.ts'
import type { Answer, Client } from '../../../support/client.ts'
import { Receiver } from '../../../support/receiver.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { codeOfAnswer } from '../../../support/wallet-callers.ts'
import { attemptsOf, endpointNow, eventsOf, newEndpoint, signaturesIn, untilAttempts, verdictOf } from '../../../support/webhook-callers.ts'

const PATH = '/v1/biz/webhook-endpoints'
const URL_A = 'https://boutique.example/hooks'

let server: TestServer
let strict: TestServer
let receiver: Receiver

before(async () => {
  receiver = await Receiver.open()
  server = await sharedServer({ OUTBOUND_ALLOW_PRIVATE: 'true' })
  strict = await sharedServer()
})

after(async () => {
  await receiver.close()
})

describe('an endpoint', () => {
  test('an endpoint shows its secret when it is made, and never again', async () => {
    const { test: shop } = await server.merchant()
    const made = await shop.post<WebhookEndpointWithSecret>(PATH, {
      url: URL_A,
      events: ['charge.succeeded', 'bill.paid'],
      description: 'Caisse',
    })
    assert.equal(made.status, 201)
    const { secret, ...endpoint } = made.body
    const { id, created_at, ...rest } = endpoint
    assert.match(secret, /^whsec_[A-Za-z0-9_-]{43}$/)
    assert.match(`${id} ${created_at}`, /^[0-9a-f-]{36} 20\d\d-.*Z$/)
    const events = ['charge.succeeded', 'bill.paid']
    assert.deepEqual(rest, { url: URL_A, events, description: 'Caisse', status: 'enabled', disabled_reason: null, environment: 'test' })
    assert.deepEqual((await shop.get(`${PATH}/${id}`)).body, endpoint)
    assert.deepEqual((await shop.get<{ data: unknown }>(PATH)).body.data, [endpoint])
    const changed = await shop.request('PUT', `${PATH}/${id}`, { json: { url: URL_A, events: ['payout.paid'] } })
    assert.deepEqual(changed.body, { ...endpoint, events: ['payout.paid'] })
  })

  test('an endpoint made twice under one key is made once, with the same secret', async () => {
    const { test: shop } = await server.merchant()
    const key = newKey()
    const body = { url: URL_A, events: ['charge.succeeded'] }
    const [first, second] = [await shop.post(PATH, body, key), await shop.post(PATH, body, key)]
    assert.equal(second.text, first.text)
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal((await shop.get<{ data: readonly unknown[] }>(PATH)).body.data.length, 1)
  })

  test('an endpoint keeps what a change leaves out', async () => {
    const { test: shop } = await server.merchant()
    const { id, secret: _secret, ...made } = await newEndpoint(shop, URL_A)
    const change = async (json: object): Promise<WebhookEndpoint> => {
      const { status, body, text } = await shop.request<WebhookEndpoint>('PUT', `${PATH}/${id}`, { json })
      assert.equal(status, 200, text)
      return body
    }
    assert.deepEqual(await change({}), { id, ...made })
    assert.deepEqual(await change({ status: 'disabled' }), { id, ...made, status: 'disabled', disabled_reason: 'by_merchant' })
    assert.deepEqual(await change({ description: 'Caisse 2', url: `${URL_A}/2` }), {
      ...{ id, ...made, status: 'disabled', disabled_reason: 'by_merchant' },
      ...{ description: 'Caisse 2', url: `${URL_A}/2` },
    })
    assert.deepEqual(await change({ status: 'enabled', description: '', url: URL_A }), { id, ...made })
  })

  test('an endpoint may ask for every type of the contract', async () => {
    const { test: shop } = await server.merchant()
    const { events } = await newEndpoint(shop, URL_A, WEBHOOK_EVENT_TYPES)
    assert.deepEqual(events, WEBHOOK_EVENT_TYPES)
    for (const type of [
      'charge.succeeded',
      'bill.paid',
      'charge.expired',
      'charge.cancelled',
      'charge.refunded',
      'payout.paid',
      'payout.failed',
    ]) {
      assert.ok(events.includes(type as 'bill.paid'), type)
    }
    for (const type of [
      'batch.completed',
      'biller.approved',
      'biller.rejected',
      'mandate.approved',
      'mandate.cancelled',
      'mandate.charged',
      'problem.opened',
    ]) {
      assert.ok(events.includes(type as 'bill.paid'), type)
    }
  })

  test('an endpoint once deleted is not there, for any of its routes', async () => {
    const { test: shop } = await server.merchant()
    const { id } = await newEndpoint(shop, URL_A)
    const gone = await shop.request('DELETE', `${PATH}/${id}`)
    assert.deepEqual([gone.status, gone.body], [200, { id, deleted: true }])
    for (const answer of await everyRoute(shop, id)) assert.equal(codeOfAnswer(answer), 'not_found')
  })

  test('an endpoint is not found by another merchant, nor in the other environment', async () => {
    const [owner, other] = [await server.merchant(), await server.merchant()]
    const { id } = await newEndpoint(owner.test, URL_A)
    for (const stranger of [other.test, owner.live, other.live]) {
      for (const answer of await everyRoute(stranger, id)) assert.equal(codeOfAnswer(answer), 'not_found')
      assert.deepEqual((await stranger.get<{ data: unknown }>(PATH)).body.data, [])
    }
    assert.equal(codeOfAnswer(await server.anybody.get(PATH)), 'unauthorized')
    assert.equal((await endpointNow(owner.test, id)).status, 'enabled')
  })

  test('an endpoint after the sixteenth there is no room, until one goes', async () => {
    const { test: shop } = await server.merchant()
    const ids: string[] = []
    for (let count = 0; count < ENDPOINTS_MAX; count++) ids.push((await newEndpoint(shop, URL_A)).id)
    const refused = await shop.post(PATH, { url: URL_A, events: ['charge.succeeded'] })
    assert.deepEqual([refused.status, codeOfAnswer(refused)], [409, 'too_many_webhook_endpoints'])
    await shop.request('DELETE', `${PATH}/${ids[3]}`)
    await newEndpoint(shop, URL_A)
    const page = await shop.get<{ data: readonly { id: string }[]; has_more: boolean }>(`${PATH}?limit=15`)
    assert.deepEqual([page.body.data.length, page.body.has_more], [15, true])
  })
})

describe('addresses', () => {
  const rows: readonly (readonly [url: unknown, environment: 'test' | 'live', code: string])[] = [
    ['http://boutique.example/', 'live', 'webhook_url_must_be_https'],
    ['http://localhost:3000/', 'live', 'webhook_url_must_be_https'],
    ['ftp://boutique.example/', 'test', 'webhook_url_must_be_https'],
    ['javascript:alert(1)', 'test', 'webhook_url_must_be_https'],
    ['//boutique.example/', 'test', 'webhook_url_must_be_https'],
    ['boutique.example', 'test', 'webhook_url_must_be_https'],
    ['https://', 'test', 'invalid_request'],
    ['https://user:secret@boutique.example/', 'test', 'invalid_request'],
    ['https://boutique.example:99999/', 'test', 'invalid_request'],
    [' https://boutique.example/', 'test', 'webhook_url_must_be_https'],
    ['https://boutique.example/\r\nX-Api-Key: a', 'test', 'invalid_request'],
    [`https://boutique.example/${'a'.repeat(2048)}`, 'test', 'invalid_request'],
    ['', 'test', 'invalid_request'],
    [7, 'test', 'invalid_request'],
    [null, 'test', 'invalid_request'],
  ]
  for (const [url, environment, code] of rows) {
    test(`${JSON.stringify(url).slice(0, 60)} in ${environment}: ${code}`, async () => {
      const shop = await server.merchant()
      const refused = await shop[environment].post(PATH, { url, events: ['charge.succeeded'] })
      assert.deepEqual([refused.status, codeOfAnswer(refused), refused.body.param], [400, code, 'url'])
      const { id } = await newEndpoint(shop[environment], URL_A)
      const kept = await shop[environment].request('PUT', `${PATH}/${id}`, { json: { url } })
      assert.deepEqual([kept.status, codeOfAnswer(kept)], [400, code])
    })
  }

  test('an http address is accepted in the test environment of a server that allows private addresses', async () => {
    const [free, bound] = [await server.merchant(), await strict.merchant()]
    const body = { url: 'http://127.0.0.1:9/', events: ['charge.succeeded'] }
    assert.equal((await free.test.post(PATH, body)).status, 201)
    assert.equal(codeOfAnswer(await bound.test.post(PATH, body)), 'webhook_url_must_be_https')
  })

  const bodies: readonly (readonly [name: string, json: object, param: string])[] = [
    ['no events', { url: URL_A }, 'events'],
    ['an empty list', { url: URL_A, events: [] }, 'events'],
    ['a type that nobody knows', { url: URL_A, events: ['charge.paid'] }, 'events.0'],
    ['a ping, which is sent by hand', { url: URL_A, events: ['ping'] }, 'events.0'],
    ['the same twice', { url: URL_A, events: ['bill.paid', 'bill.paid'] }, 'events'],
    ['no address', { events: ['bill.paid'] }, 'url'],
    ['a description that is a book', { url: URL_A, events: ['bill.paid'], description: 'a'.repeat(501) }, 'description'],
  ]
  for (const [name, json, param] of bodies) {
    test(`an input is rejected: ${name}`, async () => {
      const { test: shop } = await server.merchant()
      const refused = await shop.post(PATH, json)
      assert.deepEqual([refused.status, codeOfAnswer(refused), refused.body.param], [400, 'invalid_request', param])
    })
  }
})

describe('secrets', () => {
  test('the default one is the merchant’s, of the environment, and always the same', async () => {
    const [one, other] = [await server.merchant(), await server.merchant()]
    const secrets = await Promise.all(
      [one.test, one.test, one.live, other.test].map(
        async (client) => (await client.get<{ secret: string }>('/v1/biz/webhook-secret')).body.secret,
      ),
    )
    assert.equal(secrets[0], secrets[1])
    assert.equal(new Set(secrets).size, 3)
  })

  test('a key without scopes reads no secret', async () => {
    const { id, test: shop } = await server.merchant()
    const { id: endpoint } = (await shop.post<WebhookEndpointWithSecret>(PATH, { url: URL_A, events: ['bill.paid'] })).body
    const bare = await server.keyed(id, 'test', [])
    for (const refused of [await bare.get('/v1/biz/webhook-secret'), await bare.post(`${PATH}/${endpoint}/rotate-secret`, {})])
      assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'])
    const one = await server.keyed(id, 'test', ['billers.write'])
    assert.equal((await one.get('/v1/biz/webhook-secret')).status, 200)
  })

  test('a rotation shows the new one, and both sign until the overlap is over', async () => {
    const { test: shop } = await server.merchant()
    const { id, secret } = await newEndpoint(shop, receiver.url(`/rotate`))
    const rotated = await shop.post<WebhookEndpointWithSecret>(`${PATH}/${id}/rotate-secret`, { overlap_seconds: 3600 })
    assert.equal(rotated.status, 200)
    assert.notEqual(rotated.body.secret, secret)
    await shop.post(`${PATH}/${id}/ping`, undefined)
    await untilAttempts(shop, id, 1)
    const [both] = receiver.received.filter(({ path }) => path === '/rotate')
    assert.ok(both !== undefined)
    assert.deepEqual([signaturesIn(both), verdictOf(both, secret), verdictOf(both, rotated.body.secret)], [2, 'valid', 'valid'])
    const leaked = await shop.post<WebhookEndpointWithSecret>(`${PATH}/${id}/rotate-secret`, { overlap_seconds: 0 })
    await shop.post(`${PATH}/${id}/ping`, undefined)
    await untilAttempts(shop, id, 2)
    const alone = receiver.received.filter(({ path }) => path === '/rotate')[1]
    assert.ok(alone !== undefined)
    assert.deepEqual([signaturesIn(alone), verdictOf(alone, secret), verdictOf(alone, rotated.body.secret)], [1, 'forged', 'forged'])
    assert.equal(verdictOf(alone, leaked.body.secret), 'valid')
  })

  test('a rotation without a body overlaps for a day; more than a day is refused', async () => {
    const { test: shop } = await server.merchant()
    const { id } = await newEndpoint(shop, receiver.url('/rotate-bare'))
    assert.equal((await shop.post(`${PATH}/${id}/rotate-secret`, undefined)).status, 200)
    for (const overlap_seconds of [86_401, -1, 1.5, '60']) {
      assert.equal(codeOfAnswer(await shop.post(`${PATH}/${id}/rotate-secret`, { overlap_seconds })), 'invalid_request')
    }
    await shop.post(`${PATH}/${id}/ping`, undefined)
    await untilAttempts(shop, id, 1)
    const [sent] = receiver.received.filter(({ path }) => path === '/rotate-bare')
    assert.equal(sent === undefined ? 0 : signaturesIn(sent), 2)
  })

  test('a ping goes to its endpoint alone, enabled or not, once', async () => {
    const { test: shop } = await server.merchant()
    const pinged = await newEndpoint(shop, receiver.url('/pinged'))
    const other = await newEndpoint(shop, receiver.url('/not-pinged'))
    await shop.request('PUT', `${PATH}/${pinged.id}`, { json: { status: 'disabled' } })
    receiver.answering = (_received, response) => response.writeHead(500).end()
    const told = await shop.post<{ id: string; type: string }>(`${PATH}/${pinged.id}/ping`, undefined)
    assert.deepEqual([told.status, told.body.type], [200, 'ping'])
    const [row] = await untilAttempts(shop, pinged.id, 1)
    receiver.answering = (_received, response) => response.end('ok')
    assert.deepEqual([row?.event_id, row?.state, row?.http_status, row?.next_attempt_at], [told.body.id, 'failed', 500, null])
    const [sent] = receiver.received.filter(({ path }) => path === '/pinged')
    assert.ok(sent !== undefined)
    assert.equal(sent.body, JSON.stringify({ type: 'ping', data: { endpoint_id: pinged.id } }))
    assert.equal(verdictOf(sent, pinged.secret), 'valid')
    assert.deepEqual(await attemptsOf(shop, other.id), [])
    assert.deepEqual(
      (await eventsOf(shop, '?type=ping')).map(({ id, delivery_state }) => [id, delivery_state]),
      [[told.body.id, 'failed']],
    )
  })
})

async function everyRoute(client: Client, id: string): Promise<Answer[]> {
  return [
    await client.get(`${PATH}/${id}`),
    await client.get(`${PATH}/${id}/deliveries`),
    await client.request('PUT', `${PATH}/${id}`, { json: { description: 'x' } }),
    await client.request('DELETE', `${PATH}/${id}`),
    await client.post(`${PATH}/${id}/rotate-secret`, { overlap_seconds: 0 }),
    await client.post(`${PATH}/${id}/ping`, undefined),
  ]
}
