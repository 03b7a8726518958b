// Logos over HTTP: how they are uploaded, served, and decided about.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Biller, OperatorBiller } from '../../../../engine/contract/biller.ts'
import { fetched, form, openBiller, PROFILE, put, said, upload } from '../../../support/biller-callers.ts'
import type { Client } from '../../../support/client.ts'
import { backUp } from '../../../support/log-moves.ts'
import { jpeg, png, webpLossy } from '../../../support/pictures.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer, sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

test('a logo is served as it was sent, under a name that changes with it', async () => {
  const { merchant } = await openBiller(server, 'draft')
  for (const [picture, type] of [
    [png(200, 200, 300_000), 'image/png'],
    [jpeg(200), 'image/jpeg'],
    [webpLossy(200), 'image/webp'],
  ] as const) {
    const { body } = await upload(merchant.test, picture)
    const { pathname } = new URL(String(body.logo_url))
    const served = await fetched(server, pathname)
    assert.equal(served.status, 200)
    assert.ok(served.bytes.equals(picture))
    assert.equal(served.headers['content-type'], type)
    assert.equal(served.headers['x-content-type-options'], 'nosniff')
    assert.equal(served.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(served.headers['content-security-policy']), /^default-src 'none'/)
    const again = await fetched(server, pathname, { 'if-none-match': String(served.headers.etag) })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
    const head = await fetched(server, pathname, {}, 'HEAD')
    assert.deepEqual([head.status, head.headers['content-length']], [200, String(picture.length)])
  }
  for (const name of ['x.png', '..%2f..%2fmaster.key', `${'0'.repeat(64)}.png`, '__proto__']) {
    assert.equal((await fetched(server, `/logos/${name}`)).status, 404, name)
  }
})

test('each error code has a row', async () => {
  const { test: client } = await server.merchant()
  assert.deepEqual(said(await upload(client, png(128))), [404, 'biller_not_found'])
  await put(client, PROFILE)
  const send = async (outgoing: Parameters<Client['request']>[2]) => said(await client.request('POST', '/v1/biz/biller/logo', outgoing))
  assert.deepEqual(await send(form([{ name: 'logo', content: png(128) }])), [400, 'logo_required', 'file'])
  assert.deepEqual(await send(form([{ name: 'file', content: '', fileName: '' }])), [400, 'logo_required', 'file'])
  assert.deepEqual(await send(form([{ name: 'file', content: 'GIF89a', fileName: 'logo.png' }])), [400, 'invalid_logo_format', 'file'])
  assert.deepEqual(said(await upload(client, png(128, 127))), [400, 'logo_not_square', 'file'])
  assert.deepEqual(said(await upload(client, png(127))), [400, 'logo_too_small', 'file'])
  assert.deepEqual(said(await upload(client, png(128, 128, 524_289))), [413, 'logo_too_large', 'file'])
  assert.deepEqual(said(await upload(client, png(128, 128, 900_000))), [413, 'logo_too_large'])
  assert.deepEqual(await send({ json: { file: 'x' } }), [415, 'unsupported_media_type'])
  assert.deepEqual(await send({ body: 'x', contentType: 'multipart/form-data' }), [415, 'unsupported_media_type'])
  assert.deepEqual(await send({ body: 'x', contentType: 'multipart/form-data; boundary=x' }), [400, 'invalid_request'])
  assert.deepEqual(
    await send(
      form([
        { name: 'file', content: 'a' },
        { name: 'file', content: 'b' },
      ]),
    ),
    [400, 'invalid_request', 'file'],
  )
  assert.equal((await client.get('/v1/biz/biller')).body.logo_url, null)
  assert.equal((await upload(client, png(128, 128, 524_288))).status, 200)
})

test('an Idempotency-Key stands for the file, with any form around it', async () => {
  const { merchant } = await openBiller(server, 'draft')
  const key = newKey()
  const send = (boundary: string, content: Buffer) =>
    merchant.test.request('POST', '/v1/biz/biller/logo', { ...form([{ name: 'file', content }], boundary), headers: key })
  const first = await send('one', png(300))
  const again = await send('two', png(300))
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  assert.deepEqual(said(await send('one', png(301))), [422, 'idempotency_key_reused'])
})

test('a new logo after the publication waits for an operator, and the displayed one stays', async () => {
  const { merchant, slug } = await openBiller(server, 'published')
  const { logo_url } = (await merchant.test.get<Biller>('/v1/biz/biller')).body
  const uploaded = await upload(merchant.test, png(256))
  assert.deepEqual(uploaded.body, { logo_url, pending: true })
  const { pending_logo_url } = (await merchant.test.get<Biller>('/v1/biz/biller')).body
  const { pathname } = new URL(String(pending_logo_url))
  assert.ok((await fetched(server, pathname)).bytes.equals(png(256)))
  assert.deepEqual((await upload(merchant.test, png(257))).body, { logo_url, pending: true })
  assert.equal((await fetched(server, pathname)).status, 404, 'what was never approved is not there any more')
  const rejected = await server.operator.request<OperatorBiller>('POST', `/v1/operator/billers/${slug}/logo/reject`)
  assert.deepEqual([rejected.body.logo_url, rejected.body.pending_logo_url], [logo_url, null])
  assert.deepEqual(said(await server.operator.request('POST', `/v1/operator/billers/${slug}/logo/approve`)), [
    409,
    'invalid_directory_state',
  ])
  await upload(merchant.test, png(258))
  const approved = await server.operator.request<OperatorBiller>('POST', `/v1/operator/billers/${slug}/logo/approve`)
  assert.notEqual(approved.body.logo_url, logo_url)
  assert.equal(approved.body.pending_logo_url, null)
})

test('a logo is in a backup that was made while the server ran', async () => {
  const { merchant } = await openBiller(server, 'published')
  await upload(merchant.test, png(500))
  const { logo_url, pending_logo_url } = (await merchant.test.get<Biller>('/v1/biz/biller')).body
  const target = mkdtempSync(join(tmpdir(), 'cauri-backup-'))
  try {
    await backUp(server.process.dataDir, target)
    const restored = await ownServer({}, target)
    try {
      for (const [url, picture] of [
        [logo_url, png(128)],
        [pending_logo_url, png(500)],
      ] as const) {
        const served = await fetched(restored, new URL(String(url)).pathname)
        assert.ok(served.bytes.equals(picture), `${served.status}`)
      }
    } finally {
      await restored.close()
    }
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
})
