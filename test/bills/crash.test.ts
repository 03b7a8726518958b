// The server is killed while a merchant's code runs, and started again on the same folder: the money is where it was said
// to be, the code does not run again, and the merchant is told of the payment once.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { GOOD_PRODUCTS } from '../billers/scene.ts'
import { newKey, type TestHouse } from '../e2e/house.ts'
import { eventually } from '../http/raw-client.ts'
import type { Receiver } from '../outbound/receiver.ts'
import { billRows, Customer, fulfilledRow, openBillerSystem, openBillHouse, openPaidFor } from './people.ts'
import { DUE } from './scene.ts'

/** Calls of the merchant's system at this path. */
function callsAt(system: Receiver, path: string): string[] {
  return system.received.filter((received) => received.path === path).map(({ body }) => body)
}

it('killed between payment and end of the code', async (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-bills-'))
  const system = await openBillerSystem()
  const houses: TestHouse[] = []
  test.after(async () => {
    for (const house of houses) await house.close()
    await system.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const open = async (): Promise<TestHouse> => {
    const house = await openBillHouse({ dataDir })
    houses.push(house)
    return house
  }
  // It takes the payment's news and never answers, while lookups and webhooks are answered at once.
  system.answering = ({ path }, response) => {
    if (path === '/lookup') response.end(JSON.stringify({ ok: true, ...DUE }))
    else if (path === '/hooks') response.end()
  }
  const before = await open()
  const shop = await openPaidFor(before, system)
  const { test: keys } = shop.merchant
  const code = `async function onPaid(ctx) { await fetch('https://localhost:${system.port}/paid', { method: 'POST', body: ctx.charge_id }) }`
  const product = {
    ...GOOD_PRODUCTS.lookup,
    lookup_url: `https://localhost:${system.port}/lookup`,
    fulfillment_mode: 'code',
    fulfillment_code: code,
  }
  assert.equal((await keys.request('PUT', '/v1/biz/biller/products/facture', { json: product })).status, 200)
  const hooks = { url: `https://localhost:${system.port}/hooks`, events: ['bill.paid'] }
  assert.equal((await keys.post('/v1/biz/webhook-endpoints', hooks)).status, 201)
  const customer = await Customer.open(before, shop)
  const quote = await customer.quote()
  const key = newKey()
  const paid = await customer.pay('facture', { quote_id: quote.body.id }, key)
  assert.equal(paid.status, 200, paid.text)
  await eventually(() => callsAt(system, '/paid').length === 1, 'the code runs')
  assert.equal((await billRows(shop.merchant))[0]?.fulfillment.state, 'pending')
  assert.deepEqual(callsAt(system, '/hooks'), [], 'the merchant is told behind it')
  await before.server.kill()

  const after = await open()
  const merchant = { ...shop.merchant, test: await after.keyed(shop.merchant.id, 'test', ['billers.write']) }
  const row = await fulfilledRow(merchant, paid.body.charge_id)
  assert.equal(row.fulfillment.state, 'failed')
  assert.match(String(row.fulfillment.error), /stopped while the code was running/)
  await eventually(() => callsAt(system, '/hooks').length === 1, 'bill.paid arrives')
  const again = customer.at(after)
  assert.equal((await again.pay('facture', { quote_id: quote.body.id }, key)).text, paid.text, 'the key has its answer')
  assert.equal((await again.pay('facture', { quote_id: quote.body.id })).body.code, 'quote_used')
  assert.equal(await again.balance(), 100_000 - DUE.amount)
  assert.equal((await merchant.test.get<{ available: number }>('/v1/biz/balance')).body.available, DUE.amount)
  await after.server.terminate()

  const last = await open()
  const { body } = await last.operator.get('/v1/operator/ledger/trial-balance?environment=test')
  assert.equal(body.balanced, true)
  assert.equal(callsAt(system, '/paid').length, 1, 'the code ran once')
  assert.equal(callsAt(system, '/hooks').length, 1, 'the merchant was told once')
})
