// An address that a merchant gives us is a way into our own network, if we let it: nothing private is ever called, by
// whichever name or number it goes. What names lead to is in test/http/outbound/forbidden.test.ts, with a name server of the test.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Receiver } from '../../../support/receiver.ts'
import type { Merchant, TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'
import { newEndpoint, paidCharge, until, untilAttempts } from '../../../support/webhook-callers.ts'

let server: TestServer
let receiver: Receiver
let merchant: Merchant

before(async () => {
  receiver = await Receiver.open('https')
  server = await sharedServer()
  merchant = await server.fundedMerchant(1000)
})

after(async () => {
  await receiver.close()
})

const HOSTS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '0',
  'localhost',
  'shop.localhost.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fd00::1]',
  '[fe80::1]',
  '10.0.0.1',
  '192.168.1.1',
  '172.16.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '224.0.0.1',
  '１２７.0.0.1',
]

for (const host of HOSTS) {
  test(`nothing goes to ${host}`, async () => {
    const shop = await server.merchant()
    const { id } = await newEndpoint(shop.test, `https://${host}:${receiver.port}/`)
    await ok(shop.test.post(`/v1/biz/webhook-endpoints/${id}/ping`, undefined))
    const [row] = await untilAttempts(shop.test, id, 1)
    assert.deepEqual([row?.error, row?.http_status, row?.state], ['forbidden_address', null, 'failed'])
  })
}

test('nor by a charge’s own address, which has no endpoint to look at', async () => {
  const payer = await server.wallet(merchant)
  await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: payer, amount: 10 }))
  await paidCharge(merchant, payer, { webhook_url: `https://127.0.0.1:${receiver.port}/` })
  const failures = async (): Promise<number> => {
    const { text } = await server.anybody.get('/metrics')
    return Number(/^cauri_webhook_attempts_total\{outcome="failed"\} (\d+)$/m.exec(text)?.[1] ?? 0)
  }
  await until(async () => (await failures()) === HOSTS.length + 1, 'the attempt to fail')
})

test('after all that the forbidden addresses had no call', () => {
  assert.equal(receiver.connections, 0)
})
