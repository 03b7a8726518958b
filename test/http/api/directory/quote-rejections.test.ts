// Quotes that the server rejects before it asks the merchant: a wrong form, and a third question of one wallet.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Customer, openBillerSystem, openBillServer, openPaidFor } from '../../../support/bill-callers.ts'
import { DUE, METER } from '../../../support/bill-engine.ts'
import type { Receiver } from '../../../support/receiver.ts'
import type { TestServer } from '../../../support/server-fixture.ts'

let server: TestServer
let system: Receiver
let customer: Customer

before(async () => {
  system = await openBillerSystem()
  server = await openBillServer()
  customer = await Customer.open(server, await openPaidFor(server, system))
})

after(async () => {
  await server.close()
  await system.close()
})

test('a form that is wrong is not looked up', async () => {
  const before = system.received.length
  for (const form of [{ compteur: '12' }, {}, { compteur: METER, autre: 1 }]) {
    const quote = await customer.quote('facture', form)
    assert.deepEqual([quote.status, quote.body.code], [400, 'invalid_form_values'])
  }
  const fixed = await customer.quote('recharge', {})
  assert.deepEqual([fixed.status, fixed.body.code], [409, 'lookup_not_configured'])
  assert.equal(system.received.length, before)
})

test('a wallet asks two questions at a time', async () => {
  const held: (() => void)[] = []
  system.answering = (_received, response) => held.push(() => response.end(JSON.stringify({ ok: true, ...DUE })))
  const count = system.received.length
  const first = [customer.quote(), customer.quote()]
  await system.until(count + 2)
  const third = await customer.quote()
  assert.deepEqual([third.status, third.body.code, third.body.param], [429, 'quota_exceeded', 'wallet_lookups'])
  for (const release of held) release()
  assert.deepEqual(
    (await Promise.all(first)).map(({ status }) => status),
    [201, 201],
  )
})
