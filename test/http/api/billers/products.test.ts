// Products over HTTP: written, read, replaced, switched; what is refused, in which order, and how large all of it may be.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Product } from '../../../../engine/contract/biller-product.ts'
import { openBiller, PRODUCTS, put, said } from '../../../support/biller-callers.ts'
import { GOOD_PRODUCTS, type Json } from '../../../support/biller-engine.ts'
import type { Client } from '../../../support/client.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

test('products are created, read, replaced, deactivated and activated again', async () => {
  const { merchant } = await openBiller(server, 'draft')
  const { test: client } = merchant
  const created = await client.post<Product>(PRODUCTS, { slug: 'don', ...GOOD_PRODUCTS.user, lookup_secret: 'secret' })
  assert.equal(created.status, 201, created.text)
  const { schema, min, max, presets, state, version, has_secret } = created.body
  assert.deepEqual({ schema, min, max, presets }, { ...pick(GOOD_PRODUCTS.user), presets: [1000, 5000] })
  assert.deepEqual({ state, version, has_secret }, { state: 'active', version: 1, has_secret: true })
  assert.ok(!created.text.includes('lookup_secret') && !created.text.includes('sealed'))
  assert.deepEqual((await client.get(`${PRODUCTS}/don`)).body, created.body)
  const replaced = await put<Product>(client, { slug: 'don', ...GOOD_PRODUCTS.fixed }, `${PRODUCTS}/don`)
  assert.deepEqual([replaced.status, replaced.body.version, replaced.body.has_secret], [200, 2, true], 'a secret that is left out is kept')
  const [day, month] = replaced.body.packages
  assert.equal(day?.id, 'jour')
  assert.match(month?.id ?? '', /^[0-9a-f-]{36}$/)
  const cleared = await put<Product>(client, { ...GOOD_PRODUCTS.fixed, lookup_secret: null }, `${PRODUCTS}/don`)
  assert.equal(cleared.body.has_secret, false)
  const roundTrip = await put<Product>(client, cleared.body, `${PRODUCTS}/don`)
  assert.deepEqual(
    { ...roundTrip.body, version: 0, updated_at: '' },
    { ...cleared.body, version: 0, updated_at: '' },
    'what is read can be written',
  )
  for (const [action, to] of [
    ['deactivate', 'inactive'],
    ['deactivate', 'inactive'],
    ['activate', 'active'],
  ]) {
    assert.deepEqual((await client.request<Product>('POST', `${PRODUCTS}/don/${action}`)).body.state, to)
  }
  const inactive = await client.request<Product>('POST', `${PRODUCTS}/don/deactivate`)
  assert.ok(inactive.body.updated_at >= roundTrip.body.updated_at)
  assert.equal((await put<Product>(client, GOOD_PRODUCTS.user, `${PRODUCTS}/don`)).body.state, 'inactive', 'a PUT puts nothing back')
  const listed = await client.get<{ data: readonly Product[] }>(PRODUCTS)
  assert.deepEqual(
    listed.body.data.map(({ slug }) => slug),
    ['don', 'facture'],
  )
})

test('a slug is checked for its shape, for a taken one, for one of another biller, and against the path', async () => {
  const { merchant } = await openBiller(server, 'draft')
  const { test: client } = merchant
  const post = async (slug: unknown, more: Json = {}) => said(await client.post(PRODUCTS, { ...GOOD_PRODUCTS.fixed, slug, ...more }))
  for (const slug of [undefined, null, '', 'A', '-a', 'a_b', 'a b', 'é', 'a'.repeat(64), 5, '__proto__', 'a/b']) {
    assert.deepEqual(await post(slug), [400, 'invalid_slug', 'slug'], String(slug))
  }
  assert.deepEqual(await post('facture'), [409, 'slug_taken', 'slug'])
  assert.deepEqual(await post('facture', { title: '' }), [409, 'slug_taken', 'slug'], 'before what is wrong with the rest')
  assert.deepEqual(await post('a'.repeat(63)), [201])
  assert.deepEqual(await post('constructor'), [201])
  const other = (await openBiller(server, 'draft')).merchant
  assert.deepEqual(said(await other.test.get(`${PRODUCTS}/constructor`)), [404, 'product_not_found'])
  assert.deepEqual(said(await put(client, { slug: 'autre', ...GOOD_PRODUCTS.fixed }, `${PRODUCTS}/facture`)), [400, 'invalid_slug', 'slug'])
  for (const path of ['nobody', '__proto__', 'A%20B']) {
    assert.deepEqual(said(await put(client, {}, `${PRODUCTS}/${path}`)), [404, 'product_not_found'])
    assert.deepEqual(said(await client.get(`${PRODUCTS}/${path}`)), [404, 'product_not_found'])
    assert.deepEqual(said(await client.request('POST', `${PRODUCTS}/${path}/activate`)), [404, 'product_not_found'])
  }
})

