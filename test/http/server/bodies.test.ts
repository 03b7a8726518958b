// Bodies in pieces, too large, too slow, or cut off.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from '../../../engine/contract/schema.ts'
import { eventually, RawClient, request } from '../../support/raw-client.ts'
import { CREDENTIALS, openFakeServer, plainRoute, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

let server: ServerWithoutEngine

before(async () => {
  server = await openFakeServer()
})

after(() => server.http.close())

/** The route /echo takes 2000 bytes. */
const MAX = 2000
const bodyOf = (sizeBytes: number): string => `{"a":"${'x'.repeat(sizeBytes - 8)}"}`
const HEAD = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'

describe('bodies in pieces', () => {
  it('a request that comes byte by byte is whole, characters of several bytes included', async () => {
    const client = await RawClient.open(server.port)
    const body = JSON.stringify({ name: 'Awa Diallo — 東京 €' })
    const text = Buffer.from(request({ method: 'POST', path: '/echo', body }), 'utf8').toString('latin1')
    const lineEnd = text.indexOf('\r\n') + 2
    client.send(text.slice(0, lineEnd))
    for (const byte of text.slice(lineEnd)) {
      client.send(byte)
      await client.flushed()
    }
    const answer = await client.answer()
    client.close()
    assert.deepEqual(JSON.parse(answer.body).body, { name: 'Awa Diallo — 東京 €' })
  })

  it('the memory of a body is given back', async () => {
    const client = await RawClient.open(server.port)
    client.send(`${HEAD}Content-Length: 10\r\n\r\n{"a`)
    await eventually(() => server.http.bodiesBytes === 3, 'three bytes to be held')
    client.send('":"b"}')
    client.send(' ')
    await client.answer()
    client.close()
    assert.equal(server.http.bodiesBytes, 0)
  })

  it('the next request on the connection is read from the right place', async () => {
    const client = await RawClient.open(server.port)
    const first = request({ method: 'POST', path: '/echo', body: '{"n":1}' })
    client.send(first.slice(0, -3))
    await client.flushed()
    assert.deepEqual(JSON.parse((await client.send(first.slice(-3)).answer()).body).body, { n: 1 })
    const second = await client.send(request({ method: 'POST', path: '/echo', body: '{"n":2}' })).answer()
    assert.deepEqual(JSON.parse(second.body).body, { n: 2 })
    assert.deepEqual(JSON.parse((await client.send(request({ path: '/things/3' })).answer()).body).params, ['3'])
    client.close()
  })
})

describe('bodies that are packed', () => {
  for (const [encoding, status] of [
    ['gzip', 415],
    ['deflate, br', 415],
    ['identity', 200],
  ] as const) {
    it(`Content-Encoding: ${encoding} gives ${status}`, async () => {
      const client = await RawClient.open(server.port)
      client.send(`${HEAD}Content-Encoding: ${encoding}\r\nContent-Length: 7\r\n\r\n{"n":1}`)
      assert.equal((await client.answer()).status, status)
      client.close()
    })
  }
})

describe('bodies that are too large', () => {
  it('one byte less is fine, one byte more is 413', async () => {
    for (const [sizeBytes, status] of [
      [MAX, 200],
      [MAX + 1, 413],
    ] as const) {
      const client = await RawClient.open(server.port)
      const answer = await client.send(request({ method: 'POST', path: '/echo', body: bodyOf(sizeBytes) })).answer()
      client.close()
      assert.equal(answer.status, status)
    }
  })

  it('the announced length is enough to refuse, and what still comes is thrown away', async () => {
    const client = await RawClient.open(server.port)
    const answer = await client.send(`${HEAD}Content-Length: 300000\r\n\r\n`).answer()
    assert.equal(answer.status, 413)
    assert.equal((JSON.parse(answer.body) as { code: string }).code, 'payload_too_large')
    client.send('x'.repeat(300_000) + request({ path: '/things/after' }))
    assert.deepEqual(JSON.parse((await client.answer()).body).params, ['after'])
    client.close()
    assert.equal(server.http.bodiesBytes, 0)
  })

  it('chunks are counted while they come: 413 once they end, and the connection closes', async () => {
    const client = await RawClient.open(server.port)
    client.send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
    for (let index = 0; index < 50; index++) client.send(`3e8\r\n${'x'.repeat(1000)}\r\n`)
    await client.flushed()
    assert.equal(client.received, '')
    client.send('0\r\n\r\n')
    const answer = await client.answer()
    assert.equal(answer.status, 413)
    await client.closed()
    assert.equal(server.http.bodiesBytes, 0)
  })

  it('chunks without an end lose the connection', async () => {
    const client = await RawClient.open(server.port)
    client.send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
    const megabyte = `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`
    for (let index = 0; index < 20; index++) client.send(megabyte)
    await client.closed()
    assert.equal(client.received, '')
  })
})

describe('bodies that do not come', () => {
  it('beyond the share of an account an incomplete body gets 429 with the name of the quota, and never 503', async () => {
    const small = await openFakeServer({ quotas: { request_bodies: { share: 3000 } } })
    try {
      const head = request({ method: 'POST', path: '/pay', headers: { ...CREDENTIALS, 'Idempotency-Key': 'a' } })
      const open = head.replace('\r\n\r\n', `\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(2000)}`)
      const [first, second] = [await RawClient.open(small.port), await RawClient.open(small.port)]
      first.send(open)
      await eventually(() => small.http.bodiesBytes === 2000, 'the first body to be held')
      second.send(open)
      const { status, body, headers } = await second.answer()
      const { code, param } = JSON.parse(body) as { code: string; param: string }
      assert.deepEqual([status, code, param, headers.get('retry-after')], [429, 'quota_exceeded', 'request_bodies', '1'])
      for (const client of [first, second]) client.close()
      await eventually(() => small.http.bodiesBytes === 0, 'the memory to be given back')
    } finally {
      await small.http.close()
    }
  })

  it('beyond the share of an address too', async () => {
    const small = await openFakeServer({ quotas: { address_bodies: { share: 1000 } } })
    try {
      const first = await RawClient.open(small.port)
      first.send(`${HEAD}Content-Length: 1500\r\n\r\n${'x'.repeat(900)}`)
      await eventually(() => small.http.bodiesBytes === 900, 'the first body to be held')
      const second = await RawClient.open(small.port)
      second.send(`${HEAD}Content-Length: 1500\r\n\r\n${'x'.repeat(200)}`)
      const answer = await second.answer()
      assert.deepEqual([answer.status, (JSON.parse(answer.body) as { param: string }).param], [429, 'address_bodies'])
      assert.equal(answer.headers.get('retry-after'), '1')
      first.close()
      await eventually(() => small.http.bodiesBytes === 0, 'the memory to be given back')
      second.close()
    } finally {
      await small.http.close()
    }
  })

  it('strangers fill their share, and known callers go on', async () => {
    const small = await openFakeServer({ quotas: { address_bodies: { share: 1000 } } })
    try {
      const stranger = await RawClient.open(small.port)
      stranger.send(`${HEAD}Content-Length: 1500\r\n\r\n${'x'.repeat(900)}`)
      await eventually(() => small.http.bodiesBytes === 900, "the stranger's body to be held")
      const another = await RawClient.open(small.port)
      another.send(`${HEAD}Content-Length: 1500\r\n\r\n${'x'.repeat(200)}`)
      assert.equal((await another.answer()).status, 429)
      const body = `{"x":"${'x'.repeat(2000)}"}`
      const known = await RawClient.open(small.port)
      const text = request({ method: 'POST', path: '/pay', body, headers: { ...CREDENTIALS, 'Idempotency-Key': 'a' } })
      known.send(text.slice(0, -100))
      await eventually(() => small.http.bodiesBytes > 2000, "the known caller's body to be held")
      known.send(text.slice(-100))
      await eventually(() => small.engine.submitted.length === 1, 'the command')
      for (const client of [stranger, another, known]) client.close()
    } finally {
      await small.http.close()
    }
  })

  it('a public route takes 16 KiB, also where it would take more from callers with a session', async () => {
    const large = plainRoute('POST', '/page', 'public', (call) => call.answer(200, '{}'), {
      body: Type.Object({}),
      bodyBytesMax: 1_000_000,
    })
    const plain = plainRoute('POST', '/plain', 'public', (call) => call.answer(200, '{}'), { body: Type.Object({}) })
    const small = await openFakeServer({ routes: [large, plain] })
    const rows: readonly (readonly [path: string, sizeBytes: number, headers: Readonly<Record<string, string>>, status: number])[] = [
      ['/plain', 16 * 1024, {}, 200],
      ['/plain', 16 * 1024 + 1, {}, 413],
      ['/plain', 16 * 1024 + 1, CREDENTIALS, 413],
      ['/page', 16 * 1024, {}, 200],
      ['/page', 16 * 1024 + 1, {}, 413],
      // The fixture takes the key pair for a session.
      ['/page', 100_000, CREDENTIALS, 200],
    ]
    try {
      for (const [path, sizeBytes, headers, status] of rows) {
        const client = await RawClient.open(small.port)
        const answer = await client.send(request({ method: 'POST', path, body: bodyOf(sizeBytes), headers })).answer()
        client.close()
        assert.equal(answer.status, status, `${path} ${sizeBytes}`)
      }
    } finally {
      await small.http.close()
    }
  })

  for (const [name, framing] of [
    ['with a length', 'Content-Length: 10\r\n\r\n{"a'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n'],
    ['in chunks that never begin', 'Transfer-Encoding: chunked\r\n\r\n'],
  ] as const) {
    it(`a body ${name} that takes too long loses the connection`, async () => {
      const strict = await openFakeServer({ limits: { bodyDeadlineMs: 30 } })
      try {
        const client = await RawClient.open(strict.port)
        client.send(`${HEAD}${framing}`)
        await client.closed()
        assert.equal(client.received, '')
        assert.deepEqual(strict.notes.statuses, [499])
        assert.equal(strict.http.inFlight, 0)
        assert.equal(strict.http.bodiesBytes, 0)
      } finally {
        await strict.http.close()
      }
    })
  }

  it('a body that arrived in time is not held to the deadline while it is worked on', async () => {
    const strict = await openFakeServer({ limits: { bodyDeadlineMs: 30 } })
    try {
      const paying = await RawClient.open(strict.port)
      const text = request({
        method: 'POST',
        path: '/pay',
        body: '{}',
        headers: { 'X-Api-Key': 'pk_test_known', 'X-Api-Secret': 'sk_test_secret', 'Idempotency-Key': 'a' },
      })
      paying.send(text.slice(0, -1))
      await paying.flushed()
      paying.send(text.slice(-1))
      await eventually(() => strict.engine.submitted.length === 1, 'the command')
      const late = await RawClient.open(strict.port)
      late.send(`${HEAD}Content-Length: 10\r\n\r\n{"a`)
      await late.closed()
      strict.engine.settleAll()
      assert.equal((await paying.answer()).status, 201)
      paying.close()
    } finally {
      await strict.http.close()
    }
  })

  it('a client that goes away in the middle leaves nothing behind', async () => {
    const before = server.notes.statuses.length
    const client = await RawClient.open(server.port)
    client.send(`${HEAD}Content-Length: 100\r\n\r\n{"a`)
    await eventually(() => server.http.bodiesBytes === 3, 'the body to begin')
    client.reset()
    await eventually(() => server.notes.statuses.length > before, 'the request to end')
    assert.equal(server.notes.statuses.at(-1), 499)
    assert.equal(server.http.bodiesBytes, 0)
    assert.equal(server.http.inFlight, 0)
  })
})
