// Mandates in the app: what the customer is shown, what the PIN is for, and which events are sent.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { WalletMandate } from '../../../../engine/contract/mandate.ts'
import { openPayer, PIN } from '../../../support/charge-callers.ts'
import { approve, balances, createMandate, type List, openPair, PATH, readMandate } from '../../../support/mandate-callers.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const MINE = '/v1/me/mandates'

test('the customer sees who asks and for what, and not the merchant’s handles', async () => {
  const pair = await openPair(server, 0)
  const { id, token: _token, approval_url: _url, ...shared } = await createMandate(pair, { description: 'Salle de sport' })
  const { status, body } = await pair.payer.app.get(`${MINE}/${id}`)
  assert.deepEqual([status, body], [200, { id, ...shared, merchant_name: 'Boutique' }])
  assert.deepEqual((await pair.payer.app.get<List<WalletMandate>>(MINE)).body.data, [body])
})

test('the list is the wallet’s own, by state as it is now, page after page', async () => {
  const pair = await openPair(server, 0)
  const stranger = { ...pair, payer: await openPayer(server, pair.merchant, 0) }
  const made: string[] = []
  for (let count = 0; count < 5; count++) made.push((await createMandate(pair)).id)
  await createMandate(stranger)
  await approve(pair, made[1] ?? '')
  await pair.payer.app.post(`${MINE}/${made[3]}/reject`, undefined)
  const list = async (query: string): Promise<List<WalletMandate>> =>
    (await pair.payer.app.get<List<WalletMandate>>(`${MINE}?${query}`)).body
  const first = await list('limit=3')
  const second = await list(`limit=3&cursor=${encodeURIComponent(first.next_cursor ?? '')}`)
  assert.deepEqual(
    [...first.data, ...second.data].map(({ id }) => id),
    made.toReversed(),
  )
  assert.equal(second.next_cursor, null)
  assert.deepEqual(
    (await list('state=active')).data.map(({ id }) => id),
    [made[1]],
  )
})

test('a customer approves with the right PIN only, its own mandates only, and again without a second payment', async () => {
  const pair = await openPair(server, 1000)
  const { id } = await createMandate(pair)
  const stranger = await openPayer(server, pair.merchant, 0)
  const send = async (app: typeof stranger.app, body: object): Promise<unknown[]> => {
    const answer = await app.post(`${MINE}/${id}/approve`, body)
    return [answer.status, answer.body.code ?? answer.body.state]
  }
  assert.deepEqual(await send(pair.payer.app, { pin: '1111' }), [401, 'pin_incorrect'])
  assert.deepEqual(await send(pair.payer.app, {}), [400, 'invalid_request'])
  assert.deepEqual(await send(stranger.app, { pin: PIN }), [404, 'not_found'])
  assert.deepEqual(await send(server.anybody, { pin: PIN }), [401, 'unauthorized'])
  assert.equal((await readMandate(pair, id)).state, 'pending')
  assert.deepEqual(await send(pair.payer.app, { pin: PIN }), [200, 'active'])
  assert.deepEqual(await send(pair.payer.app, { pin: PIN }), [200, 'active'])
  assert.deepEqual(await balances(pair), [1000, 0])
})

test('approve under a key: replayed without looking at the PIN, which is no part of it', async () => {
  const pair = await openPair(server, 1000)
  const { id } = await createMandate(pair)
  const key = newKey()
  const first = await pair.payer.app.post(`${MINE}/${id}/approve`, { pin: PIN }, key)
  const again = await pair.payer.app.post(`${MINE}/${id}/approve`, { pin: '1111' }, key)
  assert.deepEqual([first.status, again.text, again.headers['idempotent-replayed']], [200, first.text, 'true'])
})

test('four wrong PINs warn, the fifth locks, and the right one no longer approves', async () => {
  const pair = await openPair(server, 1000)
  const { id } = await createMandate(pair)
  const seen: unknown[] = []
  for (const pin of ['1111', '1112', '1113', '1114', '1115', PIN]) {
    const { status, body } = await pair.payer.app.post(`${MINE}/${id}/approve`, { pin })
    seen.push([status, body.attempts_left])
  }
  assert.deepEqual(seen, [
    [401, 4],
    [401, 3],
    [401, 2],
    [401, 1],
    [423, undefined],
    [423, undefined],
  ])
  assert.equal((await readMandate(pair, id)).state, 'pending')
})

test('reject and cancel need no PIN; after one the other is refused', async () => {
  const pair = await openPair(server, 1000)
  const move = async (id: string, verb: string): Promise<unknown[]> => {
    const { status, body } = await pair.payer.app.post(`${MINE}/${id}/${verb}`, undefined)
    return [status, body.code ?? body.state]
  }
  const [one, two] = [await createMandate(pair), await createMandate(pair)]
  for (const [verb, then] of [
    ['reject', [200, 'rejected']],
    ['reject', [200, 'rejected']],
    ['cancel', [409, 'mandate_not_active']],
  ] as const) {
    assert.deepEqual(await move(one.id, verb), then)
  }
  await approve(pair, two.id)
  for (const [verb, then] of [
    ['reject', [409, 'mandate_not_active']],
    ['cancel', [200, 'cancelled']],
    ['cancel', [200, 'cancelled']],
  ] as const) {
    assert.deepEqual(await move(two.id, verb), then)
  }
  const stranger = await openPayer(server, pair.merchant, 0)
  for (const verb of ['reject', 'cancel']) assert.equal((await stranger.app.post(`${MINE}/${two.id}/${verb}`, undefined)).status, 404)
  assert.equal((await stranger.app.get(`${MINE}/${two.id}`)).status, 404)
  assert.equal((await pair.merchant.test.get(`${PATH}/${two.id}`)).body.state, 'cancelled')
})
