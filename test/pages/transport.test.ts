// Pages as bytes: their headers, their size, what they may load, and what forms may send.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Charge } from '../../engine/contract/charge.ts'
import { openCharge } from '../support/charge-callers.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let charge: Charge

before(async () => {
  server = await sharedServer()
  charge = await openCharge(await server.merchant(), { description: 'Pagnes' })
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.process.baseUrl + path, { headers, redirect: 'manual' })

test('a page cannot be framed, runs nothing foreign, and is not cached', async () => {
  for (const path of [`/pay/${charge.token}`, '/pay/nowhere']) {
    const { headers } = await get(path)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /base-uri 'none'/)
    assert.match(policy, /form-action 'self'/)
    assert.ok(!/unsafe|\*|https?:|data:/.test(policy), policy)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/)
    assert.equal(headers.get('set-cookie'), null)
  }
})

test('page, look, script and pictures together stay far below 60 KB', async () => {
  const html = await (await get(`/pay/${charge.token}`)).text()
  const parts = [...html.matchAll(/<(?:link|script|img)[^>]* (?:href|src)="([^"#]+)"/g)].map(
    ([, address]) => new URL(String(address), charge.checkout_url),
  )
  assert.ok(parts.length >= 4)
  let bytes = Buffer.byteLength(html)
  for (const { origin, pathname } of parts) {
    assert.equal(origin, server.process.baseUrl, 'nothing comes from elsewhere')
    const answer = await get(pathname)
    assert.equal(answer.status, 200, pathname)
    bytes += (await answer.arrayBuffer()).byteLength
  }
  assert.ok(bytes < 60 * 1024, `${bytes} bytes`)
})

test('assets are kept for good under names of their content, and asked for in vain after that', async () => {
  const html = await (await get(`/pay/${charge.token}`)).text()
  const [, path] = /href="\.\.(\/assets\/look\.[0-9a-f]{12}\.css)"/.exec(html) ?? []
  assert.ok(path !== undefined)
  const { headers } = await get(path)
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const etag = headers.get('etag') ?? ''
  const again = await get(path, { 'if-none-match': etag })
  assert.deepEqual([again.status, await again.text()], [304, ''])
  assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
  assert.equal((await get('/assets/look.css')).status, 404)
  assert.equal((await get('/assets/..%2Fmain.ts')).status, 404)
})

test('no script lays a page out by window or theme: tests load a page once and look at it in each', () => {
  const folder = join(import.meta.dirname, '../../http/pages')
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'))
  assert.ok(scripts.length >= 4)
  const asks = /matchMedia|inner(?:Width|Height)|(?:client|offset)Width|getBoundingClientRect|ResizeObserver|'resize'/
  assert.deepEqual(
    scripts.filter((path) => asks.test(readFileSync(join(folder, path), 'utf8'))),
    [],
  )
})

test('what a page does not know in its address it ignores', async () => {
  for (const query of [
    'utm_source=sms&utm_source=mail',
    'c=abc',
    '%',
    'a=%zz',
    Array.from({ length: 50 }, (_, index) => `p${index}=1`).join('&'),
  ]) {
    assert.equal((await get(`/pay/${charge.token}?${query}`)).status, 200, query)
  }
})

const post = (path: string, body: string | undefined, contentType = 'application/x-www-form-urlencoded') =>
  fetch(`${server.process.baseUrl}/pay/${charge.token}/${path}`, {
    method: 'POST',
    redirect: 'manual',
    ...(body === undefined ? {} : { body, headers: { 'content-type': contentType } }),
  })

test('forms are sent as forms, and answered with the page’s address', async () => {
  for (const contentType of ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded; charset=UTF-8']) {
    const answer = await post('otp', 'identifier=%40awa&identifier=other&unknown=1', contentType)
    assert.equal(answer.status, 303)
    const location = answer.headers.get('location') ?? ''
    assert.match(location, new RegExp(`^\\.\\./${charge.token}\\?s=`))
    assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    const page = await (await fetch(new URL(location, `${charge.checkout_url}/otp`))).text()
    assert.match(page, /<b>@awa<\/b>/)
  }
  for (const contentType of [
    'application/json',
    'multipart/form-data',
    'text/plain',
    'application/x-www-form-urlencoded; charset=latin1',
  ]) {
    assert.equal((await post('otp', 'identifier=awa', contentType)).status, 415)
  }
})

test('for any form the answer is a page', async () => {
  for (const body of [
    '',
    'identifier=',
    'identifier=%00%ff',
    `identifier=${'a'.repeat(10_000)}`,
    '&&&==',
    's=x&otp=1&pin=2',
    's=sealed:v1:AAAA',
  ]) {
    for (const form of ['otp', 'pay']) {
      const answer = await post(form, body)
      assert.equal(answer.status, 303, body)
      const page = await fetch(new URL(answer.headers.get('location') ?? '', `${charge.checkout_url}/${form}`))
      assert.equal(page.status, 200)
    }
  }
  assert.equal((await post('otp', 'a'.repeat(20_000))).status, 413)
})

test('the status and the QR code of a checkout page are served', async () => {
  assert.deepEqual(await (await get(`/pay/${charge.token}/status`)).json(), { state: 'pending' })
  const picture = await get(`/pay/${charge.token}/qr.svg?n=1`)
  assert.equal(picture.headers.get('content-type'), 'image/svg+xml')
  assert.equal(picture.headers.get('cache-control'), 'no-store')
  assert.match(await picture.text(), /^<svg /)
  for (const part of ['status', 'qr.svg']) assert.equal((await get(`/pay/nowhere/${part}`)).status, 404)
  assert.equal((await fetch(`${server.process.baseUrl}/pay/${charge.token}`, { method: 'HEAD' })).status, 200)
})
