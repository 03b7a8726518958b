// The stream over HTTP: who may listen, coming back after a crash, and the end.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { EventReader, type StreamRequest } from '../../../support/open-stream.ts'
import { type Merchant, newKey, TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import type { SeenFrame } from '../../../support/stream-fixture.ts'
import { bearer, codeOfAnswer, ok, type Person, signUp } from '../../../support/wallet-callers.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await ownServer({ LOG_LEVEL: 'debug' })
  merchant = await server.fundedMerchant(10_000_000)
})

after(async () => {
  await server.close()
})

const payTo = (tag: string, more: object = {}) =>
  ok(merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 10, ...more }, newKey()))

function listen(person: Person, more: Partial<StreamRequest> = {}): Promise<EventReader> {
  return EventReader.open({ baseUrl: server.process.baseUrl, accessToken: person.accessToken, ...more })
}

const eventsOf = (frames: readonly SeenFrame[]): string[] => frames.map(({ event }) => event)

async function ticketOf(person: Person): Promise<string> {
  const { status, body } = await person.client.post<{ ticket: string; expires_in: number }>('/v1/me/events/ticket', undefined)
  assert.deepEqual([status, body.expires_in], [201, 60])
  return body.ticket
}

describe('who may listen', () => {
  test('a stream without a token, or with an expired one, is rejected', async () => {
    const awa = await signUp(server.anybody)
    for (const headers of [{}, { authorization: 'Bearer nobody' }, { authorization: 'Basic abc' }]) {
      assert.equal(codeOfAnswer(await server.anybody.get('/v1/me/events', { headers })), 'unauthorized')
    }
    assert.equal(codeOfAnswer(await merchant.test.get('/v1/me/events')), 'unauthorized')
    await ok(awa.client.post('/v1/me/logout', undefined))
    assert.equal(codeOfAnswer(await awa.client.get('/v1/me/events')), 'unauthorized')
  })

  test('a ticket opens one stream, once, and is good for nothing else', async () => {
    const awa = await signUp(server.anybody)
    const ticket = await ticketOf(awa)
    const reader = await EventReader.open({ baseUrl: server.process.baseUrl, query: `?ticket=${ticket}` })
    assert.equal(reader.status, 200)
    await payTo(awa.tag)
    await reader.until(2)
    assert.equal(codeOfAnswer(await server.anybody.get(`/v1/me/events?ticket=${ticket}`)), 'unauthorized')
    assert.equal(codeOfAnswer(await bearer(server.anybody, await ticketOf(awa)).get('/v1/me/balance')), 'unauthorized')
    for (const wrong of ['x', 'a'.repeat(32), 'a'.repeat(64), '%00']) {
      assert.equal(codeOfAnswer(await server.anybody.get(`/v1/me/events?ticket=${wrong}`)), 'unauthorized', wrong)
    }
    assert.equal(codeOfAnswer(await server.anybody.get(`/v1/me/events?ticket=${'a'.repeat(65)}`)), 'invalid_parameter')
    assert.equal(codeOfAnswer(await server.anybody.get(`/v1/me/events?ticket=${ticket}&ticket=${ticket}`)), 'invalid_parameter')
    reader.close()
  })

  test('a ticket is worth nothing after the logout of the session that asked for it', async () => {
    const awa = await signUp(server.anybody)
    const ticket = await ticketOf(awa)
    await ok(awa.client.post('/v1/me/logout', undefined))
    assert.equal(codeOfAnswer(await server.anybody.get(`/v1/me/events?ticket=${ticket}`)), 'unauthorized')
  })

  test('a ticket comes back where an event source cannot send its id by header', async () => {
    const awa = await signUp(server.anybody)
    for (let time = 0; time < 3; time++) await payTo(awa.tag)
    const reader = await EventReader.open({
      baseUrl: server.process.baseUrl,
      query: `?ticket=${await ticketOf(awa)}&last_event_id=4`,
    })
    assert.deepEqual(
      (await reader.until(2)).map(({ id }) => id),
      [5, 6],
    )
    reader.close()
  })

  test('neither tickets nor tokens get into the log of requests', async () => {
    const awa = await signUp(server.anybody)
    const ticket = await ticketOf(awa)
    const reader = await EventReader.open({ baseUrl: server.process.baseUrl, query: `?ticket=${ticket}` })
    await server.process.line('"/v1/me/events"')
    reader.close()
    const lines = server.process.lines.join('\n')
    assert.ok(lines.includes('"/v1/me/events"') && !lines.includes(ticket) && !lines.includes(awa.accessToken))
  })

  test('an id that is none is rejected at any size, and spends no ticket', async () => {
    const awa = await signUp(server.anybody)
    for (const lastEventId of ['abc', '-1', '1.5', '1e3', '0x1', '9'.repeat(16), '9'.repeat(3000)]) {
      const refused = await awa.client.get('/v1/me/events', { headers: { 'last-event-id': lastEventId } })
      assert.deepEqual([codeOfAnswer(refused), refused.body.param], ['invalid_request', 'Last-Event-ID'])
    }
    const ticket = await ticketOf(awa)
    const inQuery = await server.anybody.get(`/v1/me/events?ticket=${ticket}&last_event_id=abc`)
    assert.deepEqual([codeOfAnswer(inQuery), inQuery.body.param], ['invalid_parameter', 'last_event_id'])
    const reader = await EventReader.open({ baseUrl: server.process.baseUrl, query: `?ticket=${ticket}` })
    assert.equal(reader.status, 200)
    reader.close()
  })

  test('HEAD is the head of a stream, and ends', async () => {
    const awa = await signUp(server.anybody)
    const head = await awa.client.request('HEAD', '/v1/me/events')
    assert.deepEqual([head.status, head.text, head.headers['content-type']], [200, '', 'text/event-stream; charset=utf-8'])
  })
})

