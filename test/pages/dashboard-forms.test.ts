// The dashboard's forms as bytes: who may send them, what a second sending does, and what a page gives away.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { PAGES_PER_SECOND } from '../../http/pages/dashboard/shared/dashboard-limits.ts'
import { openBiller } from '../support/biller-callers.ts'
import { type Owner, PASSWORD, signUp } from '../support/dashboard-callers.ts'
import { newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const get = (path: string, cookie = '') => fetch(server.process.baseUrl + path, { headers: { cookie }, redirect: 'manual' })

function post(path: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(server.process.baseUrl + path, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) })
}

async function fundedOwner(): Promise<{ owner: Owner; tag: string; balance: () => Promise<number> }> {
  const owner = await signUp(server)
  const keyed = await server.keyed(owner.merchantId, 'test', [])
  const tag = newTag()
  await keyed.post('/v1/biz/test/deposits', { amount: 100_000 })
  await keyed.post('/v1/biz/test/wallets', { tag })
  return { owner, tag, balance: async () => (await keyed.get<{ available: number }>('/v1/biz/balance')).body.available }
}

describe('without a session', () => {
  test('every page leads to the login, for any address', async () => {
    for (const path of ['', '/charges', '/charges.csv', '/keys', '/biller', '/payouts/019aa0f8-1c00-7e12-8c4d-5e6f708192a3']) {
      const answer = await get(`/dashboard/live${path}`)
      assert.equal(answer.status, 303, path)
      const location = new URL(answer.headers.get('location') ?? '', `${server.process.baseUrl}/dashboard/live${path}`)
      assert.equal(location.pathname, '/dashboard/login')
    }
    assert.equal((await get('/dashboard/prod')).status, 404)
  })

  test('a login leads to the page that was asked for, without one to live where the merchant is active, and nowhere else', async () => {
    const owner = await signUp(server)
    const rows: readonly (readonly [asked: string, next: string, location: string])[] = [
      ['/dashboard/test/charges?state=paid&q=a%20b', 'test/charges?state=paid&q=a%20b', 'test/charges?state=paid&q=a%20b&ok=in'],
      ['/dashboard/live', 'live', 'live?ok=in'],
    ]
    for (const [asked, next, location] of rows) {
      const login = (await get(asked)).headers.get('location') ?? ''
      assert.equal(new URLSearchParams(login.split('?')[1]).get('next'), next)
      const page = await (await get(`/dashboard/${login.slice(login.indexOf('login'))}`)).text()
      assert.ok(page.includes(`name="next" value="${next.replaceAll('&', '&amp;')}"`), page)
      const answer = await post('/dashboard/login', { email: owner.email, password: PASSWORD, next }, {})
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, location])
    }
    for (const next of [
      '',
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'live/../../evil',
      'test\n',
      'prod',
      'live?a=#b',
    ]) {
      const answer = await post('/dashboard/login', { email: owner.email, password: PASSWORD, next }, {})
      assert.equal(answer.headers.get('location'), '../dashboard?ok=in', JSON.stringify(next))
    }
    assert.equal((await get('/dashboard', owner.cookie)).headers.get('location'), 'dashboard/live')
  })

  test('no form does anything', async () => {
    const { owner, balance, tag } = await fundedOwner()
    const fields = { csrf: owner.csrfToken, key: randomUUID(), recipient: tag, amount: '5' }
    assert.equal((await post('/dashboard/test/payouts', fields, {})).status, 303)
    assert.equal(await balance(), 100_000)
  })
})

describe('a form', () => {
  test('a form pays once however often it is sent, also at the same moment', async () => {
    const { owner, tag, balance } = await fundedOwner()
    const fields = { csrf: owner.csrfToken, key: randomUUID(), recipient: `@${tag}`, amount: '1 500', reference: '', note: '' }
    const send = () => post('/dashboard/test/payouts', fields, { cookie: owner.cookie })
    const answers = await Promise.all([send(), send(), send()])
    const locations = new Set([...answers, await send()].map(({ headers }) => headers.get('location')))
    assert.equal(locations.size, 1)
    assert.match([...locations].join(), /payouts\/[0-9a-f-]{36}\?ok=payout_done$/)
    assert.equal(await balance(), 98_500)
    const other = await post('/dashboard/test/payouts', { ...fields, amount: '2000' }, { cookie: owner.cookie })
    assert.equal(other.status, 400)
    assert.match(await other.text(), /déjà servi/)
    assert.equal(await balance(), 98_500)
  })

  test('a form does nothing without a key that HTTP would take', async () => {
    const { owner, tag, balance } = await fundedOwner()
    const fields = { csrf: owner.csrfToken, recipient: tag, amount: '5' }
    for (const key of [{}, { key: '' }, { key: 'x'.repeat(256) }, { key: 'clé' }]) {
      assert.equal(
        (await post('/dashboard/test/payouts', { ...fields, ...key }, { cookie: owner.cookie })).status,
        400,
        JSON.stringify(key),
      )
    }
    assert.equal(await balance(), 100_000)
  })

  test('a form with more pairs or bytes than any page sends is refused before the session is looked up', async () => {
    for (const [pairs, status] of [
      [4096, 303],
      [4097, 400],
      [100_000, 413],
    ] as const) {
      const answer = await fetch(`${server.process.baseUrl}/dashboard/test/products/new`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Array.from({ length: pairs }, () => 'a').join('&'),
      })
      assert.equal(answer.status, status, String(pairs))
    }
  })

  test('a form needs the token of its own session, and comes from our own pages', async () => {
    const { owner, tag, balance } = await fundedOwner()
    const stranger = await signUp(server)
    const fields = { key: randomUUID(), recipient: tag, amount: '5' }
    const cookie = { cookie: owner.cookie }
    for (const csrf of ['', 'x', stranger.csrfToken]) {
      assert.equal((await post('/dashboard/test/payouts', { ...fields, csrf }, cookie)).status, 403)
    }
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://attacker.example' },
      { origin: 'https://attacker.example', 'sec-fetch-site': 'none' },
    ]
    for (const headers of foreign) {
      const answer = await post('/dashboard/test/payouts', { ...fields, csrf: owner.csrfToken }, { ...cookie, ...headers })
      assert.equal(answer.status, 403)
      for (const path of ['login', 'signup']) {
        const form = { merchant_name: 'Boutique', email: owner.email, password: PASSWORD }
        assert.equal((await post(`/dashboard/${path}`, form, headers)).status, 403)
      }
    }
    for (const origin of ['null', server.process.baseUrl]) {
      assert.equal((await post('/dashboard/login', { email: owner.email, password: PASSWORD }, { origin })).status, 303)
    }
    assert.equal(await balance(), 100_000)
  })

  test('a form of one environment acts in that environment', async () => {
    const { owner, tag, balance } = await fundedOwner()
    const fields = { csrf: owner.csrfToken, key: randomUUID(), recipient: tag, amount: '5' }
    const answer = await post('/dashboard/live/payouts', fields, { cookie: owner.cookie })
    const page = await get(
      new URL(answer.headers.get('location') ?? '', `${server.process.baseUrl}/dashboard/live/payouts`).pathname,
      owner.cookie,
    )
    assert.match(await page.text(), /Échoué/)
    assert.equal(await balance(), 100_000)
  })
})

