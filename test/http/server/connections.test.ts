// Connections: too many, idle, slow, not reading; and the end of all of them at shutdown.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually, RawClient, request } from '../../support/raw-client.ts'
import { CREDENTIALS, openFakeServer, plainRoute } from '../../support/server-without-engine.ts'

const PAY = request({ method: 'POST', path: '/pay', body: '{}', headers: { ...CREDENTIALS, 'Idempotency-Key': 'a' } })

describe('the number of connections', () => {
  it('one too many is closed, and there is room again when one leaves', async () => {
    const server = await openFakeServer({ limits: { connectionsMax: 2 } })
    try {
      const [first, second] = [await RawClient.open(server.port), await RawClient.open(server.port)]
      assert.equal((await first.send(request({ path: '/things' })).answer()).status, 200)
      assert.equal((await second.send(request({ path: '/things' })).answer()).status, 200)
      const third = await RawClient.open(server.port)
      await third.closed()
      assert.equal(server.notes.refusedConnections, 1)
      first.close()
      await eventually(() => server.http.connections === 1, 'the first to leave')
      const fourth = await RawClient.open(server.port)
      assert.equal((await fourth.send(request({ path: '/things' })).answer()).status, 200)
      second.close()
      fourth.close()
    } finally {
      await server.http.close()
    }
  })
})

describe('what the native layer ends by itself, 10 to 14 s later', { concurrency: true }, () => {
  const rows: readonly (readonly [name: string, first: string, then: string])[] = [
    ['a connection that says nothing', '', ''],
    ['a connection that is idle after its answer', request({ path: '/things' }), ''],
    ['a head that never ends', 'GET /things HTTP/1.1\r\n', 'X-Slow: 1\r\n'],
    ['a request without Host', 'GET /things HTTP/1.1\r\n\r\n', ''],
    ['a body slower than 16 KB/s', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1999\r\n\r\n', 'x'],
  ]
  for (const [name, first, then] of rows) {
    it(name, async () => {
      const server = await openFakeServer()
      const client = await RawClient.open(server.port)
      client.send(first)
      const drip = setInterval(() => client.send(then), 1000)
      try {
        await client.closed()
        assert.equal(server.http.inFlight, 0)
      } finally {
        clearInterval(drip)
        await server.http.close()
      }
    })
  }

  it('an answer that the client does not read is cut off', async () => {
    const page = JSON.stringify('x'.repeat(32 * 1024 * 1024))
    const server = await openFakeServer({ routes: [plainRoute('GET', '/large', 'public', (call) => call.answer(200, page))] })
    const client = await RawClient.open(server.port)
    client.pause()
    client.send(request({ path: '/large' }))
    try {
      await eventually(() => server.notes.statuses.length === 1, 'the answer to be given')
      assert.equal(server.http.connections, 1)
      await eventually(() => server.http.connections === 0, 'the connection to be given up')
    } finally {
      client.close()
      await server.http.close()
    }
  })
})

describe('draining', () => {
  it('draining answers what is in flight, turns away what is still arriving, closes the rest', async () => {
    const server = await openFakeServer()
    const idle = await RawClient.open(server.port)
    assert.equal((await idle.send(request({ path: '/things' })).answer()).status, 200)
    const paying = await RawClient.open(server.port)
    paying.send(PAY)
    const arriving = await RawClient.open(server.port)
    arriving.send(PAY.slice(0, -1))
    const chunked = await RawClient.open(server.port)
    chunked.send('POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n')
    await eventually(() => server.http.inFlight === 3 && server.engine.submitted.length === 1, 'three requests')

    const drained = server.http.drain(10_000)
    for (const client of [arriving, chunked]) {
      const turnedAway = await client.answer()
      assert.equal(turnedAway.status, 503)
      assert.equal(turnedAway.headers.get('retry-after'), '1')
      assert.equal(turnedAway.headers.get('connection'), 'close')
    }
    await assert.rejects(RawClient.open(server.port), 'nobody gets in any more')
    const late = await idle.send(request({ path: '/things' })).answer()
    assert.equal(late.status, 503)
    assert.equal(paying.received, '', 'the payment still waits for the disk')
    server.engine.settleAll()
    const paid = await paying.answer()
    assert.equal(paid.status, 201)
    assert.equal(paid.headers.get('connection'), 'close')
    await drained
    for (const client of [idle, paying, arriving, chunked]) await client.closed()
    assert.equal(server.http.connections, 0)
  })

  it('draining lets a refusal out that waited for the end of its body', async () => {
    const server = await openFakeServer()
    const client = await RawClient.open(server.port)
    client.send(`POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nbb8\r\n${'x'.repeat(3000)}\r\n`)
    await eventually(() => server.http.inFlight === 1, 'the request')
    await client.flushed()
    const drained = server.http.drain(10_000)
    assert.equal((await client.answer()).status, 413)
    await drained
  })

  it('draining closes an idle connection without waiting for it', async () => {
    const server = await openFakeServer()
    const idle = await RawClient.open(server.port)
    await idle.send(request({ path: '/things' })).answer()
    await server.http.drain(10_000)
    await idle.closed()
  })

  it('draining does not wait for ever for an answer that does not come', async () => {
    const server = await openFakeServer()
    const paying = await RawClient.open(server.port)
    paying.send(PAY)
    await eventually(() => server.engine.submitted.length === 1, 'the command')
    await server.http.drain(20)
    await paying.closed()
    assert.equal(paying.received, '')
    server.engine.settleAll()
  })
})
