// Deliveries over HTTP: what a receiver gets, what it may do to us, and what the delivery log says of it.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Client } from '../../../support/client.ts'
import { type Received, Receiver } from '../../../support/receiver.ts'
import { type Merchant, newKey } from '../../../support/server-fixture.ts'
import { codeOfAnswer, ok } from '../../../support/wallet-callers.ts'
import {
  attemptsOf,
  endpointNow,
  eventsOf,
  newEndpoint,
  paidCharge,
  until,
  untilAttempts,
  verdictOf,
  WebhookFixture,
} from '../../../support/webhook-callers.ts'

let setup: WebhookFixture
let merchant: Merchant
let shop: Client
/** With money. */
let payer: string

before(async () => {
  setup = await WebhookFixture.open()
})

after(async () => {
  await setup.close()
})

beforeEach(async () => {
  merchant = await setup.server.fundedMerchant(1_000_000)
  shop = merchant.test
  payer = await setup.payer(merchant)
})

describe('charge.succeeded', () => {
  test('charge.succeeded is the charge, signed over the very bytes, with ids that the API knows', async () => {
    const made = await setup.endpoint(shop)
    const token = await paidCharge(merchant, payer, { reference: 'C-1', description: 'Pagne — 2 m', metadata: { order: 'é' } })
    const [row] = await untilAttempts(shop, made.id, 1)
    const [sent, ...more] = setup.at(made)
    assert.ok(sent !== undefined && row !== undefined && more.length === 0)
    const { body: charge } = await shop.get(`/v1/biz/charges/${token}`)
    const { merchant_id, ...rest } = (JSON.parse(sent.body) as { data: Record<string, unknown> }).data
    const { checkout_url: _u, redirect_url: _r, webhook_url: _w, expires_at: _e, ...shown } = charge
    const { cancelled_at: _c, refunded_at: _d, refund_transaction_id: _t, created_by: _m, fee: _f, ...fields } = shown
    assert.deepEqual([merchant_id, rest], [merchant.id, fields])
    assert.deepEqual(Object.keys(JSON.parse(sent.body) as object), ['type', 'data'])
    assert.deepEqual([sent.method, sent.headers['content-type'], verdictOf(sent, made.secret)], ['POST', 'application/json', 'valid'])
    const [event] = await eventsOf(shop)
    assert.deepEqual(
      ['x-service-event-id', 'x-service-delivery-id', 'x-service-attempt'].map((name) => sent.headers[name]),
      [event?.id, row.delivery_id, '1'],
    )
    assert.deepEqual({ type: event?.type, data: event?.data }, JSON.parse(sent.body))
    assert.deepEqual([event?.delivery_state, event?.environment], ['succeeded', 'test'])
    const { id: _id, delivery_id: _delivery, duration_ms, created_at: _created, ...known } = row
    assert.deepEqual(known, {
      ...{ event_id: event?.id, endpoint_id: made.id, attempt: 1, http_status: 200, error: null },
      ...{ state: 'succeeded', next_attempt_at: null },
    })
    assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0)
  })

  test('charge.succeeded goes to the charge’s own address alone, signed by the first endpoint’s secret, or the default one', async () => {
    const own = setup.newPath()
    await paidCharge(merchant, payer, { webhook_url: setup.receiver.url(`${own}?order=1`) })
    await until(() => setup.at(own).length === 1, 'the one-off')
    const { body } = await shop.get<{ secret: string }>('/v1/biz/webhook-secret')
    assert.equal(verdictOf(setup.at(own)[0] as Received, body.secret), 'valid')
    const [first, second] = [await setup.endpoint(shop, ['charge.succeeded', 'charge.refunded']), await setup.endpoint(shop)]
    const token = await paidCharge(merchant, payer, { webhook_url: setup.receiver.url(`${own}?order=2`) })
    await until(() => setup.at(own).length === 2, 'the second one-off')
    assert.deepEqual([verdictOf(setup.at(own)[1] as Received, first.secret), setup.at(own)[1]?.path], ['valid', `${own}?order=2`])
    await ok(shop.post(`/v1/biz/charges/${token}/refund`, undefined, newKey()))
    await untilAttempts(shop, first.id, 1)
    assert.deepEqual(
      setup.at(first).map((sent) => (JSON.parse(sent.body) as { type: string }).type),
      ['charge.refunded'],
    )
    assert.deepEqual([await attemptsOf(shop, second.id), setup.at(second)], [[], []])
    await until(async () => (await eventsOf(shop, '?delivery_success=true')).length === 3, 'all three delivered')
  })

  test('every other type of event goes to the endpoints that ask for it, and to no other', async () => {
    const everything = ['charge.expired', 'charge.cancelled', 'charge.refunded', 'payout.paid', 'payout.failed', 'batch.completed']
    const [all, one] = [await setup.endpoint(shop, everything), await setup.endpoint(shop, ['payout.failed'])]
    for (const move of ['expire', 'cancel']) {
      const { body } = await shop.post<{ token: string }>('/v1/biz/charges', { amount: 5 })
      await ok(
        shop.post(move === 'cancel' ? `/v1/biz/charges/${body.token}/cancel` : `/v1/biz/test/charges/${body.token}/expire`, undefined),
      )
    }
    const token = await paidCharge(merchant, payer)
    await ok(shop.post(`/v1/biz/charges/${token}/refund`, undefined, newKey()))
    await ok(shop.post('/v1/biz/payouts', { recipient: payer, amount: 1 }, newKey()))
    await ok(shop.post('/v1/biz/payouts', { recipient: 'nobody_here', amount: 1 }, newKey()))
    await ok(shop.post('/v1/biz/payouts/batch', { items: [{ recipient: payer, amount: 1 }] }, newKey()))
    await untilAttempts(shop, all.id, 7)
    await untilAttempts(shop, one.id, 1)
    const types = (endpoint: { readonly url: string }): string[] =>
      setup
        .at(endpoint)
        .map((sent) => (JSON.parse(sent.body) as { type: string }).type)
        .sort()
    assert.deepEqual(types(all), [...everything, 'payout.paid'].sort())
    assert.deepEqual(types(one), ['payout.failed'])
    const [charge] = await eventsOf(shop, '?type=charge.succeeded')
    assert.equal(charge?.delivery_state, 'none')
  })
})

