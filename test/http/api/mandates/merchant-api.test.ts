// Mandates over HTTP, as their merchant sees them: records, every state and refusal, payments, lists.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Mandate } from '../../../../engine/contract/mandate.ts'
import { openPayer, PIN } from '../../../support/charge-callers.ts'
import { lookAgain } from '../../../support/look-again.ts'
import {
  approve,
  approvedMandate,
  balances,
  collect,
  createMandate,
  DAY_MS,
  fromNow,
  type List,
  openPair,
  PATH,
  payments,
  readMandate,
  untilState,
} from '../../../support/mandate-callers.ts'
import { newKey, newTag, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

describe('the record', () => {
  test('the record of a mandate has what was sent, and the addresses where the customer is asked', async () => {
    const pair = await openPair(server, 0)
    const sent = {
      customer_tag: `@${pair.payer.tag.toUpperCase()}`,
      amount: 5000,
      max_amount: 6000,
      currency: 'XOF',
      interval: 'monthly',
      start_at: '2031-01-31T08:00:00+00:00',
      end_at: '2032-01-31T08:00:00Z',
      max_payments: 12,
      reference: 'ABO-1',
      description: 'Abonnement',
      redirect_url: 'https://boutique.example/abo?x=1',
    }
    const { body } = await pair.merchant.test.post<Mandate>(PATH, sent)
    const { id, token, approval_url, created_at, ...rest } = body
    assert.deepEqual(rest, {
      ...sent,
      state: 'pending',
      customer_tag: pair.payer.tag,
      start_at: '2031-01-31T08:00:00.000Z',
      end_at: '2032-01-31T08:00:00.000Z',
      environment: 'test',
      next_charge_at: null,
      payments_count: 0,
      failed_attempts: 0,
      approved_at: null,
      cancelled_at: null,
    })
    assert.equal(approval_url, `${server.process.baseUrl}/mandates/${token}`)
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
    assert.deepEqual(await readMandate(pair, id), body)
  })

  test('fields of a mandate that were not sent are null or empty', async () => {
    const { merchant, payer } = await openPair(server, 0)
    const { body } = await merchant.test.post<Mandate>(PATH, { customer_tag: payer.tag, max_amount: 10, interval: 'on_demand' })
    const { amount, start_at, end_at, max_payments, reference, description, redirect_url, currency } = body
    assert.deepEqual([amount, start_at, end_at, max_payments], [null, null, null, null])
    assert.deepEqual([reference, description, redirect_url, currency], ['', '', '', 'XOF'])
  })

  test('the same key gives the same mandate; without a key there are two', async () => {
    const { merchant, payer } = await openPair(server, 0)
    const body = { customer_tag: payer.tag, amount: 1, interval: 'weekly' }
    const key = newKey()
    const [first, again] = [await merchant.test.post(PATH, body, key), await merchant.test.post(PATH, body, key)]
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
    assert.equal((await merchant.test.post(PATH, { ...body, amount: 2 }, key)).status, 422)
    await merchant.test.post(PATH, body)
    assert.equal((await merchant.test.get<List<Mandate>>(PATH)).body.data.length, 2)
  })
})

const REFUSALS: readonly (readonly [given: string, change: object, status: number, code: string, param: string])[] = [
  ['no amount at all', { amount: undefined }, 400, 'amount_required', 'amount'],
  ['an amount of nothing', { amount: 0 }, 400, 'invalid_request', 'amount'],
  ['an amount in parts', { amount: 1.5 }, 400, 'invalid_request', 'amount'],
  ['an amount above its maximum', { max_amount: 99 }, 400, 'amount_out_of_bounds', 'amount'],
  ['no customer', { customer_tag: undefined }, 400, 'invalid_request', 'customer_tag'],
  ['a customer that is no tag', { customer_tag: '@@' }, 400, 'invalid_tag', 'customer_tag'],
  ['a customer who does not exist', { customer_tag: newTag() }, 404, 'customer_not_found', 'customer_tag'],
  ['no interval', { interval: undefined }, 400, 'invalid_request', 'interval'],
  ['an unknown interval', { interval: 'daily' }, 400, 'invalid_request', 'interval'],
  ['another currency', { currency: 'EUR' }, 400, 'unsupported_currency', 'currency'],
  ['an end in the past', { end_at: '2020-01-01T00:00:00Z' }, 400, 'invalid_request', 'end_at'],
  ['an end before the start', { start_at: '2031-01-02T00:00:00Z', end_at: '2031-01-01T00:00:00Z' }, 400, 'invalid_request', 'end_at'],
  ['a start that is no time', { start_at: 'demain' }, 400, 'invalid_request', 'start_at'],
  ['no payments at all', { max_payments: 0 }, 400, 'invalid_request', 'max_payments'],
  ['a redirect in the clear', { redirect_url: 'http://boutique.example' }, 400, 'redirect_url_must_be_https', 'redirect_url'],
]

describe('refused at creation', () => {
  for (const [given, change, status, code, param] of REFUSALS) {
    test(given, async () => {
      const { merchant, payer } = await openPair(server, 0)
      const body = { customer_tag: payer.tag, amount: 100, interval: 'monthly', ...change }
      const answer = await merchant.test.post(PATH, body)
      assert.deepEqual([answer.status, answer.body.code, answer.body.param], [status, code, param], answer.text)
    })
  }

  test('a customer of the other environment, and a caller without keys, are rejected', async () => {
    const { merchant, payer } = await openPair(server, 0)
    const body = { customer_tag: payer.tag, amount: 100, interval: 'monthly' }
    assert.deepEqual((await merchant.live.post(PATH, body)).body.code, 'customer_not_found')
    assert.equal((await server.anybody.post(PATH, body)).status, 401)
  })
})

describe('states', () => {
  test('a mandate goes from pending to active to cancelled, and a second cancellation changes nothing', async () => {
    const pair = await openPair(server, 1000)
    const { id } = await createMandate(pair)
    const active = await approve(pair, id)
    assert.deepEqual([active.state, active.merchant_name], ['active', 'Boutique'])
    assert.equal(active.next_charge_at, active.start_at)
    const cancel = () => pair.merchant.test.post<Mandate>(`${PATH}/${id}/cancel`, undefined)
    const { status, body } = await cancel()
    assert.deepEqual([status, body.state, body.next_charge_at], [200, 'cancelled', null])
    assert.deepEqual((await cancel()).body, body)
    const late = await pair.payer.app.post(`/v1/me/mandates/${id}/approve`, { pin: PIN })
    assert.deepEqual([late.status, late.body.code], [409, 'mandate_not_active'])
    assert.deepEqual(await balances(pair), [1000, 0])
  })

  test('approval collects at once where nothing says later, and the statement of both shows it', async () => {
    const pair = await openPair(server, 1000)
    const { id } = await approvedMandate(pair, { start_at: undefined, reference: 'ABO-7' })
    while ((await payments(pair, id)).length !== 1) await lookAgain()
    assert.deepEqual(await balances(pair), [900, 100])
    const [payment] = await payments(pair, id)
    assert.deepEqual([payment?.state, payment?.amount, payment?.reference], ['paid', 100, 'ABO-7'])
    for (const [client, path, amount] of [
      [pair.merchant.test, '/v1/biz/transactions?type=mandate', 100],
      [pair.payer.app, '/v1/me/transactions?type=mandate', -100],
    ] as const) {
      const [line] = (await client.get<List<Record<string, unknown>>>(path)).body.data
      assert.deepEqual([line?.id, line?.amount, line?.reference], [payment?.transaction_id, amount, 'ABO-7'])
    }
  })

  test('a mandate is paused after four failed attempts; approved again it goes on', async () => {
    const pair = await openPair(server, 0)
    const { id } = await approvedMandate(pair)
    const states: string[] = []
    for (let attempt = 0; attempt < 4; attempt++) states.push(`${await collect(pair, id)} ${(await readMandate(pair, id)).state}`)
    assert.deepEqual(states, ['failed active', 'failed active', 'failed active', 'failed paused'])
    const paused = await readMandate(pair, id)
    assert.deepEqual([paused.failed_attempts, paused.next_charge_at], [4, null])
    const more = await pair.merchant.test.post(`/v1/biz/test/mandates/${id}/collect`, {})
    assert.deepEqual([more.status, more.body.code], [409, 'mandate_not_active'])
    await pair.merchant.test.post('/v1/biz/test/deposits', { recipient: pair.payer.tag, amount: 250 })
    const again = await approve(pair, id)
    assert.deepEqual([again.state, again.failed_attempts], ['active', 0])
    assert.equal(await collect(pair, id), 'paid')
    assert.deepEqual(await balances(pair), [150, 100])
  })

  test('a mandate is rejected, or expires at its end; both are final', async () => {
    const pair = await openPair(server, 0)
    const rejected = await createMandate(pair)
    await pair.payer.app.post(`/v1/me/mandates/${rejected.id}/reject`, undefined)
    const expired = await createMandate(pair, { start_at: undefined, end_at: fromNow(600) })
    await untilState(pair, expired.id, 'expired')
    for (const [{ id }, state] of [
      [rejected, 'rejected'],
      [expired, 'expired'],
    ] as const) {
      assert.equal((await readMandate(pair, id)).state, state)
      const cancel = await pair.merchant.test.post(`${PATH}/${id}/cancel`, undefined)
      assert.deepEqual([cancel.status, cancel.body.code], [409, 'mandate_not_active'])
    }
  })

  test('a mandate ends with its last payment', async () => {
    const pair = await openPair(server, 1000)
    const { id } = await approvedMandate(pair, { max_payments: 2, interval: 'weekly' })
    const first = Date.parse((await readMandate(pair, id)).next_charge_at ?? '')
    await collect(pair, id)
    assert.equal(Date.parse((await readMandate(pair, id)).next_charge_at ?? ''), first + 7 * DAY_MS)
    await collect(pair, id)
    const over = await readMandate(pair, id)
    assert.deepEqual([over.state, over.payments_count, over.next_charge_at], ['expired', 2, null])
    assert.deepEqual(await balances(pair), [800, 200])
  })
})

test('another merchant, the other environment and other ids find nothing', async () => {
  const pair = await openPair(server, 0)
  const { id } = await createMandate(pair)
  const stranger = (await server.merchant()).test
  for (const client of [stranger, pair.merchant.live]) {
    assert.equal((await client.get(`${PATH}/${id}`)).status, 404)
    assert.equal((await client.get(`${PATH}/${id}/charges`)).status, 404)
    assert.equal((await client.post(`${PATH}/${id}/cancel`, undefined)).status, 404)
    assert.equal((await client.post(`${PATH}/${id}/charges`, { amount: 1 }, newKey())).status, 404)
  }
  assert.equal((await stranger.post(`/v1/biz/test/mandates/${id}/collect`, {})).status, 404)
  assert.equal((await pair.merchant.live.post(`/v1/biz/test/mandates/${id}/collect`, {})).body.code, 'test_only')
  assert.equal((await pair.merchant.test.get(`${PATH}/nothing`)).status, 404)
  assert.equal((await readMandate(pair, id.toUpperCase())).id, id)
})

test('mandates are listed newest first, by state as it is now, customer and reference, page after page', async () => {
  const pair = await openPair(server, 0)
  const other = { ...pair, payer: await openPayer(server, pair.merchant, 0) }
  const made: Mandate[] = []
  for (let count = 0; count < 7; count++) {
    made.push(await createMandate(count % 3 === 0 ? other : pair, { reference: count % 2 === 0 ? 'PAIR' : '' }))
  }
  await approve(pair, made[1]?.id ?? '')
  for (const at of [2, 5]) await pair.merchant.test.post(`${PATH}/${made[at]?.id}/cancel`, undefined)
  const list = async (query: string): Promise<number[]> => {
    const seen: number[] = []
    for (let cursor = ''; ; ) {
      const page = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { body } = await pair.merchant.test.get<List<Mandate>>(`${PATH}?limit=2&${query}${page}`)
      seen.push(...body.data.map(({ id }) => made.findIndex((mandate) => mandate.id === id)))
      if (body.next_cursor === null) return seen
      cursor = body.next_cursor
    }
  }
  assert.deepEqual(await list(''), [6, 5, 4, 3, 2, 1, 0])
  assert.deepEqual(await list('state=cancelled'), [5, 2])
  assert.deepEqual(await list('state=active'), [1])
  assert.deepEqual(await list('reference=PAIR'), [6, 4, 2, 0])
  assert.deepEqual(await list(`customer_tag=@${other.payer.tag}`), [6, 3, 0])
  assert.deepEqual(await list(`customer_tag=${pair.payer.tag}&reference=PAIR&state=pending`), [4])
  assert.deepEqual(await list(`created_to=${made[0]?.created_at}`), [])
  const bad = await pair.merchant.test.get(`${PATH}?state=done`)
  assert.deepEqual([bad.status, bad.body.code, bad.body.param], [400, 'invalid_parameter', 'state'])
})
