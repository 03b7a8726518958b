import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { Type } from '../../../../engine/contract/schema.ts'
import type { OpenStream, Route } from '../../../../http/server/route.ts'
import { REQUESTS_WAITING_BYTES_MAX, RING_BYTES } from '../../../../http/server/threads/thread-limits.ts'
import { eventuallyAsync } from '../../../support/eventually.ts'
import { Patience } from '../../../support/patience.ts'
import { eventually, RawClient } from '../../../support/raw-client.ts'
import { CREDENTIALS, openFakeServer, plainRoute, type ServerWithoutEngine } from '../../../support/server-without-engine.ts'

const PAY = ['POST /pay HTTP/1.1', 'Host: a', 'X-Api-Key: pk_test_known', 'X-Api-Secret: sk_test_secret', 'Idempotency-Key: 1']
  .concat(['Content-Type: application/json', 'Content-Length: 2', '', '{}'])
  .join('\r\n')
const GET = 'GET /things HTTP/1.1\r\nHost: a\r\n\r\n'
const MIB = 1024 * 1024
const LARGE_BYTES = 20 * MIB
/** A busy machine reads many bodies by turns. Their bytes must not reach the share of their one caller. */
const ROOM_FOR_BODIES = { request_bodies: { max: { live: 1, test: 100 * LARGE_BYTES }, share: 2 * LARGE_BYTES } }

/** Streams that the server has opened, with what their listeners were called for. */
interface Opened {
  readonly streams: OpenStream[]
  writable: number
  closed: number
}

function streamRoute(opened: Opened): Route {
  return plainRoute('GET', '/stream', 'public', (call) => {
    const listener = { onWritable: () => void opened.writable++, onClosed: () => void opened.closed++ }
    const stream = call.stream([['Content-Type', 'text/event-stream']], 'first\n\n', listener)
    if (stream !== null) opened.streams.push(stream)
  })
}