describe('a receiver that fails', () => {
  test('a receiver that fails is tried again after five seconds, give or take a fifth, under the same delivery id', async () => {
    const made = await setup.endpoint(shop)
    setup.answering(made, (received, response) => response.writeHead(received.headers['x-service-attempt'] === '1' ? 500 : 204).end())
    await paidCharge(merchant, payer)
    const [failed] = await untilAttempts(shop, made.id, 1)
    assert.deepEqual([failed?.http_status, failed?.state], [500, 'pending'])
    const waitMs = Date.parse(failed?.next_attempt_at ?? '') - Date.parse(failed?.created_at ?? '')
    assert.ok(waitMs >= 4000 && waitMs <= 6000, `${waitMs} ms`)
    const [pending] = await eventsOf(shop, '?delivery_success=false')
    assert.deepEqual([pending?.id, pending?.delivery_state], [failed?.event_id, 'pending'])
    const rows = await untilAttempts(shop, made.id, 2)
    assert.deepEqual(
      rows.map(({ attempt, state, http_status }) => [attempt, state, http_status]),
      [
        [1, 'failed', 500],
        [2, 'succeeded', 204],
      ],
    )
    assert.equal(new Set(rows.map(({ delivery_id }) => delivery_id)).size, 1)
    assert.equal(new Set(rows.map(({ id }) => id)).size, 2)
    const [first, second] = setup.at(made)
    assert.equal(second?.body, first?.body)
    assert.equal(verdictOf(second as Received, made.secret), 'valid')
    assert.ok(Date.parse(rows[1]?.created_at ?? '') >= Date.parse(failed?.next_attempt_at ?? ''))
    assert.deepEqual(await eventsOf(shop, '?delivery_success=false'), [])
    assert.equal((await eventsOf(shop, '?delivery_success=true&type=charge.succeeded')).length, 1)
  })

  const rows: readonly (readonly [name: string, status: number, headers: Record<string, string>])[] = [
    ['a redirect, which nobody follows', 302, { location: '/redirected' }],
    ['a redirect that is for good', 308, { location: '/redirected' }],
    ['not modified', 304, {}],
    ['a refusal', 400, {}],
    ['not found', 404, {}],
    ['a teapot', 418, {}],
  ]
  for (const [name, status, headers] of rows) {
    test(`a delivery is tried again later: ${name}`, async () => {
      const made = await setup.endpoint(shop)
      setup.answer(made, status, headers)
      await paidCharge(merchant, payer)
      const [row] = await untilAttempts(shop, made.id, 1)
      assert.deepEqual([row?.http_status, row?.state], [status, 'pending'])
      assert.deepEqual(setup.at('/redirected'), [])
    })
  }

  test('a receiver that fails and asks for an hour gets an hour', async () => {
    const made = await setup.endpoint(shop)
    setup.answer(made, 503, { 'retry-after': '3600' })
    await paidCharge(merchant, payer)
    const [row] = await untilAttempts(shop, made.id, 1)
    assert.equal(Date.parse(row?.next_attempt_at ?? '') - Date.parse(row?.created_at ?? ''), 3_600_000)
  })

  test('410 disables it: nothing comes any more, until its merchant enables it again', async () => {
    const made = await setup.endpoint(shop)
    setup.answer(made, 410)
    await paidCharge(merchant, payer)
    const [row] = await untilAttempts(shop, made.id, 1)
    assert.deepEqual([row?.state, row?.next_attempt_at], ['failed', null])
    const { status, disabled_reason } = await endpointNow(shop, made.id)
    assert.deepEqual([status, disabled_reason], ['disabled', 'gone'])
    await paidCharge(merchant, payer)
    assert.deepEqual(
      (await eventsOf(shop)).map(({ delivery_state }) => delivery_state),
      ['none', 'failed'],
    )
    const refused = await shop.post(`/v1/biz/events/${row?.event_id}/redeliver`, undefined)
    assert.deepEqual([refused.status, codeOfAnswer(refused)], [409, 'no_webhook_endpoint'])
    setup.answer(made, 200)
    await ok(shop.request('PUT', `/v1/biz/webhook-endpoints/${made.id}`, { json: { status: 'enabled' } }))
    await ok(shop.post(`/v1/biz/events/${row?.event_id}/redeliver`, undefined))
    const rowsNow = await untilAttempts(shop, made.id, 2)
    assert.deepEqual([rowsNow[1]?.attempt, rowsNow[1]?.state, rowsNow[1]?.delivery_id], [2, 'succeeded', row?.delivery_id])
  })

  test('an address without a server fails', async () => {
    const away = await Receiver.open()
    const made = await newEndpoint(shop, away.url('/'))
    await away.close()
    await paidCharge(merchant, payer)
    const [row] = await untilAttempts(shop, made.id, 1)
    assert.deepEqual([row?.error, row?.http_status, row?.state], ['connection_failed', null, 'pending'])
  })
})

