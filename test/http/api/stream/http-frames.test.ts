// What each frame says, over HTTP.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openCharge } from '../../../support/charge-callers.ts'
import { EventReader, type StreamRequest } from '../../../support/open-stream.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import type { SeenFrame } from '../../../support/stream-fixture.ts'
import { logIn, ok, type Person, PIN, signUp } from '../../../support/wallet-callers.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await ownServer({ LOG_LEVEL: 'debug' })
  merchant = await server.fundedMerchant(10_000_000)
})

after(async () => {
  await server.close()
})

const fund = (tag: string, amount: number) => ok(merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount }))

const payTo = (tag: string, more: object = {}) =>
  ok(merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 10, ...more }, newKey()))

function listen(person: Person, more: Partial<StreamRequest> = {}): Promise<EventReader> {
  return EventReader.open({ baseUrl: server.process.baseUrl, accessToken: person.accessToken, ...more })
}

const eventsOf = (frames: readonly SeenFrame[]): string[] => frames.map(({ event }) => event)

describe('what frames say', () => {
  test('a payout and a transfer either way have frames with the balance after each', async () => {
    const [awa, kofi] = [await signUp(server.anybody), await signUp(server.anybody)]
    const reader = await listen(awa)
    assert.deepEqual(
      [reader.status, reader.headers['content-type'], reader.headers['cache-control']],
      [200, 'text/event-stream; charset=utf-8', 'no-store'],
    )
    const payout = await payTo(awa.tag, { amount: 500, reference: 'PAIE', note: 'Novembre' })
    const sent = await ok(
      awa.client.post('/v1/me/transfers', { recipient: kofi.tag, amount: 200, note: 'Pour le taxi', pin: PIN }, newKey()),
    )
    await ok(kofi.client.post('/v1/me/transfers', { recipient: awa.tag, amount: 50, note: '', pin: PIN }, newKey()))
    const frames = await reader.until(6)
    assert.deepEqual(
      frames.map(({ id, event }) => `${id} ${event}`),
      ['1 payment.received', '2 balance.updated', '3 payment.sent', '4 balance.updated', '5 payment.received', '6 balance.updated'],
    )
    const transaction_id = payout.body.transaction_id
    const currency = 'XOF'
    assert.deepEqual(frames[0]?.data, {
      ...{ transaction_id, amount: 500, currency, counterparty: 'Boutique', reference: 'PAIE', note: 'Novembre', balance_after: 500 },
    })
    assert.deepEqual(frames[1]?.data, { available: 500, balance: 500, currency, transaction_id })
    assert.deepEqual(frames[2]?.data, {
      ...{ transaction_id: sent.body.transaction_id, amount: 200, currency, counterparty: kofi.tag, reference: '' },
      ...{ note: 'Pour le taxi', balance_after: 300 },
    })
    assert.deepEqual([frames[4]?.data.counterparty, frames[4]?.data.balance_after], [kofi.tag, 350])
    const created = await awa.client.get<{ data: readonly { id: string; created_at: string }[] }>('/v1/me/transactions')
    assert.equal(frames[0]?.created_at, created.body.data.find(({ id }) => id === transaction_id)?.created_at)
    reader.close()
  })

  test('a line of a batch, and a test deposit without a sender, have frames', async () => {
    const awa = await signUp(server.anybody)
    const reader = await listen(awa)
    await fund(awa.tag, 70)
    const items = [{ recipient: awa.tag, amount: 30, reference: 'L1', note: 'ligne' }]
    await ok(merchant.test.post('/v1/biz/payouts/batch', { items }, newKey()))
    const frames = await reader.until(4)
    const { transaction_id: _one, ...deposit } = frames[0]?.data ?? {}
    const { transaction_id: _two, ...line } = frames[2]?.data ?? {}
    assert.deepEqual(deposit, { amount: 70, currency: 'XOF', counterparty: null, reference: '', note: '', balance_after: 70 })
    assert.deepEqual(line, { amount: 30, currency: 'XOF', counterparty: 'Boutique', reference: 'L1', note: 'ligne', balance_after: 100 })
    reader.close()
  })

  test('a charge for one customer has frames from the beginning to its refund, an open one once it is paid', async () => {
    const awa = await signUp(server.anybody)
    await fund(awa.tag, 1000)
    const reader = await listen(awa)
    const charge = await openCharge(merchant, { amount: 400, customer_tag: awa.tag, reference: 'C-1', description: '2 pagnes' })
    const path = `/v1/biz/charges/${charge.token}`
    await ok(awa.client.post(`/v1/me/charges/${charge.token}/pay`, { pin: PIN }, newKey()))
    await ok(merchant.test.post(`${path}/refund`, undefined, newKey()))
    const frames = await reader.until(7)
    assert.deepEqual(eventsOf(frames), [
      'charge.updated',
      ...['payment.sent', 'balance.updated', 'charge.updated'],
      ...['payment.received', 'balance.updated', 'charge.updated'],
    ])
    // A frame reads the same for ever: the fee of a pending charge follows the rules, and a shop changes its address and its logo.
    const checkout = (await server.anybody.get(`/v1/biz/checkout/${charge.token}`)).body
    const { fee, merchant_address, merchant_logo_url, ...scanned } = checkout
    assert.deepEqual([fee, merchant_address, merchant_logo_url], [0, null, null])
    const states = ['pending', 'paid', 'refunded']
    const updates = frames.filter(({ event }) => event === 'charge.updated')
    assert.deepEqual(
      updates.map(({ data }) => data),
      states.map((state) => ({ token: charge.token, ...scanned, state })),
    )
    assert.equal(frames[1]?.data.reference, 'C-1')
    const open = await openCharge(merchant, { amount: 5 })
    await ok(awa.client.post(`/v1/me/charges/${open.token}/pay`, { pin: PIN }, newKey()))
    assert.deepEqual(eventsOf(await reader.until(10)).slice(7), ['payment.sent', 'balance.updated', 'charge.updated'])
    for (const move of ['cancel', 'expire']) {
      const ends = await openCharge(merchant, { customer_tag: awa.tag })
      await ok(
        merchant.test.post(
          move === 'cancel' ? `/v1/biz/charges/${ends.token}/cancel` : `/v1/biz/test/charges/${ends.token}/expire`,
          undefined,
        ),
      )
    }
    const last = (await reader.until(14)).slice(10)
    assert.deepEqual(
      last.map(({ data }) => data.state),
      ['pending', 'cancelled', 'pending', 'expired'],
    )
    reader.close()
  })

  test('frames of devices and sessions hold public names and no secret', async () => {
    const awa = await signUp(server.anybody)
    const reader = await listen(awa)
    const second = await logIn(server.anybody, awa.phone, PIN, 'second-phone')
    const other = await listen(second)
    await ok(awa.client.post('/v1/me/pin/change', { pin: PIN, new_pin: '8642' }))
    const [added, revoked] = await reader.until(2)
    assert.deepEqual([added?.event, added?.data], ['device.added', { id: 'second-phone', name: '', platform: '' }])
    assert.deepEqual(
      [revoked?.event, revoked?.data],
      ['session.revoked', { id: 'second-phone', name: '', platform: '', reason: 'pin_changed' }],
    )
    assert.equal(await other.untilEnd(), 'end')
    assert.deepEqual(eventsOf(other.frames), ['session.revoked'])
    reader.close()
  })
})
