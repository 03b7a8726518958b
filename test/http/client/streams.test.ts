// The merchant's stream by the client: it resumes behind the last event after each lost connection.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openClient } from '../../support/built-client.ts'
import { type Merchant, newTag, type TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'
import { TcpProxy } from '../../support/tcp-proxy.ts'

interface Event {
  readonly id: string
  readonly stream_id: number
  readonly type: string
  readonly data: { readonly reference: string }
}

let server: TestServer
let proxy: TcpProxy

before(async () => {
  server = await sharedServer()
  proxy = await TcpProxy.start(server.process.port)
})

after(async () => {
  await proxy.close()
})

async function open(): Promise<{ merchant: Merchant; tag: string; url: string }> {
  const merchant = await server.fundedMerchant(100_000)
  return { merchant, tag: await server.wallet(merchant), url: `http://127.0.0.1:${proxy.port}` }
}

async function pay(merchant: Merchant, recipient: string, reference: string): Promise<void> {
  const paid = await merchant.test.post('/v1/biz/payouts', { recipient, amount: 1, reference }, { 'idempotency-key': reference + newTag() })
  assert.equal(paid.status, 201, paid.text)
}

test('events come once and in order over connections that are cut', async () => {
  const { merchant, tag, url } = await open()
  const client = await openClient(server, merchant, { baseUrl: url })
  let lost = 0
  const seen: string[] = []
  const types = ['payout.paid']
  for (let count = 0; count < 3; count++) await pay(merchant, tag, `avant-${count}`)
  for await (const event of client.events.stream({ lastId: 0, types, onLost: () => lost++ }) as AsyncIterable<Event>) {
    seen.push(event.data.reference)
    if (seen.length === 3 || seen.length === 5) {
      proxy.cut()
      for (let count = 0; count < 2; count++) await pay(merchant, tag, `pendant-${seen.length + count}`)
    }
    if (seen.length === 7) break
  }
  assert.deepEqual(seen, ['avant-0', 'avant-1', 'avant-2', 'pendant-3', 'pendant-4', 'pendant-5', 'pendant-6'])
  assert.ok(lost >= 2, `${lost} connections were lost`)
})

test('a new stream begins behind the id that was stored', async () => {
  const { merchant, tag } = await open()
  const client = await openClient(server, merchant)
  for (const reference of ['un', 'deux', 'trois']) await pay(merchant, tag, reference)
  const seen: Event[] = []
  for await (const event of client.events.stream({ lastId: 0, types: ['payout.paid'] }) as AsyncIterable<Event>) {
    seen.push(event)
    if (seen.length === 2) break
  }
  for await (const event of client.events.stream({ lastId: seen[1]?.stream_id, types: ['payout.paid'] }) as AsyncIterable<Event>) {
    assert.equal(event.data.reference, 'trois')
    break
  }
})

test('an event that comes as the first connection is cut is not lost', async () => {
  const { merchant, tag, url } = await open()
  const client = await openClient(server, merchant, { baseUrl: url })
  let cuts = 0
  // The stream begins now, and its only connection is cut in front of the first event.
  proxy.cutBefore = (direction, chunk) => direction === 'to-client' && chunk.includes('gap') && cuts++ === 0
  let isPaid = false
  const onOpen = (): void => {
    if (!isPaid) pay(merchant, tag, 'gap').catch(assert.ifError)
    isPaid = true
  }
  try {
    for await (const event of client.events.stream({ onOpen, types: ['payout.paid'] }) as AsyncIterable<Event>) {
      assert.equal(event.data.reference, 'gap')
      break
    }
  } finally {
    proxy.cutBefore = null
  }
  assert.ok(cuts >= 2, 'the event was cut off once and came again')
})

test('an abort ends the stream without an error', async () => {
  const { merchant } = await open()
  const client = await openClient(server, merchant)
  const ending = new AbortController()
  const onOpen = (): void => ending.abort()
  for await (const _ of client.events.stream({ signal: ending.signal, onOpen })) assert.fail('there is no event')
})

test('keys that are not accepted end the stream with their error', async () => {
  const { merchant } = await open()
  const client = await openClient(server, merchant, { secretKey: 'sk_test_wrong' })
  await assert.rejects(client.events.stream().next(), { name: 'AuthenticationError', code: 'unauthorized' })
})
