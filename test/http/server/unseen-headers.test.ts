// What the native parser hides: header lines behind one with an empty name, and bytes beyond ASCII at the ends of a value.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually, RawClient, request } from '../../support/raw-client.ts'
import { CREDENTIALS, openFakeServer, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

let server: ServerWithoutEngine

before(async () => {
  server = await openFakeServer()
})

after(() => server.http.close())

/** Would be answered with 200 if it were taken for a request. */
const HIDDEN = request({ path: '/things?hidden=1' })
const LENGTH = `Content-Length: ${HIDDEN.length}\r\n`
const CHUNKS = 'Transfer-Encoding: chunked\r\n'
const KEYED = `X-Api-Key: ${CREDENTIALS['X-Api-Key']}\r\nX-Api-Secret: ${CREDENTIALS['X-Api-Secret']}\r\nIdempotency-Key: hidden\r\n`

/** Each hides the length of its body behind a header line without a name. */
const SMUGGLED: readonly (readonly [name: string, head: string])[] = [
  ['a GET', `GET /things HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a GET with a placeholder', `GET /things/1 HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a GET that is refused', `GET /mine HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a GET of an unknown path', `GET /nowhere HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a GET of the health', `GET /healthz HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a HEAD', `HEAD /things HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['an OPTIONS', `OPTIONS /things HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a DELETE', `DELETE /things/1 HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a PUT', `PUT /things/1 HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a POST', `POST /echo HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a POST of a wrong method', `POST /things HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a POST of an unknown path', `POST /nowhere HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a POST that is refused', `POST /act HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`],
  ['a POST that takes no body', `POST /act HTTP/1.1\r\nHost: a\r\n${KEYED}: x\r\n${LENGTH}\r\n`],
  ['a POST with hidden chunks', `POST /echo HTTP/1.1\r\nHost: a\r\n: x\r\n${CHUNKS}\r\n`],
  ['a POST whose visible length is zero', `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n: x\r\n${LENGTH}\r\n`],
]

describe('a body whose length is hidden is not taken for the next request', () => {
  for (const [name, head] of SMUGGLED) {
    it(`${name}, head and body together: the connection closes`, async () => {
      const client = await RawClient.open(server.port)
      client.send(head + HIDDEN)
      await client.closed()
      assert.equal(client.received.includes('hidden'), false)
      assert.equal(client.received, '', 'nothing is answered')
      server.engine.submitted.splice(0)
    })
  }

  for (const path of ['/echo', '/things', '/nowhere', '/act']) {
    it(`POST ${path} without a visible length: its answer closes the connection`, async () => {
      const client = await RawClient.open(server.port)
      client.send(`POST ${path} HTTP/1.1\r\nHost: a\r\n: x\r\n${LENGTH}\r\n`)
      const answer = await client.answer()
      assert.equal(answer.headers.get('connection'), 'close')
      client.send(HIDDEN)
      await client.closed()
      assert.equal(client.received.includes('hidden'), false)
    })
  }

  it('a POST that says that it has no body keeps its connection', async () => {
    const client = await RawClient.open(server.port)
    const empty = `POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`
    assert.equal((await client.send(empty).answer()).headers.get('connection'), undefined)
    assert.equal((await client.send(request({ path: '/things' })).answer()).status, 200)
    client.close()
  })
})

/** How a connection may be shared by several clients without the settings describing the proxy. */
const UNKNOWN_PROXIES: readonly (readonly [name: string, proxyHops: number, headers: string])[] = [
  ['X-Forwarded-For although no proxy is declared', 0, 'X-Forwarded-For: 203.0.113.9\r\n'],
  ['Via although no proxy is declared', 0, 'Via: 1.1 edge\r\n'],
  ['no X-Forwarded-For although one proxy is declared', 1, ''],
  ['one entry of X-Forwarded-For although two proxies are declared', 2, 'X-Forwarded-For: 203.0.113.9\r\n'],
]

describe('a GET or DELETE without a visible length, from a proxy that the settings do not describe', () => {
  for (const [name, proxyHops, headers] of UNKNOWN_PROXIES) {
    for (const request of ['GET /things', 'GET /nowhere', 'GET /healthz', 'DELETE /things/1']) {
      it(`${name}: the answer of ${request} closes the connection, and a body that comes later is not answered`, async () => {
        const behind = await openFakeServer({ proxyHops })
        const client = await RawClient.open(behind.port)
        client.send(`${request} HTTP/1.1\r\nHost: a\r\n${headers}: x\r\n${LENGTH}\r\n`)
        assert.equal((await client.answer()).headers.get('connection'), 'close')
        client.send(HIDDEN)
        await client.closed()
        assert.equal(client.received.includes('hidden'), false)
        assert.equal(behind.calls.length, request === 'GET /things' ? 1 : 0)
        await behind.http.close()
      })
    }
  }

  for (const [name, proxyHops, headers] of [
    ['a client without a proxy', 0, ''],
    ['the declared proxy', 1, 'X-Forwarded-For: 203.0.113.9\r\n'],
  ] as const) {
    it(`${name} keeps its connection`, async () => {
      const behind = await openFakeServer({ proxyHops })
      const client = await RawClient.open(behind.port)
      for (let sent = 0; sent < 2; sent++) {
        const answer = await client.send(`GET /things HTTP/1.1\r\nHost: a\r\n${headers}\r\n`).answer()
        assert.deepEqual([answer.status, answer.headers.get('connection')], [200, undefined])
      }
      client.close()
      await behind.http.close()
    })
  }
})

const KEY_BYTES = Array.from({ length: 0x80 }, (_, index) => String.fromCharCode(0x80 + index))

describe('an idempotency key that cannot be read exactly', () => {
  const pay = (key: string): string =>
    `POST /pay HTTP/1.1\r\nHost: a\r\n${KEYED.replace('hidden', key)}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`

  it('an idempotency key that cannot be read exactly is refused for every byte from 0x80 on in the middle, in words that say why', async () => {
    const client = await RawClient.open(server.port)
    for (const byte of KEY_BYTES) {
      const answer = await client.send(pay(`paie${byte}1`)).answer()
      const error = JSON.parse(answer.body) as { code: string; param: string; message: string }
      assert.deepEqual([answer.status, error.code, error.param], [400, 'invalid_request', 'Idempotency-Key'])
      assert.match(error.message, /^La clé d’idempotence doit comporter de 1 à 255 caractères ASCII imprimables/)
    }
    client.close()
    assert.equal(server.engine.submitted.length, 0)
  })

  it('an idempotency key that cannot be read exactly is refused in quotes, wherever the byte stands', async () => {
    const client = await RawClient.open(server.port)
    for (const byte of KEY_BYTES) {
      for (const key of [`"${byte}paie"`, `"pa${byte}ie"`, `"paie${byte}"`])
        assert.equal((await client.send(pay(key)).answer()).status, 400)
    }
    client.close()
    assert.equal(server.engine.submitted.length, 0)
  })

  for (const place of ['start', 'end'] as const) {
    it(`an idempotency key that cannot be read exactly with a byte at its ${place}: refused, or answered with the key as it was read`, async () => {
      for (const byte of KEY_BYTES) {
        const client = await RawClient.open(server.port)
        const key = place === 'start' ? `${byte}paie` : `paie${byte}`
        client.send(pay(key))
        await eventually(() => server.engine.submitted.length > 0 || client.received !== '', 'a command or a refusal')
        const read = server.engine.submitted[0]?.envelope.idempotency?.key
        server.engine.settleAll()
        const answer = await client.answer()
        client.close()
        if (answer.status === 400) continue
        assert.equal(answer.headers.get('idempotency-key'), read, 'the answer says which key was read')
        assert.notEqual(read, key)
      }
    })
  }

  it('every answer repeats the key, a refusal behind the guards too', async () => {
    const client = await RawClient.open(server.port)
    client.send(pay('paie-2026-11').replace('{}', '[]'))
    const refused = await client.answer()
    assert.deepEqual([refused.status, refused.headers.get('idempotency-key')], [400, 'paie-2026-11'])
    client.close()
  })

  it('two keys that differ in quotes stay two keys', async () => {
    for (const key of ['"salaire-e"', '"salaire-a"']) {
      const client = await RawClient.open(server.port)
      client.send(pay(key))
      await eventually(() => server.engine.submitted.length === 1, 'the command')
      assert.equal(server.engine.submitted[0]?.envelope.idempotency?.key, key)
      server.engine.settleAll()
      await client.answer()
      client.close()
    }
  })
})
