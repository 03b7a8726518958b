// The two environments of one biller, over HTTP: the same products, two ledgers, two lists.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { billRows, Customer, openBillerSystem, openBillServer, openPaidFor } from '../../../support/bill-callers.ts'
import { DUE, METER } from '../../../support/bill-engine.ts'
import { newKey } from '../../../support/server-fixture.ts'
import { Handsets, newLivePhone, ok, PIN, signUp } from '../../../support/wallet-callers.ts'

it('a live wallet pays the live account, a test wallet the test account, by the same products', async (test) => {
  const handsets = await Handsets.open()
  const system = await openBillerSystem()
  const server = await openBillServer({ settings: { SMS_URL: handsets.url } })
  test.after(async () => {
    await server.close()
    await system.close()
    handsets.close()
  })
  system.answering = (_received, response) => response.end(JSON.stringify({ ok: true, ...DUE }))
  const shop = await openPaidFor(server, system)
  const { merchant, biller } = shop
  const kofi = await signUp(server.anybody, { phone: newLivePhone(), codeOf: handsets.codeOf })
  await ok(server.operator.post('/v1/operator/deposits', { tag: kofi.tag, environment: 'live', amount: 50_000, reference: '' }, newKey()))
  const path = `/v1/me/directory/${biller}/products/facture`
  const quote = await ok(kofi.client.post<{ id: string }>(`${path}/quote`, { form_values: { compteur: METER } }))
  const body = { quote_id: quote.body.id, pin: PIN }

  const awa = await Customer.open(server, shop)
  const stolen = await awa.pay('facture', body)
  assert.deepEqual([stolen.status, stolen.body.code], [404, 'not_found'], 'a quote of one environment does not exist in the other')
  const paid = await ok(kofi.client.post<{ charge_id: string; balance_after: number }>(`${path}/pay`, body, newKey()))
  assert.equal(paid.body.balance_after, 50_000 - DUE.amount)
  const tried = await awa.pay('don', { amount: 500 })
  assert.equal(tried.status, 200, tried.text)

  const live = await merchant.live.get<{ data: { charge_id: string; environment: string }[] }>('/v1/biz/bill-payments')
  assert.deepEqual(
    live.body.data.map(({ charge_id, environment }) => [charge_id, environment]),
    [[paid.body.charge_id, 'live']],
  )
  assert.deepEqual(
    (await billRows(merchant)).map(({ charge_id }) => charge_id),
    [tried.body.charge_id],
  )
  for (const [client, amount] of [
    [merchant.live, DUE.amount],
    [merchant.test, 500],
  ] as const) {
    assert.equal((await client.get<{ available: number }>('/v1/biz/balance')).body.available, amount)
  }
  for (const environment of ['live', 'test']) {
    const trial = await server.operator.get(`/v1/operator/ledger/trial-balance?environment=${environment}`)
    assert.equal(trial.body.balanced, true)
  }
})
