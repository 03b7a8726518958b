// Events of payouts and batches are in the list whether an endpoint asks for them or not, and never twice.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Event } from '../../../../engine/contract/webhook.ts'
import type { Client } from '../../../support/client.ts'
import { type Merchant, newKey, newTag, TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { codeOfAnswer, ok } from '../../../support/wallet-callers.ts'
import { eventNow, eventsOf, paidCharge, until, untilAttempts, WebhookFixture } from '../../../support/webhook-callers.ts'

interface Page {
  readonly data: readonly Event[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

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

async function pay(amount: number, recipient = payer): Promise<{ readonly id: string }> {
  return (await ok(shop.post<{ id: string }>('/v1/biz/payouts', { recipient, amount }, newKey()))).body
}

async function batch(...recipients: readonly string[]): Promise<{ readonly id: string }> {
  const items = recipients.map((recipient) => ({ recipient, amount: 10 }))
  return (await ok(shop.post<{ id: string }>('/v1/biz/payouts/batch', { items }, newKey()))).body
}

/** All pages of this size, one after the other. */
async function walk(client: Client, limit: number, query = ''): Promise<Event[]> {
  const events: Event[] = []
  for (let cursor = ''; ; ) {
    const { body } = await ok(client.get<Page>(`/v1/biz/events?limit=${limit}${query}${cursor}`))
    events.push(...body.data)
    if (!body.has_more) return events
    cursor = `&cursor=${body.next_cursor}`
  }
}

const idOf = ({ data }: Event): unknown => (data as { id: unknown }).id

describe('without an endpoint', () => {
  test('every type is listed, newest first, with its data', async () => {
    const token = await paidCharge(merchant, payer)
    await ok(shop.post(`/v1/biz/charges/${token}/refund`, {}, newKey()))
    const { body: cancelled } = await ok(shop.post<{ token: string }>('/v1/biz/charges', { amount: 10 }))
    await ok(shop.post(`/v1/biz/charges/${cancelled.token}/cancel`, {}))
    const { body: expired } = await ok(shop.post<{ token: string }>('/v1/biz/charges', { amount: 10 }))
    await ok(shop.post(`/v1/biz/test/charges/${expired.token}/expire`, {}))
    const paid = await pay(5)
    const failed = await pay(5, newTag())
    const { id } = await batch(payer, newTag())
    const events = await eventsOf(shop)
    assert.deepEqual(
      events.map(({ type, delivery_state }) => [type, delivery_state]),
      [
        ...['batch.completed', 'payout.failed', 'payout.paid', 'payout.failed', 'payout.paid'],
        ...['charge.expired', 'charge.cancelled', 'charge.refunded', 'charge.succeeded'],
      ].map((type) => [type, 'none']),
    )
    assert.deepEqual(
      [events[0], events[3], events[4]].map((event) => event?.id),
      [id, failed.id, paid.id],
    )
    const payout = await ok(shop.get(`/v1/biz/payouts/${paid.id}`))
    const report = await ok(shop.get(`/v1/biz/payouts/batch/${id}`))
    assert.deepEqual([events[4]?.data, events[0]?.data], [payout.body, report.body])
    assert.equal(events[4]?.created_at, payout.body.created_at)
    for (const event of events) assert.deepEqual(await eventNow(shop, event.id), event)
  })

  test('a payout costs no second record and no second event', async () => {
    const { id } = await pay(5)
    const [event, ...more] = await eventsOf(shop)
    assert.deepEqual([event?.id, more], [id, []])
  })

  test('events are listed for their merchant alone, and in their environment', async () => {
    const { id } = await pay(5)
    const other = await setup.server.merchant()
    for (const stranger of [other.test, merchant.live]) {
      assert.deepEqual(await eventsOf(stranger), [])
      assert.equal(codeOfAnswer(await stranger.get(`/v1/biz/events/${id}`)), 'not_found')
      assert.equal(codeOfAnswer(await stranger.post(`/v1/biz/events/${id}/redeliver`, undefined)), 'not_found')
    }
  })

  test('an event without an endpoint is listed as delivered or not only after a redelivery', async () => {
    const { id } = await pay(5)
    const other = await pay(6)
    assert.deepEqual([await eventsOf(shop, '?delivery_success=true'), await eventsOf(shop, '?delivery_success=false')], [[], []])
    assert.equal(codeOfAnswer(await shop.post(`/v1/biz/events/${id}/redeliver`, undefined)), 'no_webhook_endpoint')
    const made = await setup.endpoint(shop, ['payout.paid'])
    setup.answer(made, 500)
    await ok(shop.post(`/v1/biz/events/${id}/redeliver`, undefined))
    await untilAttempts(shop, made.id, 1)
    const [received] = setup.at(made)
    const payout = await ok(shop.get(`/v1/biz/payouts/${id}`))
    assert.deepEqual(JSON.parse(received?.body ?? ''), { type: 'payout.paid', data: payout.body })
    assert.equal(received?.headers['x-service-event-id'], id)
    const unsent = async (): Promise<string[]> => (await eventsOf(shop, '?delivery_success=false')).map((event) => event.id)
    assert.deepEqual([await unsent(), (await eventNow(shop, id)).delivery_state], [[id], 'pending'])
    setup.answer(made, 200)
    await ok(shop.post(`/v1/biz/events/${id}/redeliver`, undefined))
    await until(async () => (await eventNow(shop, id)).delivery_state === 'succeeded', 'its success')
    assert.deepEqual(await unsent(), [])
    assert.deepEqual(
      (await eventsOf(shop, '?delivery_success=true')).map((event) => event.id),
      [id],
    )
    assert.deepEqual((await eventsOf(shop, '?delivery_success=true&type=payout.failed')).length, 0)
    assert.equal((await eventNow(shop, other.id)).delivery_state, 'none')
  })
})

describe('with an endpoint that asks now and then', () => {
  /** Of what was asked for the event has an id of its own. */
  async function someAsked(): Promise<number> {
    await pay(1)
    await batch(payer, newTag(), payer)
    const made = await setup.endpoint(shop, ['payout.paid', 'batch.completed'])
    await pay(2)
    await batch(payer, newTag(), payer)
    await paidCharge(merchant, payer)
    await ok(shop.request('PUT', `/v1/biz/webhook-endpoints/${made.id}`, { json: { events: ['payout.failed'] } }))
    await batch(newTag(), payer, newTag())
    await pay(3, newTag())
    await until(async () => (await eventsOf(shop, '?delivery_success=false')).length === 0, 'their deliveries')
    return 1 + 4 + 1 + 4 + 1 + 4 + 1
  }

  test('no event is listed twice, on pages of any size', async () => {
    const count = await someAsked()
    const whole = await walk(shop, 100)
    assert.equal(whole.length, count)
    assert.equal(new Set(whole.map(({ id }) => id)).size, count)
    assert.equal(new Set(whole.map(idOf)).size, count)
    for (const limit of [1, 2, 3, 5, 7]) assert.deepEqual(await walk(shop, limit), whole, `pages of ${limit}`)
    for (const event of whole) assert.deepEqual(await eventNow(shop, event.id), event)
  })

  test('filters by type and time agree with the whole list', async () => {
    await someAsked()
    const whole = await walk(shop, 100)
    for (const type of ['payout.paid', 'payout.failed', 'batch.completed', 'charge.succeeded', 'charge.refunded']) {
      const wanted = whole.filter((event) => event.type === type)
      for (const limit of [1, 3, 100]) assert.deepEqual(await walk(shop, limit, `&type=${type}`), wanted, `${type}, pages of ${limit}`)
    }
    const [newest, oldest] = [whole[3]?.created_at ?? '', whole.at(-3)?.created_at ?? '']
    const within = whole.filter(({ created_at }) => created_at >= oldest && created_at < newest)
    const times = `&created_from=${encodeURIComponent(oldest)}&created_to=${encodeURIComponent(newest)}`
    assert.deepEqual(await walk(shop, 2, times), within)
  })

  test('a payout whose event has an id of its own is found by that id alone', async () => {
    await setup.endpoint(shop, ['payout.paid'])
    const { id } = await pay(5)
    const [event] = (await eventsOf(shop)) as [Event]
    assert.equal(idOf(event), id)
    assert.notEqual(event.id, id)
    assert.equal(codeOfAnswer(await shop.get(`/v1/biz/events/${id}`)), 'not_found')
    assert.equal(codeOfAnswer(await shop.post(`/v1/biz/events/${id}/redeliver`, undefined)), 'not_found')
  })
})

test('after a crash the list is the same, and what was asked for by hand is still sent', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-e2e-'))
  const settings = { OUTBOUND_ALLOW_PRIVATE: 'true' }
  const first = await TestServer.open({ dataDir, settings })
  try {
    const known = await first.fundedMerchant(1000)
    const recipient = await first.wallet(known)
    const { body } = await ok(known.test.post<{ id: string }>('/v1/biz/payouts', { recipient, amount: 5 }, newKey()))
    const items = [recipient, newTag()].map((tag) => ({ recipient: tag, amount: 1 }))
    await ok(known.test.post('/v1/biz/payouts/batch', { items }, newKey()))
    const { body: endpoint } = await ok(
      known.test.post<{ id: string; url: string }>('/v1/biz/webhook-endpoints', {
        url: setup.receiver.url(setup.newPath()),
        events: ['payout.paid'],
      }),
    )
    setup.answer(endpoint, 500)
    await ok(known.test.post(`/v1/biz/events/${body.id}/redeliver`, undefined))
    await untilAttempts(known.test, endpoint.id, 1)
    const before = await eventsOf(known.test)
    await first.process.kill()
    const second = await ownServer(settings, dataDir)
    try {
      const client = known.test.at(second.anybody)
      assert.deepEqual(await eventsOf(client), before)
      setup.answer(endpoint, 200)
      await ok(client.post(`/v1/biz/events/${body.id}/redeliver`, undefined))
      await until(async () => (await eventNow(client, body.id)).delivery_state === 'succeeded', 'its success')
    } finally {
      await second.close()
    }
  } finally {
    await first.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
