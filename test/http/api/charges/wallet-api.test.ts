// Charges in the app: scan, pay with the PIN, and what the payer's own lists say of it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { CheckoutCodes } from '../../../../http/api/checkout/checkout-codes.ts'
import { balanceOf, openCharge, openPayer, type Payer, PIN, stateOf } from '../../../support/charge-callers.ts'
import { newKey, newTag, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const payInApp = (payer: Payer, token: string, pin = PIN, key: object = newKey()) =>
  payer.app.post(`/v1/me/charges/${token}/pay`, { pin }, key as Record<string, string>)

test('a payment gives the answer, the balances, and the line on both statements', async () => {
  const merchant = await server.merchant('Boutique')
  const payer = await openPayer(server, merchant, 5000)
  const charge = await openCharge(merchant, { reference: 'CMD-1', customer_tag: payer.tag })
  const { status, body } = await payInApp(payer, charge.token)
  assert.equal(status, 200)
  const { transaction_id, ...rest } = body
  assert.deepEqual(rest, { state: 'paid', amount: 1000, currency: 'XOF', fee: 0, balance_after: 4000 })
  assert.equal(await balanceOf(merchant), 1000)
  assert.equal((await payer.app.get('/v1/me/balance')).body.available, 4000)
  const { data } = (await payer.app.get<{ data: Record<string, unknown>[] }>('/v1/me/transactions')).body
  const { id, type, amount, balance_after, reference, counterparty, charge_id } = data[0] ?? {}
  assert.deepEqual(
    { id, type, amount, balance_after, reference, counterparty, charge_id },
    {
      id: transaction_id,
      type: 'charge',
      amount: -1000,
      balance_after: 4000,
      reference: 'CMD-1',
      counterparty: 'Boutique',
      charge_id: charge.id,
    },
  )
})

test('the key of a payment is required, replayed without the PIN, and rejected with another request', async () => {
  const merchant = await server.merchant()
  const payer = await openPayer(server, merchant, 5000)
  const charge = await openCharge(merchant)
  const keyless = await payInApp(payer, charge.token, PIN, {})
  assert.deepEqual([keyless.status, keyless.body.code], [400, 'idempotency_key_required'])
  const key = newKey()
  assert.equal((await payInApp(payer, charge.token, '1111', key)).status, 401)
  const first = await payInApp(payer, charge.token, PIN, key)
  const again = await payInApp(payer, charge.token, PIN, key)
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  const other = await openCharge(merchant)
  assert.equal((await payInApp(payer, other.token, PIN, key)).status, 422)
  assert.equal(await stateOf(server, other), 'pending')
})

test('what the app is refused', async () => {
  const merchant = await server.merchant()
  const payer = await openPayer(server, merchant, 999)
  const [open, foreign, cancelled] = [
    await openCharge(merchant),
    await openCharge(merchant, { customer_tag: newTag() }),
    await openCharge(merchant),
  ]
  const live = (await merchant.live.post<{ token: string }>('/v1/biz/charges', { amount: 1 })).body
  await merchant.test.post(`/v1/biz/charges/${cancelled.token}/cancel`, undefined)
  for (const [token, status, code] of [
    [open.token, 402, 'insufficient_balance'],
    [foreign.token, 403, 'wrong_customer'],
    [cancelled.token, 409, 'charge_cancelled'],
    [live.token, 404, 'not_found'],
    ['x'.repeat(32), 404, 'not_found'],
    [open.id, 404, 'not_found'],
  ] as const) {
    const { status: seen, body } = await payInApp(payer, token)
    assert.deepEqual([seen, body.code], [status, code])
  }
  const wrong = await payInApp(payer, open.token, '1111')
  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.attempts_left], [401, 'pin_incorrect', 4])
  const stranger = await server.anybody.post(`/v1/me/charges/${open.token}/pay`, { pin: PIN }, newKey())
  assert.equal(stranger.status, 401)
})

test('a scan takes only codes of Cauri, of now, and of the wallet’s own environment', async () => {
  const merchant = await server.merchant()
  const payer = await openPayer(server, merchant, 0)
  const charge = await openCharge(merchant)
  const scan = async (payload: string): Promise<unknown[]> => {
    const { status, body } = await payer.app.post('/v1/me/charges/scan', { payload })
    return [status, body.code ?? body.token, body.param]
  }
  const madeUp = new CheckoutCodes(Buffer.alloc(32, 9)).code(charge.checkout_url, charge.token, Date.now()).payload
  const live = (await merchant.live.post<{ token: string }>('/v1/biz/charges', { amount: 1 })).body
  const liveQr = (await server.anybody.get<{ payload: string }>(`/v1/biz/checkout/${live.token}/qr`)).body.payload
  assert.deepEqual(await scan(madeUp), [400, 'qr_expired', undefined])
  assert.deepEqual(await scan(liveQr), [404, 'not_found', undefined])
  for (const payload of ['', 'https://example.com', charge.checkout_url, 'WIFI:S:x;;', `${charge.checkout_url}?c=`]) {
    assert.deepEqual(await scan(payload), [400, 'qr_expired', undefined])
  }
  const { body } = await payer.app.post('/v1/me/charges/scan', {})
  assert.deepEqual([body.code, body.param], ['invalid_request', 'payload'])
})
