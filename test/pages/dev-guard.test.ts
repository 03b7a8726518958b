// The pages for development are for this machine's own browser: names that were made to lead here, other sites' forms,
// proxies and production are turned away.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { before, describe, test } from 'node:test'
import { OTP, openCharge, openPayer, PIN } from '../support/charge-callers.ts'
import { askPage, cookieHeader, hidden, type RawRequest } from '../support/raw-page.ts'
import type { Merchant, TestServer } from '../support/server-fixture.ts'
import { ownServer, sharedServer } from '../support/shared-server.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await sharedServer()
  merchant = await server.merchant()
})

const ask = (path: string, more: RawRequest = {}) => askPage(server.process.baseUrl, path, more)
const SCREENS = [
  'send',
  'fund',
  'link/x',
  'bills/a/b',
  'bills/a/b/pay',
  'mandates/x/approve',
  'mandates/x/reject',
  'mandates/x/cancel',
] as const
const FORMS = ['start', 'login', 'signup', 'leave', 'pay', ...SCREENS] as const
const token = async (): Promise<string> => hidden((await ask('/dev/phone')).text, 'f')

describe('strangers', () => {
  const STRANGERS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['a name that was made to lead here', { host: 'attacker.example' }],
    ['a name that begins like this machine', { host: 'localhost.attacker.example:8080' }],
    ['an address of the network', { host: '192.168.1.20:8080' }],
    ['a proxy in front', { 'x-forwarded-for': '203.0.113.7' }],
    ['a proxy that speaks RFC 7239', { forwarded: 'for=203.0.113.7' }],
    ['a proxy that says no more than that it is one', { via: '1.1 edge' }],
    ['a proxy with its own word', { 'x-real-ip': '203.0.113.7' }],
    ['a proxy that names its scheme', { 'x-forwarded-proto': 'https' }],
    ['a proxy that names its port', { 'x-forwarded-port': '443' }],
    ['a proxy that hides its client', { 'x-forwarded-for': '' }],
  ]
  for (const [name, headers] of STRANGERS) {
    test(name, async () => {
      const f = await token()
      for (const path of [
        '/dev',
        '/dev/news',
        '/dev/phone',
        '/dev/phone/charge?c=x',
        '/dev/phone/send',
        '/dev/phone/send/confirm',
        '/dev/phone/history',
        '/dev/phone/bills',
      ]) {
        const answer = await ask(path, { headers })
        assert.equal(answer.status, 403, path)
        assert.ok(!answer.text.includes(f), 'nothing of Cauri is shown')
      }
      for (const form of FORMS) assert.equal((await ask(`/dev/phone/${form}`, { headers, form: { f } })).status, 403, form)
      assert.equal((await ask('/dev/phone/ticket', { headers, method: 'POST' })).status, 403)
      const { checkout_url } = await openCharge(merchant)
      assert.ok(!(await ask(new URL(checkout_url).pathname, { headers })).text.includes('/dev/phone'))
    })
  }

  test('this machine gets the pages under each of its names', async () => {
    const { port } = server.process
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, '127.0.0.2', `[::1]:${port}`, 'LOCALHOST']) {
      assert.equal((await ask('/dev', { headers: { host } })).status, 200, host)
    }
  })
})

describe('forms of others', () => {
  test('a form without the token of this start, or with another, moves nothing', async () => {
    const f = await token()
    for (const wrong of [{}, { f: '' }, { f: 'A'.repeat(f.length) }, { f: `${f}A` }, { f: f.slice(1) }] as Record<string, string>[]) {
      for (const form of FORMS) assert.equal((await ask(`/dev/phone/${form}`, { form: wrong })).status, 403, JSON.stringify(wrong))
    }
  })

  test('a form with the token from another site moves nothing', async () => {
    const f = await token()
    const start = (headers: Record<string, string>) =>
      ask('/dev/phone/start', { headers, form: { f, purpose: 'signup', phone: '+2250099999999' } })
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://attacker.example' },
      { origin: 'http://localhost:3000' },
    ] as Record<string, string>[]) {
      assert.equal((await start(headers)).status, 403, JSON.stringify(headers))
    }
    for (const headers of [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, { origin: server.process.baseUrl }, {}] as Record<
      string,
      string
    >[]) {
      assert.equal((await start(headers)).status, 303, JSON.stringify(headers))
    }
  })
})

/** Signs in on the simulated phone as a program; answers the cookie of the session. */
async function signIn(tag: string): Promise<{ readonly cookie: string }> {
  const f = await token()
  const started = await ask('/dev/phone/start', { form: { f, purpose: 'login', identifier: `@${tag}` } })
  const s = new URL(started.location, 'http://x/dev/phone/start').searchParams.get('s') ?? ''
  const done = await ask('/dev/phone/login', { form: { f, s, code: OTP, pin: PIN } })
  assert.match(done.cookies[0] ?? '', /^dev_phone=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=3600$/)
  return cookieHeader(done)
}