test('need a profile, and the scope; a definition that is wrong says so first', async () => {
  const merchant = await server.merchant()
  const post = async (client: Client, body: Json) => said(await client.post(PRODUCTS, body))
  assert.deepEqual(await post(merchant.test, { slug: 'a', ...GOOD_PRODUCTS.fixed }), [404, 'biller_not_found'])
  assert.deepEqual(await post(merchant.test, { slug: 'a' }), [400, 'title_required', 'title'])
  assert.deepEqual((await merchant.test.get(PRODUCTS)).body, { data: [], has_more: false, next_cursor: null })
  const reader = await server.keyed(merchant.id, 'test', ['disbursements.write'])
  assert.deepEqual(await post(reader, { slug: 'a' }), [403, 'insufficient_scope'])
  assert.equal((await reader.get(PRODUCTS)).status, 200)
})

test('a refusal of the state is kept under its key, one of the body is not; a key knows no secret', async () => {
  const { merchant } = await openBiller(server, 'draft')
  const { test: client } = merchant
  const key = newKey()
  const body = { slug: 'pass', ...GOOD_PRODUCTS.fixed }
  assert.deepEqual(said(await client.post(PRODUCTS, { ...body, title: '' }, key)), [400, 'title_required', 'title'])
  const first = await client.post(PRODUCTS, body, key)
  const again = await client.post(PRODUCTS, { ...body, lookup_secret: 'x' }, key)
  assert.deepEqual([first.status, again.text, again.headers['idempotent-replayed']], [201, first.text, 'true'])
  const taken = newKey()
  assert.equal((await client.post(PRODUCTS, body, taken)).status, 409)
  assert.equal((await client.post(PRODUCTS, body, taken)).headers['idempotent-replayed'], 'true')
})

test('code is compiled when it is written, and the message says where it does not', async () => {
  const { merchant } = await openBiller(server, 'draft')
  const { test: client } = merchant
  const { lookup_url: _url, ...lookup } = GOOD_PRODUCTS.lookup
  const broken = 'function lookup(args) {\n  return {\n}\n)'
  const refused = await client.post(PRODUCTS, { slug: 'code', ...lookup, lookup_integration: 'code', lookup_code: broken })
  assert.deepEqual(said(refused), [400, 'invalid_lookup_code', 'lookup_code'])
  assert.match(String(refused.body.message), /^Le code de la fonction de consultation contient une erreur à la ligne [34]\u00a0: ./)
  const good = 'async function lookup({ fields }) { return { ok: true, amount: 500, currency: "XOF", label: fields.compteur } }'
  const created = await client.post<Product>(PRODUCTS, { slug: 'code', ...lookup, lookup_integration: 'code', lookup_code: good })
  assert.deepEqual([created.status, created.body.lookup_code], [201, good], created.text)
  const both = { ...lookup, lookup_integration: 'code', lookup_code: good, fulfillment_mode: 'code' }
  const second = await put<Product & Json>(client, { ...both, fulfillment_code: 'function onPayed() {}' }, `${PRODUCTS}/code`)
  assert.deepEqual(said(second), [400, 'invalid_fulfillment_code', 'fulfillment_code'])
  assert.equal((await put(client, { ...both, fulfillment_code: 'export function onPaid(ctx) {}' }, `${PRODUCTS}/code`)).status, 200)
  const taken = await client.post(PRODUCTS, { slug: 'code', ...lookup, lookup_integration: 'code', lookup_code: broken })
  assert.deepEqual(said(taken), [409, 'slug_taken', 'slug'], 'a taken slug comes before its code')
})

test('a body may have 4 MiB, and no more', async () => {
  const { merchant } = await openBiller(server, 'draft')
  const body = JSON.stringify({ slug: 'grand', ...GOOD_PRODUCTS.fixed, unknown: '' })
  const padded = (sizeBytes: number) => body.replace('"unknown":""', `"unknown":"${'x'.repeat(sizeBytes - Buffer.byteLength(body))}"`)
  const send = async (sizeBytes: number) => said(await merchant.test.request('POST', PRODUCTS, { body: padded(sizeBytes) }))
  assert.deepEqual(await send(4 * 1024 * 1024 + 1), [413, 'payload_too_large'])
  assert.deepEqual(await send(4 * 1024 * 1024), [201])
})

test('pages of long code end early, and none is lost', async () => {
  const { merchant } = await openBiller(server, 'draft')
  const long = `function onPaid() {}\n//${'x'.repeat(65_000)}`
  const count = 40
  for (let index = 0; index < count; index++) {
    const body = { slug: `p${index}`, ...GOOD_PRODUCTS.fixed, fulfillment_mode: 'none', fulfillment_code: long }
    assert.equal((await merchant.test.post(PRODUCTS, body)).status, 201)
  }
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = `${PRODUCTS}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
    const page = await merchant.test.get<{ data: readonly Product[]; next_cursor: string | null }>(path)
    assert.ok(page.text.length < 2.1 * 1024 * 1024)
    seen.push(...page.body.data.map(({ slug }) => slug))
    cursor = page.body.next_cursor
  }
  assert.deepEqual(seen, [...Array.from({ length: count }, (_, index) => `p${count - 1 - index}`), 'facture'])
})

function pick({ schema, min, max }: { readonly schema: unknown; readonly min: number; readonly max: number }): Json {
  return { schema, min, max }
}