describe('HTTP threads', () => {
  let server: ServerWithoutEngine

  afterEach(() => server.http.close())

  it('a body of 20 MiB and an answer of 20 MiB pass whole', async () => {
    const large = plainRoute('POST', '/large', 'key', (call) => call.answerAs(200, JSON.stringify(call.body), []), {
      body: Type.Object({ text: Type.String() }),
      bodyBytesMax: 2 * LARGE_BYTES,
    })
    server = await openFakeServer({ threads: 2, routes: [large], quotas: ROOM_FOR_BODIES })
    const sent = JSON.stringify({ text: 'é'.repeat(LARGE_BYTES / 2) })
    const answer = await fetch(`http://127.0.0.1:${server.port}/large`, {
      method: 'POST',
      headers: { ...CREDENTIALS, 'content-type': 'application/json' },
      body: sent,
    })
    assert.equal(answer.status, 200)
    assert.ok((await answer.text()) === sent, 'the same text comes back')
  })

  it('a thread that fails closes its connections alone, and is replaced', async () => {
    server = await openFakeServer({ threads: 2 })
    const clients = await Promise.all(Array.from({ length: 24 }, () => RawClient.open(server.port)))
    for (const client of clients) client.send(PAY)
    await eventually(() => server.engine.submitted.length === clients.length, 'every payment')
    server.http.failThread(0)
    await eventually(() => server.http.threadFigures.replaced === 1, 'the replacement')
    await eventually(() => server.http.inFlight < clients.length, 'the aborted requests')
    // The server has forgotten them before their clients see the end.
    await eventually(() => clients.filter(({ isClosed }) => !isClosed).length === server.http.inFlight, 'the closed connections')
    const left = clients.filter(({ isClosed }) => !isClosed)
    assert.equal(server.http.inFlight, left.length)
    assert.ok(left.length > 0 && left.length < clients.length, 'the kernel spread the connections')
    assert.equal(server.http.connections, left.length)
    assert.match(String(server.notes.errors[0]), /a test asked for the end/)
    server.engine.settleAll()
    for (const client of left) assert.equal((await client.answer()).status, 201)
    assert.equal(server.notes.statuses.filter((status) => status === 499).length, clients.length - left.length)
    for (let count = 0; count < 8; count++) {
      const next = await eventuallyOpen(server.port)
      assert.equal((await next.send(GET).answer()).status, 200)
      next.close()
    }
    for (const client of clients) client.close()
  })

  it('connections of a thread that fails during a stop hold it up no longer, and no thread takes its place', async () => {
    server = await openFakeServer({ threads: 1 })
    const clients = await Promise.all(Array.from({ length: 3 }, () => RawClient.open(server.port)))
    await eventually(() => server.http.connections === clients.length, 'every connection')
    const stopping = server.http.retire(600_000)
    server.http.failThread(0)
    await stopping
    assert.deepEqual([server.http.connections, server.http.threadFigures.replaced], [0, 0])
    for (const client of clients) client.close()
  })

  it('a thread whose heap has reached its maximum ends in order, and is replaced', async () => {
    server = await openFakeServer({ threads: 1, threadHeapBytesMax: 1 })
    const client = await RawClient.open(server.port)
    client.send(PAY)
    await eventually(() => server.http.threadFigures.replaced > 0, 'the replacement')
    assert.match(String(server.notes.errors[0]), /the heap of an HTTP thread reached \d+ bytes/)
    await client.closed()
    await eventually(() => server.http.inFlight === 0, 'the aborted request')
    const next = await eventuallyOpen(server.port)
    assert.equal((await next.send(GET).answer()).status, 200)
    next.close()
  })

  it('threads that fail one after the other under load take nothing with them but their connections', async () => {
    server = await openFakeServer({ threads: 2 })
    let answered = 0
    let isOver = false
    const caller = async (): Promise<void> => {
      while (!isOver) {
        const client = await RawClient.open(server.port).catch(() => null)
        if (client === null) continue
        const answer = await client
          .send(GET)
          .answer()
          .catch(() => null)
        if (answer?.status === 200) answered++
        client.close()
      }
    }
    const callers = Array.from({ length: 8 }, caller)
    for (let round = 1; round <= 6; round++) {
      server.http.failThread(round % 2)
      await eventually(() => server.http.threadFigures.replaced === round, `replacement ${round}`)
      const before = answered
      await eventually(() => answered > before + 20, 'further answers')
    }
    isOver = true
    await Promise.all(callers)
    await eventually(() => server.http.inFlight === 0, 'every request to end')
  })

  it('a reader that takes nothing makes its stream wait, and the stream goes on when it reads', async () => {
    const opened: Opened = { streams: [], writable: 0, closed: 0 }
    server = await openFakeServer({ threads: 1, routes: [streamRoute(opened)] })
    const client = await RawClient.open(server.port)
    client.send('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n')
    await eventually(() => client.received.includes('first'), 'the first chunk')
    client.pause()
    const [stream] = opened.streams
    assert.ok(stream !== undefined)
    const text = 'x'.repeat(64 * 1024)
    let written = 0
    await eventually(() => {
      written++
      return !stream.write(text)
    }, 'a write that waits')
    assert.ok(written * text.length < 32 * MIB, `${written} writes`)
    assert.equal(opened.writable, 0)
    client.resume()
    await eventually(() => opened.writable > 0, 'the reader to catch up')
    assert.equal(stream.write('last\n\n'), true)
    await eventually(() => client.received.includes('last'), 'the last chunk')
    client.close()
    await eventually(() => opened.closed === 1, 'the end')
  })

  it('a thousand streams get their chunks, and end with their clients', async () => {
    const opened: Opened = { streams: [], writable: 0, closed: 0 }
    server = await openFakeServer({ threads: 2, routes: [streamRoute(opened)] })
    const clients: RawClient[] = []
    for (let count = 0; count < 1000; count += 100) {
      const some = await Promise.all(Array.from({ length: 100 }, () => RawClient.open(server.port)))
      for (const client of some) client.send('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n')
      clients.push(...some)
    }
    await eventually(() => opened.streams.length === clients.length, 'every stream')
    for (const stream of opened.streams) stream.write('a frame\n\n')
    await eventually(() => clients.every(({ received }) => received.includes('a frame')), 'the frame at every client')
    for (const client of clients) client.close()
    await eventually(() => opened.closed === clients.length, 'the end of every stream')
    await eventually(() => server.http.connections === 0, 'the end of every connection')
  })

  it('garbage on many connections is refused while others are served', async () => {
    server = await openFakeServer({ threads: 2 })
    const garbage = [
      '\0\x01\x02 HTTP',
      'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
      'POST /pay HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
    ]
    for (let round = 0; round < 20; round++) {
      const senders = await Promise.all(Array.from({ length: 12 }, () => RawClient.open(server.port)))
      for (const [index, sender] of senders.entries()) sender.send(garbage[index % garbage.length] as string)
      const honest = await RawClient.open(server.port)
      assert.equal((await honest.send(GET).answer()).status, 200)
      for (const client of [...senders, honest]) client.close()
    }
    await eventually(() => server.http.connections === 0, 'the end of every connection')
    await eventually(() => server.notes.framings > 0, 'the count')
    assert.equal(server.http.inFlight, 0)
  })

  it('connections beyond the maximum of the process are closed, whichever thread takes them', async () => {
    server = await openFakeServer({ threads: 2, limits: { connectionsMax: 10 } })
    const clients = await Promise.all(Array.from({ length: 30 }, () => RawClient.open(server.port)))
    await eventually(() => clients.filter(({ isClosed }) => isClosed).length >= 20, 'the refusals')
    await eventually(() => server.notes.refusedConnections >= 20, 'the count')
    for (const client of clients) client.close()
  })

  it('requests wait behind bodies that fill the ring', async () => {
    const large = plainRoute('POST', '/large', 'key', (call) => call.answer(200, '{}'), {
      body: Type.Object({ text: Type.String() }),
      bodyBytesMax: LARGE_BYTES,
    })
    server = await openFakeServer({ threads: 1, routes: [large], quotas: ROOM_FOR_BODIES })
    const uploads = await Promise.all(Array.from({ length: 8 }, () => RawClient.open(server.port)))
    const clients = await Promise.all(Array.from({ length: 50 }, () => RawClient.open(server.port)))
    const body = JSON.stringify({ text: 'x'.repeat(4 * MIB) })
    const head = PAY.replace('/pay', '/large').replace('Content-Length: 2', `Content-Length: ${body.length}`).slice(0, -2)
    for (const upload of uploads) upload.send(head + body)
    for (const client of clients) client.send(GET)
    await Promise.all(clients.map((client) => client.flushed()))
    const endMs = performance.now() + 400
    stopEngineThread(() => performance.now() >= endMs)
    for (const { status } of await Promise.all([...clients, ...uploads].map((client) => client.answer()))) assert.equal(status, 200)
    assert.equal(server.http.threadFigures.refusedWhenFull, 0)
    for (const client of [...clients, ...uploads]) client.close()
  })

  it('a request gets 503 from its thread when too many wait for room in the ring', async () => {
    const large = plainRoute('POST', '/large', 'key', (call) => call.answer(200, '{}'), { body: Type.Object({ text: Type.String() }) })
    server = await openFakeServer({ threads: 1, routes: [large], quotas: ROOM_FOR_BODIES })
    const body = JSON.stringify({ text: 'x'.repeat(60_000) })
    const lines = `Content-Length: ${body.length}\r\nAccept-Language: en`
    const head = PAY.replace('/pay', '/large').replace('Content-Length: 2', lines).slice(0, -2)
    const length = Math.ceil((RING_BYTES + REQUESTS_WAITING_BYTES_MAX) / body.length) + 100
    const clients = await Promise.all(Array.from({ length }, () => RawClient.open(server.port)))
    for (const client of clients) client.send(head + body)
    await Promise.all(clients.map((client) => client.flushed()))
    const patience = new Patience(20_000)
    stopEngineThread(() => server.http.threadFigures.refusedWhenFull > 0 || patience.isOver)
    const answers = await Promise.all(clients.map((client) => client.answer()))
    const refused = answers.filter(({ status }) => status === 503)
    assert.equal(server.http.threadFigures.refusedWhenFull, refused.length)
    assert.ok(refused.length > 0 && refused.length < clients.length, `${refused.length} refusals`)
    assert.match(refused[0]?.body ?? '', /^\{"code":"unavailable","message":"The service.*"request_id":"req_/)
    assert.equal(refused[0]?.headers.get('retry-after'), '1')
    for (const client of clients) client.close()
  })
})

/** The engine's thread, which is this one, reads nothing until then. */
function stopEngineThread(isOver: () => boolean): void {
  while (!isOver());
}

/** A connection attempt that the ended thread had not accepted is reset. */
async function eventuallyOpen(port: number): Promise<RawClient> {
  await eventuallyAsync(
    () =>
      new Promise<boolean>((resolve) => {
        const probe = connect(port, '127.0.0.1', () => {
          probe.destroy()
          resolve(true)
        })
        probe.once('error', () => resolve(false))
      }),
    'a listening thread',
  )
  return RawClient.open(port)
}