describe('a receiver that is odd', () => {
  test('a body without an end is cut, and its 200 counts', async () => {
    const made = await setup.endpoint(shop)
    let wroteBytes = 0
    setup.answering(made, (_received, response) => {
      const chunk = Buffer.alloc(65_536, 'a')
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk)) wroteBytes += chunk.length
        if (!response.destroyed) response.once('drain', pour)
      }
      response.writeHead(200)
      pour()
    })
    await paidCharge(merchant, payer)
    const [row] = await untilAttempts(shop, made.id, 1)
    assert.deepEqual([row?.http_status, row?.state], [200, 'succeeded'])
    await until(() => setup.receiver.open === 0, 'the connection to be cut')
    assert.ok(wroteBytes < 64 * 1024 * 1024, `${wroteBytes}`)
  })

  test('a receiver that hangs delays its own events, not those of others, and times out after 15 s', async () => {
    const [slow, quick] = [await setup.endpoint(shop), await setup.endpoint(shop)]
    setup.answering(slow, (_received, response) => setup.held.push(() => response.end('late')))
    for (let count = 0; count < 8; count++) await paidCharge(merchant, payer)
    await untilAttempts(shop, quick.id, 8)
    assert.deepEqual(await attemptsOf(shop, slow.id), [])
    const rows = await untilAttempts(shop, slow.id, 4)
    assert.deepEqual([rows[0]?.error, rows[0]?.http_status, rows[0]?.state], ['timeout', null, 'pending'])
    assert.ok((rows[0]?.duration_ms ?? 0) >= 15_000)
    for (const release of setup.held.splice(0)) release()
    setup.answer(slow, 200)
    await until(
      async () => (await attemptsOf(shop, slow.id)).filter(({ state }) => state === 'succeeded').length === 8,
      'all eight in the end',
    )
  })

  test('a receiver that answers late but in time gets no second call', async () => {
    const made = await setup.endpoint(shop)
    setup.answering(made, (_received, response) => setup.held.push(() => response.writeHead(202).end()))
    await paidCharge(merchant, payer)
    await until(() => setup.at(made).length === 1, 'the call')
    const [event] = await eventsOf(shop)
    assert.equal(event?.delivery_state, 'pending')
    await ok(shop.post(`/v1/biz/events/${event?.id}/redeliver`, undefined))
    for (const release of setup.held.splice(0)) release()
    const rows = await untilAttempts(shop, made.id, 1)
    assert.deepEqual(
      rows.map(({ attempt, http_status, state }) => [attempt, http_status, state]),
      [[1, 202, 'succeeded']],
    )
  })
})