test('a comment keeps a quiet stream alive', async () => {
  const awa = await signUp(server.anybody)
  const reader = await listen(awa)
  await reader.when(() => reader.text.includes(': heartbeat\n\n'), 'a heartbeat')
  assert.deepEqual(reader.frames, [])
  reader.close()
})

test('the ninth stream of a wallet ends the first; all others go on', async () => {
  const awa = await signUp(server.anybody)
  const readers: EventReader[] = []
  for (let count = 0; count < 9; count++) readers.push(await listen(awa))
  assert.equal(await readers[0]?.untilEnd(), 'end')
  await payTo(awa.tag)
  for (const reader of readers.slice(1)) {
    await reader.until(2)
    reader.close()
  }
})

test('removing the device that listens ends its stream, and the token with it', async () => {
  const awa = await signUp(server.anybody)
  const reader = await listen(awa)
  await ok(awa.client.request('DELETE', `/v1/me/devices/${awa.deviceId}`))
  assert.equal(await reader.untilEnd(), 'end')
  assert.deepEqual(eventsOf(reader.frames), ['session.revoked'])
  assert.equal(codeOfAnswer(await awa.client.get('/v1/me/events')), 'unauthorized')
})

describe('restarts', () => {
  test('a crash loses no frame and repeats none; an old id gets the reset, then the ring', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cauri-stream-'))
    let own = await TestServer.open({ dataDir })
    try {
      const shop = await own.fundedMerchant(1_000_000)
      const awa = await signUp(own.anybody)
      const items = Array.from({ length: 150 }, () => ({ recipient: awa.tag, amount: 1 }))
      const open = (lastEventId?: number): Promise<EventReader> =>
        EventReader.open({
          baseUrl: own.process.baseUrl,
          accessToken: awa.accessToken,
          ...(lastEventId === undefined ? {} : { lastEventId }),
        })
      const first = await open()
      await ok(shop.test.post('/v1/biz/payouts/batch', { items }, newKey()))
      const before = await first.until(300)
      await own.process.kill()
      assert.equal(await first.untilEnd(), 'cut')
      own.anybody.close()
      own = await TestServer.open({ dataDir })
      const resumed = await open(290)
      assert.deepEqual(await resumed.until(10), before.slice(290))
      const old = await open(7)
      const [reset, ...ring] = await old.until(257)
      assert.deepEqual([reset?.event, reset?.id, reset?.data], ['stream.reset', 44, { oldest_id: 45, latest_id: 300 }])
      assert.deepEqual(ring, before.slice(44))
      const again = own.anybody.with({ ...(await keysOf(own, shop)) })
      await ok(again.post('/v1/biz/payouts', { recipient: awa.tag, amount: 1 }, newKey()))
      for (const [reader, count] of [
        [resumed, 12],
        [old, 259],
      ] as const) {
        const frames = await reader.until(count)
        assert.deepEqual(
          frames.slice(-2).map(({ id }) => id),
          [301, 302],
        )
      }
      // SIGTERM: every stream ends in order, and the process is gone well before a supervisor kills it.
      const startedMs = Date.now()
      assert.equal(await own.process.terminate(), 0)
      assert.ok(Date.now() - startedMs < 10_000)
      assert.deepEqual([await resumed.untilEnd(), await old.untilEnd()], ['end', 'end'])
    } finally {
      await own.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})

async function keysOf(own: TestServer, { id }: Merchant): Promise<Record<string, string>> {
  const { body } = await own.operator.post(`/v1/operator/merchants/${id}/api-keys`, {
    environment: 'test',
    scopes: ['disbursements.write'],
  })
  return { 'x-api-key': String(body.public_key), 'x-api-secret': String(body.secret_key) }
}
