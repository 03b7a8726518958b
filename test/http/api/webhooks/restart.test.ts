// Deliveries over crashes and stops: what was open goes on at its time, nothing is sent twice after a success, no delivery waits
// for a receiver that hangs.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Receiver } from '../../../support/receiver.ts'
import { TestServer } from '../../../support/server-fixture.ts'
import { ok } from '../../../support/wallet-callers.ts'
import { attemptsOf, eventNow, newEndpoint, paidCharge, until, untilAttempts, verdictOf } from '../../../support/webhook-callers.ts'

const SETTINGS = { OUTBOUND_ALLOW_PRIVATE: 'true' }

async function inFolder(run: (open: () => Promise<TestServer>, receiver: Receiver) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-webhooks-'))
  const receiver = await Receiver.open()
  const servers: TestServer[] = []
  try {
    await run(async () => {
      const server = await TestServer.open({ dataDir, settings: SETTINGS })
      servers.push(server)
      return server
    }, receiver)
  } finally {
    for (const server of servers) await server.close()
    await receiver.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The same keys at another address. */
async function afterwards(
  open: () => Promise<TestServer>,
  merchantId: string,
): Promise<{ server: TestServer; shop: TestServer['anybody'] }> {
  const server = await open()
  return { server, shop: await server.keyed(merchantId, 'test', []) }
}

test('kill -9 between two attempts: the next one comes at its time, as the next one, with the same ids and bytes', async () => {
  await inFolder(async (open, receiver) => {
    receiver.answering = (_received, response) => response.writeHead(500).end()
    const before = await open()
    const merchant = await before.fundedMerchant(1000)
    const payer = await before.wallet(merchant)
    await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: payer, amount: 1000 }))
    const { id, secret } = await newEndpoint(merchant.test, receiver.url('/again'))
    await paidCharge(merchant, payer)
    const [row] = await untilAttempts(merchant.test, id, 1)
    await before.process.kill()
    receiver.answering = (_received, response) => response.writeHead(200).end()

    const { server, shop } = await afterwards(open, merchant.id)
    const rows = await untilAttempts(shop, id, 2)
    assert.deepEqual(
      rows.map(({ attempt, state, delivery_id, event_id }) => [attempt, state, delivery_id, event_id]),
      [
        [1, 'failed', row?.delivery_id, row?.event_id],
        [2, 'succeeded', row?.delivery_id, row?.event_id],
      ],
    )
    assert.ok(Date.parse(rows[1]?.created_at ?? '') >= Date.parse(row?.next_attempt_at ?? ''), 'not before its time')
    const [first, second] = receiver.received
    assert.ok(first !== undefined && second !== undefined && receiver.received.length === 2)
    assert.equal(second.body, first.body)
    assert.deepEqual([verdictOf(second, secret), second.headers['x-service-attempt']], ['valid', '2'])
    assert.equal((await eventNow(shop, String(row?.event_id))).delivery_state, 'succeeded')
    await server.process.kill()

    // What has succeeded is not sent again after yet another start.
    const third = await afterwards(open, merchant.id)
    await ok(third.shop.post(`/v1/biz/webhook-endpoints/${id}/ping`, undefined))
    await untilAttempts(third.shop, id, 3)
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['x-service-attempt']),
      ['1', '2', '1'],
    )
  })
})

test('kill -9 while an attempt is under way: its result is unknown, so it is made again', async () => {
  await inFolder(async (open, receiver) => {
    receiver.answering = () => {
      // Hangs.
    }
    const before = await open()
    const merchant = await before.fundedMerchant(1000)
    const { id } = await newEndpoint(merchant.test, receiver.url('/hangs'), ['payout.failed'])
    await ok(merchant.test.post('/v1/biz/payouts', { recipient: 'nobody_here', amount: 1 }, { 'idempotency-key': 'a' }))
    await receiver.until(1)
    await before.process.kill()
    receiver.answering = (_received, response) => response.writeHead(200).end()
    const { shop } = await afterwards(open, merchant.id)
    const rows = await untilAttempts(shop, id, 1)
    assert.deepEqual(
      rows.map(({ attempt, state }) => [attempt, state]),
      [[1, 'succeeded']],
    )
    const [first, second] = receiver.received
    assert.equal(second?.headers['x-service-delivery-id'], first?.headers['x-service-delivery-id'])
    assert.equal(second?.headers['x-service-attempt'], '1')
  })
})

test('a stop waits for no receiver that hangs, and loses nothing', async () => {
  await inFolder(async (open, receiver) => {
    receiver.answering = () => {
      // Hangs.
    }
    const before = await open()
    const merchant = await before.fundedMerchant(1000)
    const { id } = await newEndpoint(merchant.test, receiver.url('/hangs'), ['payout.failed'])
    for (const key of ['a', 'b', 'c']) {
      await ok(merchant.test.post('/v1/biz/payouts', { recipient: 'nobody_here', amount: 1 }, { 'idempotency-key': key }))
    }
    await receiver.until(3)
    const startedMs = Date.now()
    assert.equal(await before.process.terminate(), 0)
    assert.ok(Date.now() - startedMs < 10_000, 'a supervisor would have killed it')
    await until(() => receiver.open === 0, 'its connections to close')
    receiver.answering = (_received, response) => response.writeHead(200).end()
    const { shop } = await afterwards(open, merchant.id)
    await until(async () => (await attemptsOf(shop, id)).filter(({ state }) => state === 'succeeded').length === 3, 'all three')
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery-id'])).size, 3)
  })
})