describe('a page', () => {
  test('a page of another merchant’s thing is missing', async () => {
    const { owner, tag } = await fundedOwner()
    const fields = { csrf: owner.csrfToken, key: randomUUID(), recipient: tag, amount: '5' }
    const made = await post('/dashboard/test/payouts', fields, { cookie: owner.cookie })
    const { pathname } = new URL(made.headers.get('location') ?? '', `${server.process.baseUrl}/dashboard/test/payouts`)
    assert.equal((await get(pathname, owner.cookie)).status, 200)
    const stranger = await signUp(server)
    assert.equal((await get(pathname, stranger.cookie)).status, 404)
    assert.equal((await get(pathname.replace('/test/', '/live/'), owner.cookie)).status, 404)
  })

  test('a page is not cached, cannot be framed, and repeats nothing of its address', async () => {
    const owner = await signUp(server)
    const answer = await get(
      '/dashboard/test/charges?ok=<b>x</b>&reference="><script>alert(1)</script>&cursor=zzz&utm_source=x',
      owner.cookie,
    )
    const text = await answer.text()
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.ok(!text.includes('<script>alert'))
    assert.ok(!text.includes('<b>x</b>'))
  })

  test('a page of a list takes any day as its last', async () => {
    const owner = await signUp(server)
    for (const day of ['2026-02-28', '9999-12-30', '9999-12-31']) {
      assert.equal((await get(`/dashboard/test/charges?to=${day}`, owner.cookie)).status, 200, day)
    }
  })

  test('a page of a biller has fields for what may still change', async () => {
    const owner = await signUp(server)
    const test = await server.keyed(owner.merchantId, 'test', ['billers.write'])
    const { slug } = await openBiller(server, 'in_review', { id: owner.merchantId, test, live: test })
    const page = async (): Promise<readonly boolean[]> => {
      const text = await (await get('/dashboard/test/biller', owner.cookie)).text()
      return [text.includes('name="display_name"'), text.includes('<dt>Publié</dt>')]
    }
    assert.deepEqual(await page(), [true, false])
    assert.equal((await test.post('/v1/biz/test/billers/approve', {})).status, 200)
    assert.deepEqual(await page(), [false, true])
    assert.equal((await server.operator.post(`/v1/operator/billers/${slug}/reject`, { reason: 'Nom trompeur.' })).status, 200)
    assert.deepEqual(await page(), [true, false])
  })

  test('a page as CSV holds what the list does, and no formula', async () => {
    const owner = await signUp(server)
    const keyed = await server.keyed(owner.merchantId, 'test', [])
    await keyed.post('/v1/biz/charges', { amount: 100, reference: '=1+1' })
    await keyed.post('/v1/biz/charges', { amount: 200, reference: 'deux' })
    const answer = await get('/dashboard/test/charges.csv?reference=%3D1%2B1', owner.cookie)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
    assert.match(answer.headers.get('content-disposition') ?? '', /charges-test\.csv/)
    const lines = (await answer.text()).trim().split('\r\n')
    assert.equal(lines.length, 2)
    assert.match(lines[1] ?? '', /,100,XOF,pending,'=1\+1,/)
  })

  test('a page has a rate limit: a flood of requests gets 429, and the API goes on', async (t) => {
    const { owner, balance } = await fundedOwner()
    // The server is in this process. A clock that stands refills no bucket, however busy the machine is.
    let nowMs = performance.now()
    t.mock.method(performance, 'now', () => nowMs)
    const flood = 120
    const answers = await Promise.all(Array.from({ length: flood }, () => get('/dashboard/test/code', owner.cookie)))
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length >= flood - PAGES_PER_SECOND, `${refused.length} refused`)
    assert.ok(refused.every(({ headers }) => headers.get('retry-after') === '1'))
    assert.ok(answers.some(({ status }) => status === 200))
    nowMs += 1000
    assert.equal((await get('/dashboard/test/code', owner.cookie)).status, 200)
    t.mock.restoreAll()
    assert.equal(await balance(), 100_000)
  })
})
