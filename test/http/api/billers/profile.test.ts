// A profile on its way into the directory, over HTTP: every answer is held against the document on the way.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Biller, OperatorBiller } from '../../../../engine/contract/biller.ts'
import { fetched, openBiller, PRODUCTS, PROFILE, put, said, upload } from '../../../support/biller-callers.ts'
import { GOOD_PRODUCTS, type Json } from '../../../support/biller-engine.ts'
import { png } from '../../../support/pictures.ts'
import { newKey, TestServer } from '../../../support/server-fixture.ts'
import { ownServer, sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

test('a profile goes from nothing to published, and then its name is frozen', async () => {
  const merchant = await server.merchant('Sahel SA')
  assert.deepEqual(said(await merchant.test.get('/v1/biz/biller')), [404, 'biller_not_found'])
  assert.deepEqual(said(await merchant.test.request('POST', '/v1/biz/biller/submit')), [404, 'biller_not_found'])
  const draft = await put(merchant.test, PROFILE)
  assert.match(draft.body.slug, /^energie-du-sahel/)
  assert.deepEqual([draft.status, draft.body.directory_state, draft.body.logo_url], [200, 'draft', null])
  assert.deepEqual((await merchant.live.get('/v1/biz/biller')).body, draft.body)
  assert.deepEqual(said(await merchant.test.request('POST', '/v1/biz/biller/submit')), [400, 'profile_incomplete', 'logo'])
  const logo = await upload(merchant.test, png(128))
  assert.deepEqual([logo.status, logo.body.pending], [200, false])
  assert.deepEqual(said(await merchant.test.request('POST', '/v1/biz/biller/submit')), [400, 'products_required'])
  assert.equal((await merchant.live.post(PRODUCTS, { slug: 'facture', ...GOOD_PRODUCTS.lookup })).status, 201)
  const key = newKey()
  const submitted = await merchant.test.request<Biller>('POST', '/v1/biz/biller/submit', { headers: key })
  assert.equal(submitted.body.directory_state, 'in_review')
  assert.equal((await merchant.test.request('POST', '/v1/biz/biller/submit', { headers: key })).headers['idempotent-replayed'], 'true')
  assert.deepEqual(said(await merchant.test.request('POST', '/v1/biz/biller/submit')), [409, 'invalid_directory_state'])
  const { slug, submitted_at } = submitted.body
  const approved = await server.operator.request<OperatorBiller>(
    'POST',
    `/v1/operator/billers/${slug}/approve?submitted_at=${submitted_at}`,
  )
  assert.deepEqual([approved.status, approved.body.merchant_name, approved.body.live], [200, 'Sahel SA', true])
  assert.deepEqual(said(await put(merchant.test, { ...PROFILE, display_name: 'Autre' })), [409, 'field_frozen', 'display_name'])
  assert.deepEqual(said(await put(merchant.test, { ...PROFILE, category: 'water' })), [409, 'field_frozen', 'category'])
  assert.equal((await put(merchant.test, { ...PROFILE, short_desc: 'Nouvelle.' })).body.short_desc, 'Nouvelle.')
  assert.equal((await put(merchant.test, { short_desc: 'Seule.' })).body.short_desc, 'Seule.')
})

test('each error code has a row', async () => {
  const { test: client } = await server.merchant()
  const rows: readonly (readonly [Json, readonly unknown[]])[] = [
    [{}, [400, 'display_name_required', 'display_name']],
    [{ ...PROFILE, display_name: null }, [400, 'display_name_required', 'display_name']],
    [{ ...PROFILE, display_name: ' ' }, [400, 'display_name_required', 'display_name']],
    [{ ...PROFILE, display_name: 5 }, [400, 'invalid_request', 'display_name']],
    [{ ...PROFILE, display_name: 'x'.repeat(81) }, [400, 'invalid_request', 'display_name']],
    [{ ...PROFILE, display_name: 'a\nb' }, [400, 'invalid_request', 'display_name']],
    [{ ...PROFILE, display_name: 'Orange\u202emoney' }, [400, 'invalid_request', 'display_name']],
    [{ ...PROFILE, category: undefined }, [400, 'invalid_category', 'category']],
    [{ ...PROFILE, category: 'Electricity' }, [400, 'invalid_category', 'category']],
    [{ ...PROFILE, category: ['water'] }, [400, 'invalid_category', 'category']],
    [{ ...PROFILE, short_desc: '' }, [400, 'short_desc_required', 'short_desc']],
    [{ ...PROFILE, short_desc: 'x'.repeat(501) }, [400, 'invalid_request', 'short_desc']],
    [{ ...PROFILE, display_name: '', category: 'x', short_desc: '' }, [400, 'display_name_required', 'display_name']],
  ]
  for (const [body, expected] of rows) assert.deepEqual(said(await put(client, body)), expected, JSON.stringify(body))
  assert.deepEqual(said(await client.get('/v1/biz/biller')), [404, 'biller_not_found'], 'nothing was written')
  assert.equal((await put(client, { ...PROFILE, display_name: ' <b>Énergie</b> ' })).body.display_name, '<b>Énergie</b>')
})

test('categories are a list, in the order of the app', async () => {
  const { test: client } = await server.merchant()
  const first = await client.get<{ data: readonly { slug: string }[]; next_cursor: string }>('/v1/biz/biller/categories?limit=10')
  const rest = await client.get<{ data: readonly { slug: string }[]; has_more: boolean }>(
    `/v1/biz/biller/categories?limit=10&cursor=${first.body.next_cursor}`,
  )
  const slugs = [...first.body.data, ...rest.body.data].map(({ slug }) => slug)
  assert.deepEqual([slugs.length, slugs[0], slugs.at(-1), rest.body.has_more], [15, 'electricity', 'other', false])
  assert.deepEqual(said(await client.get('/v1/biz/biller/categories?cursor=abc')), [400, 'invalid_parameter', 'cursor'])
})

test('billers of one name differ in their slugs', async () => {
  const slugs: string[] = []
  for (let count = 0; count < 3; count++)
    slugs.push((await put((await server.merchant()).test, { ...PROFILE, display_name: 'Jumeaux' })).body.slug)
  assert.deepEqual(slugs, ['jumeaux', 'jumeaux-2', 'jumeaux-3'])
})

test('approved by the test helper is published for test wallets, and still waits for an operator', async () => {
  const { merchant, slug } = await openBiller(server, 'in_review')
  assert.deepEqual(said(await merchant.live.request('POST', '/v1/biz/test/billers/approve')), [403, 'test_only'])
  const approved = await merchant.test.request<Biller>('POST', '/v1/biz/test/billers/approve')
  assert.deepEqual([approved.body.directory_state, approved.body.live], ['published', false])
  const waiting = await server.operator.get<{ data: readonly OperatorBiller[] }>('/v1/operator/billers?directory_state=in_review&limit=100')
  assert.ok(waiting.body.data.some((biller) => biller.slug === slug && biller.directory_state === 'in_review'))
  assert.equal((await server.operator.request('POST', `/v1/operator/billers/${slug}/approve`)).body.live, true)
  assert.equal((await merchant.test.get('/v1/biz/biller')).body.live, true)
})

test('an operator rejects, suspends and reinstates, and each leaves a line in the audit trail', async () => {
  const { merchant, slug } = await openBiller(server, 'in_review')
  const path = `/v1/operator/billers/${slug}`
  assert.deepEqual(said(await server.operator.post(`${path}/reject`, {})), [400, 'invalid_request', 'reason'])
  assert.equal((await server.operator.post(`${path}/reject`, { reason: 'Nom trompeur.' })).body.directory_state, 'rejected')
  assert.equal((await merchant.test.get('/v1/biz/biller')).body.reject_reason, 'Nom trompeur.')
  await merchant.test.request('POST', '/v1/biz/biller/submit')
  for (const [action, json, state] of [
    ['approve', {}, 'published'],
    ['suspend', { reason: 'Plaintes.' }, 'suspended'],
    ['reinstate', {}, 'published'],
  ] as const) {
    assert.equal((await server.operator.post(`${path}/${action}`, json)).body.directory_state, state)
    if (action !== 'suspend')
      assert.deepEqual(said(await server.operator.post(`${path}/${action}`, json)), [409, 'invalid_directory_state'])
  }
  assert.deepEqual(said(await server.operator.post('/v1/operator/billers/nobody/approve', {})), [404, 'biller_not_found'])
  const audit = await server.operator.get<{ data: readonly { action: string; target: string; details: Json }[] }>('/v1/operator/audit')
  assert.deepEqual(
    audit.body.data.slice(0, 4).map(({ action, target }) => [action, target]),
    ['biller.reinstate', 'biller.suspend', 'biller.approve', 'biller.reject'].map((action) => [action, slug]),
  )
  assert.deepEqual((await server.operator.get(path)).body.directory_state, 'published')
})

test('a crash and a restart change nothing of profile, products, logos and waiting logo', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-billers-'))
  let own = await TestServer.open({ dataDir })
  try {
    const { merchant, slug } = await openBiller(own, 'published')
    await upload(merchant.test, png(400))
    await merchant.test.post(PRODUCTS, { slug: 'don', ...GOOD_PRODUCTS.user, lookup_secret: 'secret' })
    const [billerBefore, productsBefore] = [await merchant.live.get<Biller>('/v1/biz/biller'), await merchant.live.get(PRODUCTS)]
    await own.process.kill()
    own.anybody.close()
    own = await ownServer({}, dataDir)
    const keys = await own.keyed(merchant.id, 'live', ['billers.write'])
    const billerAfter = await keys.get<Biller>('/v1/biz/biller')
    const named = ({ logo_url, pending_logo_url, ...rest }: Biller) => ({
      ...rest,
      logos: [logo_url, pending_logo_url].map((url) => new URL(String(url)).pathname),
    })
    assert.deepEqual(named(billerAfter.body), named(billerBefore.body))
    assert.equal((await keys.get(PRODUCTS)).text, productsBefore.text)
    const { pathname } = new URL(String(billerAfter.body.pending_logo_url))
    assert.ok((await fetched(own, pathname)).bytes.equals(png(400)))
    assert.equal((await own.operator.request('POST', `/v1/operator/billers/${slug}/logo/approve`)).status, 200)
  } finally {
    await own.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
