// Requests whose end two parties could see in different places: none of them gets a second answer.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { RawClient, request } from '../../support/raw-client.ts'
import { openFakeServer, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

let server: ServerWithoutEngine

before(async () => {
  server = await openFakeServer()
})

after(() => server.http.close())

const HEAD = 'POST /echo HTTP/1.1\r\nHost: a\r\n'
/** Would be answered with 200 if it were taken for a request. */
const HIDDEN = request({ path: '/things?hidden=1' })

/** Closed without an answer of the server; what the native parser says on its own is no 2xx either. */
const REFUSED: readonly (readonly [name: string, text: string])[] = [
  ['two equal Content-Length', `${HEAD}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}${HIDDEN}`],
  ['two different Content-Length', `${HEAD}Content-Length: 2\r\nContent-Length: 200\r\n\r\n{}${HIDDEN}`],
  ['a list in Content-Length', `${HEAD}Content-Length: 2, 2\r\n\r\n{}${HIDDEN}`],
  ['a signed Content-Length', `${HEAD}Content-Length: +2\r\n\r\n{}${HIDDEN}`],
  ['a negative Content-Length', `${HEAD}Content-Length: -2\r\n\r\n{}${HIDDEN}`],
  ['a hexadecimal Content-Length', `${HEAD}Content-Length: 0x2\r\n\r\n{}${HIDDEN}`],
  ['an endless Content-Length', `${HEAD}Content-Length: 99999999999999999999\r\n\r\n{}${HIDDEN}`],
  ['an empty Content-Length', `${HEAD}Content-Length: \r\n\r\n${HIDDEN}`],
  ['Content-Length and Transfer-Encoding', `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['Transfer-Encoding and Content-Length', `${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['two Transfer-Encoding', `${HEAD}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['an unknown transfer coding', `${HEAD}Transfer-Encoding: gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['a coding before chunked', `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['identity', `${HEAD}Transfer-Encoding: identity\r\n\r\n${HIDDEN}`],
  ['an empty Transfer-Encoding', `${HEAD}Transfer-Encoding: \r\n\r\n${HIDDEN}`],
  ['two equal Host', `GET /things HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n${HIDDEN}`],
  ['two different Host', `GET /things HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${HIDDEN}`],
  ['a chunk size that is no number', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['a negative chunk size', `${HEAD}Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['an endless chunk size', `${HEAD}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['a chunk size in C notation', `${HEAD}Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['a bare line feed after the request line', `POST /echo HTTP/1.1\nHost: a\nContent-Length: 2\n\n{}${HIDDEN}`],
]

describe('framing that cannot be trusted', () => {
  for (const [name, text] of REFUSED) {
    it(`${name}: closed, nothing answered`, async () => {
      const calls = server.calls.length
      const client = await RawClient.open(server.port)
      client.send(text)
      await client.closed()
      assert.doesNotMatch(client.received, /HTTP\/1\.1 2/)
      assert.equal(server.calls.length, calls, 'no handler ran')
    })
  }

  it('framing that cannot be trusted is counted in the metrics', async () => {
    const framings = server.notes.framings
    const client = await RawClient.open(server.port)
    client.send(`GET /things HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`)
    await client.closed()
    assert.equal(server.notes.framings, framings + 1)
  })
})

const CHUNKED = `${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`

/** Accepted or not by this build's parser; either way nothing behind the first request is answered. */
const LOOSE: readonly (readonly [name: string, text: string])[] = [
  ['behind a proper chunked body', `${CHUNKED}2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['behind a chunk that ends wrongly', `${CHUNKED}2\r\n{}XX0\r\n\r\n${HIDDEN}`],
  ['behind chunks with bare line feeds', `${CHUNKED}2\n{}\n0\n\n${HIDDEN}`],
  ['behind a chunk extension with a line feed', `${CHUNKED}2;\n{}\r\n0\r\n\r\n${HIDDEN}`],
  ['behind trailers', `${CHUNKED}2\r\n{}\r\n0\r\nHost: b\r\n\r\n${HIDDEN}`],
]

describe('a chunked request is the last of its connection', () => {
  for (const [name, text] of LOOSE) {
    it(`a request ${name} is not answered`, async () => {
      const client = await RawClient.open(server.port)
      client.send(text)
      await client.closed()
      assert.equal(client.received.includes('hidden'), false)
      assert.ok(client.received.split('HTTP/1.1 2').length <= 2, 'at most one answer')
    })
  }

  it('a chunked request is answered, and then the connection closes', async () => {
    const client = await RawClient.open(server.port)
    client.send(`${CHUNKED}7\r\n{"a":"b\r\n2\r\n"}\r\n0\r\n\r\n`)
    const answer = await client.answer()
    assert.equal(answer.status, 200)
    assert.deepEqual(JSON.parse(answer.body).body, { a: 'b' })
    assert.equal(answer.headers.get('connection'), 'close')
    await client.closed()
  })

  it('a request sent after a chunked one, before its answer, is not answered either', async () => {
    const client = await RawClient.open(server.port)
    client.send('POST /pay HTTP/1.1\r\nHost: a\r\nX-Api-Key: pk_test_known\r\nX-Api-Secret: sk_test_secret\r\nIdempotency-Key: chunked\r\n')
    client.send(`Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)
    await client.flushed()
    client.send(HIDDEN)
    await client.closed()
    assert.equal(client.received, '')
    server.engine.settleAll()
  })
})
