// What an attacker with a wallet could try: to take without reading, to talk into the frames of others, to use
// up what is meant for all.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readMetrics, sampleOf } from '../../../bench/cauri/metrics-text.ts'
import { EventReader } from '../../support/open-stream.ts'
import { RawClient, request } from '../../support/raw-client.ts'
import { type Merchant, newKey, TestServer } from '../../support/server-fixture.ts'
import { ok, type Person, PIN, signUp } from '../../support/wallet-callers.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await TestServer.open()
  merchant = await server.fundedMerchant(10_000_000)
})

after(async () => {
  await server.close()
})

const listen = ({ accessToken }: Person, lastEventId?: number): Promise<EventReader> =>
  EventReader.open({ baseUrl: server.process.baseUrl, accessToken, ...(lastEventId === undefined ? {} : { lastEventId }) })

async function metric(name: string): Promise<number> {
  return sampleOf(await readMetrics(server.process.port), name)
}

test('a stream without a reader is cut off; one beside it misses nothing, and missed frames are sent on return', async () => {
  const awa = await signUp(server.anybody)
  const good = await listen(awa)
  const before = await metric('cauri_streams')
  const deaf = await RawClient.open(server.process.port)
  deaf.pause()
  deaf.send(request({ path: '/v1/me/events', headers: { Authorization: `Bearer ${awa.accessToken}` } }))
  const items = Array.from({ length: 500 }, () => ({ recipient: awa.tag, amount: 1, reference: 'R'.repeat(200) }))
  let batches = 0
  do {
    await ok(merchant.test.post('/v1/biz/payouts/batch', { items }, newKey()))
    batches++
    assert.ok(batches < 1000, 'the kernel keeps no more than some megabytes')
    await good.when(() => good.text.includes(`\nid: ${batches * 1000}\n`), 'the other reader to keep up')
  } while (batches < 2 || (await metric('cauri_streams')) > before)
  assert.equal(good.ended, null)
  assert.deepEqual(
    good.frames.map(({ id }) => id),
    Array.from({ length: batches * 1000 }, (_, index) => index + 1),
  )
  const back = await listen(awa, 1)
  const [reset, ...ring] = await back.until(257)
  assert.deepEqual([reset?.event, reset?.data], ['stream.reset', { oldest_id: batches * 1000 - 255, latest_id: batches * 1000 }])
  assert.deepEqual(ring, good.frames.slice(-256))
  for (const end of [deaf, good, back]) end.close()
})

test('words of others stay inside the frame’s data, line breaks and all', async () => {
  const [awa, kofi] = [await signUp(server.anybody), await signUp(server.anybody)]
  await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: kofi.tag, amount: 10 }))
  const reader = await listen(awa)
  const note = 'a\n\nid: 9000\nevent: balance.updated\ndata: {"balance":1}\n\n\r\n\u2028\u2029"}'
  await ok(kofi.client.post('/v1/me/transfers', { recipient: awa.tag, amount: 1, note, pin: PIN }, newKey()))
  const frames = await reader.until(2)
  assert.deepEqual(
    frames.map(({ id, event }) => [id, event]),
    [
      [1, 'payment.received'],
      [2, 'balance.updated'],
    ],
  )
  assert.equal(frames[0]?.data.note, note)
  reader.close()
})

test('thousands of tickets of one wallet leave room for those of other wallets', async () => {
  const [greedy, awa] = [await signUp(server.anybody), await signUp(server.anybody)]
  const ticketOf = async ({ client }: Person): Promise<string> =>
    (await ok(client.post<{ ticket: string }>('/v1/me/events/ticket', undefined))).body.ticket
  const ticket = await ticketOf(awa)
  const own: string[] = []
  for (let round = 0; round < 40; round++) own.push(...(await Promise.all(Array.from({ length: 50 }, () => ticketOf(greedy)))))
  assert.equal(new Set(own).size, 2000)
  assert.ok((await metric('cauri_stream_tickets')) <= 17)
  const reader = await EventReader.open({ baseUrl: server.process.baseUrl, query: `?ticket=${ticket}` })
  assert.equal(reader.status, 200)
  reader.close()
})

test('streams that come and go by the hundred leave nothing behind', async () => {
  const awa = await signUp(server.anybody)
  const before = await metric('cauri_streams')
  for (let round = 0; round < 30; round++) {
    const readers = await Promise.all(Array.from({ length: 10 }, () => listen(awa, 0)))
    for (const reader of readers) reader.close()
  }
  for (let looks = 0; (await metric('cauri_streams')) > before; looks++) assert.ok(looks < 2000, 'all of them leave')
  const reader = await listen(awa)
  await ok(merchant.test.post('/v1/biz/payouts', { recipient: awa.tag, amount: 1 }, newKey()))
  await reader.until(2)
  reader.close()
})

test('a second request behind a stream that is open ends the connection, and nothing of it is answered', async () => {
  const awa = await signUp(server.anybody)
  const before = await metric('cauri_streams')
  const raw = await RawClient.open(server.process.port)
  const asked = { headers: { Authorization: `Bearer ${awa.accessToken}` } }
  raw.send(request({ path: '/v1/me/events', ...asked }) + request({ path: '/v1/me', ...asked }))
  await raw.closed()
  assert.ok(!raw.received.includes(awa.tag))
  for (let looks = 0; (await metric('cauri_streams')) > before; looks++) assert.ok(looks < 2000, 'the stream leaves')
})
