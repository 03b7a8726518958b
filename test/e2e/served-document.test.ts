// The document on its way out: compressed as the client takes it, with a version that spares sending it again.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { codingFor } from '../../http/server/content-coding.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

async function ask(path: string, headers: Readonly<Record<string, string>>, method: 'GET' | 'HEAD' = 'GET'): Promise<Seen> {
  const { statusCode, headers: got, body } = await request(server.process.baseUrl + path, { method, headers })
  return { status: statusCode, headers: got, bytes: Buffer.from(await body.arrayBuffer()) }
}

const PATHS = ['/openapi.yaml', '/openapi.json'] as const

for (const path of PATHS) {
  test(`${path} is the same text in every coding, and much smaller compressed`, async () => {
    const plain = await ask(path, { 'accept-encoding': 'identity' })
    const unasked = await ask(path, {})
    const gzip = await ask(path, { 'accept-encoding': 'gzip' })
    const br = await ask(path, { 'accept-encoding': 'gzip, deflate, br' })
    assert.deepEqual(
      [plain, gzip, br].map(({ status, headers }) => [status, headers['content-encoding'], headers.vary]),
      [
        [200, undefined, 'Accept-Encoding'],
        [200, 'gzip', 'Accept-Encoding'],
        [200, 'br', 'Accept-Encoding'],
      ],
    )
    assert.ok(gunzipSync(gzip.bytes).equals(plain.bytes))
    assert.deepEqual([unasked.headers['content-encoding'], unasked.bytes.equals(gzip.bytes)], ['gzip', true], 'without the header')
    assert.ok(brotliDecompressSync(br.bytes).equals(plain.bytes))
    for (const { bytes } of [gzip, br]) assert.ok(bytes.length * 8 < plain.bytes.length, `${bytes.length} of ${plain.bytes.length}`)
    assert.equal(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size, 3, 'each coding has a tag of its own')
  })

  test(`${path} is not sent again to a client that has it`, async () => {
    const coding = { 'accept-encoding': 'br' }
    const first = await ask(path, coding)
    const tag = String(first.headers.etag)
    assert.match(tag, /^"[0-9a-f]{32}-br"$/)
    for (const named of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, headers, bytes } = await ask(path, { ...coding, 'if-none-match': named })
      assert.deepEqual([status, headers.etag, headers.vary, bytes.length], [304, tag, 'Accept-Encoding', 0], named)
      assert.deepEqual([headers['content-encoding'], headers['cache-control']], [undefined, 'no-cache'])
    }
    assert.equal((await ask(path, { ...coding, 'if-none-match': '"other"' })).status, 200)
    assert.equal((await ask(path, { 'if-none-match': tag })).status, 200, 'it is the tag of another coding')
  })

  test(`HEAD of ${path} has the headers of GET and no body`, async () => {
    const coding = { 'accept-encoding': 'gzip' }
    const got = await ask(path, coding)
    const head = await ask(path, coding, 'HEAD')
    for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'vary', 'cache-control']) {
      assert.equal(head.headers[name], got.headers[name], name)
    }
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
    assert.equal((await ask(path, { ...coding, 'if-none-match': String(got.headers.etag) }, 'HEAD')).status, 304)
  })
}

test('both forms are checked against the document that they are', async () => {
  for (const path of PATHS) {
    const { status, headers } = await server.anybody.get(path)
    assert.equal(status, 200)
    const again = await server.anybody.get(path, { headers: { 'if-none-match': String(headers.etag) } })
    assert.deepEqual([again.status, again.text], [304, ''])
  }
})

test('`audience=merchant` serves the document for merchants, with a tag of its own, and another audience is refused', async () => {
  for (const path of PATHS) {
    const [all, merchant] = await Promise.all([server.anybody.get(path), server.anybody.get(`${path}?audience=merchant`)])
    assert.equal(merchant.status, 200)
    assert.ok(merchant.text.includes('/v1/biz/payouts') && !merchant.text.includes('/v1/operator/merchants'), path)
    assert.notEqual(merchant.headers.etag, all.headers.etag)
    const other = await server.anybody.get(`${path}?audience=bank`)
    assert.deepEqual([other.status, other.body.code, other.body.param], [400, 'invalid_parameter', 'audience'])
  }
})

const CHOICES: readonly (readonly [acceptEncoding: string, coding: string])[] = [
  ['', 'gzip'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0.5, gzip', 'gzip'],
  ['identity', 'identity'],
  ['identity;q=0.5, gzip;q=0.2', 'identity'],
  ['deflate', 'identity'],
  ['gzip;q=nonsense', 'identity'],
  ['identity;q=0', 'identity'],
  [' , ,', 'identity'],
]

for (const [acceptEncoding, coding] of CHOICES) {
  test(`Accept-Encoding ${JSON.stringify(acceptEncoding)} gets ${coding}`, () => assert.equal(codingFor(acceptEncoding), coding))
}

test('a page of the documents names each field of Vary once', async () => {
  const { headers } = await ask('/docs/disbursements', { 'accept-encoding': 'gzip' })
  assert.equal(headers.vary, 'Accept-Language, Cookie, Accept-Encoding')
})
