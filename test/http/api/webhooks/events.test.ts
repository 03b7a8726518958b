// The list of events: what a merchant was sent, its result, and redelivery by hand.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Client } from '../../../support/client.ts'
import { type Merchant, newKey } from '../../../support/server-fixture.ts'
import { codeOfAnswer, ok } from '../../../support/wallet-callers.ts'
import { eventNow, eventsOf, paidCharge, until, untilAttempts, WebhookFixture } from '../../../support/webhook-callers.ts'

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

describe('events', () => {
  test('events are listed by type, by success, and by time', async () => {
    const made = await setup.endpoint(shop, ['charge.succeeded', 'payout.paid'])
    await paidCharge(merchant, payer)
    await untilAttempts(shop, made.id, 1)
    setup.answer(made, 500)
    await ok(shop.post('/v1/biz/payouts', { recipient: payer, amount: 1 }, newKey()))
    await untilAttempts(shop, made.id, 2)
    const list = async (query: string): Promise<string[]> => (await eventsOf(shop, query)).map(({ type }) => type)
    assert.deepEqual(await list(''), ['payout.paid', 'charge.succeeded'])
    assert.deepEqual(await list('?type=payout.paid'), ['payout.paid'])
    assert.deepEqual(await list('?delivery_success=false'), ['payout.paid'])
    assert.deepEqual(await list('?delivery_success=true'), ['charge.succeeded'])
    assert.deepEqual(await list('?delivery_success=false&type=charge.succeeded'), [])
    const [payout, charge] = await eventsOf(shop)
    const [from, to] = [charge?.created_at, payout?.created_at].map((time) => encodeURIComponent(String(time)))
    assert.deepEqual(await list(`?created_from=${from}&created_to=${to}`), ['charge.succeeded'])
    assert.deepEqual(await list(`?created_from=${to}`), ['payout.paid'])
    assert.deepEqual(await list(`?delivery_success=false&created_to=${to}`), [])
    const first = await shop.get<{ next_cursor: string; has_more: boolean; data: unknown[] }>('/v1/biz/events?limit=1')
    assert.equal(first.body.has_more, true)
    assert.deepEqual(await list(`?limit=1&cursor=${first.body.next_cursor}`), ['charge.succeeded'])
    for (const query of ['?type=charge.paid', '?delivery_success=maybe', '?limit=0', '?cursor=x', '?state=paid', '?created_from=today']) {
      assert.equal(codeOfAnswer(await shop.get(`/v1/biz/events${query}`)), 'invalid_parameter', query)
    }
  })

  test('events are their merchant’s, of their environment', async () => {
    await paidCharge(merchant, payer)
    const [event] = await eventsOf(shop)
    const other = await setup.server.merchant()
    for (const stranger of [other.test, merchant.live]) {
      assert.deepEqual(await eventsOf(stranger), [])
      assert.equal(codeOfAnswer(await stranger.get(`/v1/biz/events/${event?.id}`)), 'not_found')
      assert.equal(codeOfAnswer(await stranger.post(`/v1/biz/events/${event?.id}/redeliver`, undefined)), 'not_found')
    }
  })

  test('an event that no endpoint asked for is recorded, and sent by hand to a later endpoint', async () => {
    await paidCharge(merchant, payer)
    const [event] = await eventsOf(shop)
    assert.equal(event?.delivery_state, 'none')
    const id = String(event?.id)
    assert.equal(codeOfAnswer(await shop.post(`/v1/biz/events/${id}/redeliver`, undefined)), 'no_webhook_endpoint')
    const made = await setup.endpoint(shop)
    const key = newKey()
    const [first, again] = [
      await shop.post(`/v1/biz/events/${id}/redeliver`, undefined, key),
      await shop.post(`/v1/biz/events/${id}/redeliver`, undefined, key),
    ]
    assert.deepEqual([first.status, first.text, again.headers['idempotent-replayed']], [200, again.text, 'true'])
    const [row] = await untilAttempts(shop, made.id, 1)
    await until(async () => (await eventNow(shop, id)).delivery_state === 'succeeded', 'its success')
    await ok(shop.post(`/v1/biz/events/${id}/redeliver`, undefined))
    const rows = await untilAttempts(shop, made.id, 2)
    assert.deepEqual(
      rows.map(({ attempt, state, delivery_id }) => [attempt, state, delivery_id]),
      [
        [1, 'succeeded', row?.delivery_id],
        [2, 'succeeded', row?.delivery_id],
      ],
    )
  })
})