describe('sessions', () => {
  test('a cookie that was not made here opens nothing', async () => {
    const { tag } = await openPayer(server, merchant, 0)
    const { cookie } = await signIn(tag)
    assert.match((await ask('/dev/phone', { headers: { cookie } })).text, new RegExp(`@${tag}, portefeuille`))
    const changed = `${cookie.slice(0, -2)}${cookie.endsWith('AA') ? 'BB' : 'AA'}`
    for (const wrong of [changed, 'dev_phone=', 'dev_phone=sealed:v1:AAAA', `dev_phone=${'A'.repeat(900)}`, 'dev_phone']) {
      assert.match((await ask('/dev/phone', { headers: { cookie: wrong } })).text, /Prendre un portefeuille/, wrong)
      assert.equal((await ask('/dev/phone/ticket', { headers: { cookie: wrong }, method: 'POST' })).status, 303)
    }
  })

  test('the cookie opens nothing after leaving, though it was kept', async () => {
    const { tag } = await openPayer(server, merchant, 0)
    const headers = await signIn(tag)
    const left = await ask('/dev/phone/leave', { headers, form: { f: await token() } })
    assert.match(left.cookies[0] ?? '', /^dev_phone=; .*Max-Age=0$/)
    assert.match((await ask('/dev/phone', { headers })).text, /La session de ce portefeuille est terminée/)
  })

  test('for any address the answer is a page', async () => {
    const { tag } = await openPayer(server, merchant, 0)
    const headers = await signIn(tag)
    for (const s of ['', 'x', 'sealed:v1:AAAA', '%zz', 'a'.repeat(900)]) {
      assert.equal((await ask(`/dev/phone?s=${s}`)).status, 200, s)
      assert.equal((await ask(`/dev/phone/charge?c=${s}&s=${s}`, { headers })).status, 404, s)
    }
    assert.match((await ask('/dev/phone/charge?c=%22%3E%3Cscript%3E', { headers })).text, /ni l’adresse d’un paiement/)
  })
})

describe('a payment', () => {
  test('a payment sent twice moves money once, and another charge’s form pays nothing', async () => {
    const { tag } = await openPayer(server, merchant, 10_000)
    const headers = await signIn(tag)
    const charge = await openCharge(merchant, { amount: 700 })
    const page = await ask(`/dev/phone/charge?c=${charge.token}`, { headers })
    const form = { f: hidden(page.text, 'f'), token: charge.token, key: hidden(page.text, 'key'), pin: PIN }
    const before = (await merchant.test.get<{ available: number }>('/v1/biz/balance')).body.available
    const answers = await Promise.all([1, 2, 3].map(() => ask('/dev/phone/pay', { headers, form })))
    for (const { status, location } of answers) assert.deepEqual([status, location], [303, `charge?c=${charge.token}`])
    const { body } = await merchant.test.get<{ available: number }>('/v1/biz/balance')
    assert.equal(body.available - before, 700)
    const other = await openCharge(merchant, { amount: 800 })
    const wrong = await ask('/dev/phone/pay', { headers, form: { ...form, token: other.token } })
    const shown = await ask(`/dev/phone/${wrong.location}`, { headers })
    assert.match(shown.text, /idempotence/)
  })

  test('a charge of the other environment is not found', async () => {
    const { tag } = await openPayer(server, merchant, 10_000)
    const headers = await signIn(tag)
    const { body } = await merchant.live.post<{ token: string }>('/v1/biz/charges', { amount: 5 })
    const answer = await ask(`/dev/phone/charge?c=${body.token}`, { headers })
    assert.equal(answer.status, 404)
    assert.match(answer.text, /pas dans l’environnement de ce portefeuille/)
  })
})

test('a ninth page of the inbox ends the first one’s news', async () => {
  const streams = await Promise.all(Array.from({ length: 8 }, () => openNews()))
  const ended = Promise.race(streams.map(({ over }, index) => over.then(() => index)))
  const ninth = await openNews()
  assert.ok((await ended) < 8)
  for (const { close } of [...streams, ninth]) close()
})

/** A stream of news, once it is open. */
function openNews(): Promise<{ readonly over: Promise<void>; readonly close: () => void }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.process.baseUrl}/dev/news?after=0`, { agent: false }, (incoming) => {
      const over = new Promise<void>((end) => incoming.once('close', end))
      incoming.once('data', () => resolve({ over, close: () => outgoing.destroy() })).on('error', () => outgoing.destroy())
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}

test('in production there is none of it', async () => {
  const server = await ownServer({ NODE_ENV: 'production' })
  try {
    for (const path of ['/dev', '/dev/news', '/dev/phone', '/dev/phone/charge']) {
      const answer = await askPage(server.process.baseUrl, path)
      assert.equal(answer.status, 404)
      assert.equal((JSON.parse(answer.text) as { code: string }).code, 'not_found', path)
    }
    for (const form of [...FORMS, 'ticket'])
      assert.equal((await askPage(server.process.baseUrl, `/dev/phone/${form}`, { form: {} })).status, 404)
  } finally {
    await server.close()
  }
})
