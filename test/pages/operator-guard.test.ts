// The operator's desk under attack: no token, wrong tokens, forms of others, changed confirmations, impatient clicks, and a
// crash between the confirmation and its answer.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type DeskSession, deskSession } from '../support/operator-steps.ts'
import { askPage, cookieHeader, hidden, type RawAnswer, type RawRequest } from '../support/raw-page.ts'
import { type Merchant, TestServer } from '../support/server-fixture.ts'
import { OPERATOR_TOKEN } from '../support/server-process.ts'
import { ownServer, sharedServer } from '../support/shared-server.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await sharedServer()
  merchant = await server.merchant()
})

const ask = (path: string, more: RawRequest = {}) => askPage(server.process.baseUrl, path, more)
const PAGES = ['', '/merchants', '/merchants/x', '/search', '/wallets', '/wallets/x', '/funding', '/funding/confirm', '/ledger', '/audit']
const FORMS = ['logout', 'funding/check', 'funding/confirm']
const testBalance = async (): Promise<number> => (await merchant.test.get<{ available: number }>('/v1/biz/balance')).body.available

/** The confirmation of a deposit into the merchant's test account, up to the click. */
async function confirmation({ headers, csrf }: DeskSession, amount: string): Promise<{ readonly csrf: string; readonly s: string }> {
  const key = hidden((await ask(`/operator/funding?account=${merchant.id}&environment=test`, { headers })).text, 'key')
  const form = { csrf, key, kind: 'deposit', environment: 'test', account: merchant.id, amount }
  const { location, status } = await ask('/operator/funding/check', { headers, form })
  assert.equal(status, 303)
  return { csrf, s: new URL(location, 'http://x/').searchParams.get('s') ?? '' }
}

describe('strangers', () => {
  test('strangers are sent to the login, for any address', async () => {
    for (const cookie of [
      '',
      'operator=',
      `operator=${'A'.repeat(43)}`,
      `operator=${OPERATOR_TOKEN}`,
      `__Host-operator=${'A'.repeat(43)}`,
    ]) {
      const headers = { cookie }
      for (const path of PAGES) {
        const answer = await ask(`/operator${path}`, { headers })
        assert.deepEqual([answer.status, answer.location.endsWith('operator/login')], [303, true], path)
      }
      for (const path of FORMS) assert.match((await ask(`/operator/${path}`, { headers, form: {} })).location, /operator\/login$/)
    }
  })

  test('strangers with a wrong token get no cookie', async () => {
    for (const token of ['', 'wrong', OPERATOR_TOKEN.toUpperCase(), `${OPERATOR_TOKEN}x`, 'é'.repeat(600)]) {
      const answer = await ask('/operator/login', { form: { token } })
      assert.deepEqual([answer.status, answer.cookies], [200, []])
      assert.match(answer.text, /n’est pas celui d’un opérateur/)
      assert.ok(token === '' || !answer.text.includes(token), 'what was typed is not shown again')
    }
  })

  test('strangers may guess ten times from one address', async () => {
    const server = await ownServer({ PROXY_HOPS: '1' })
    try {
      const logIn = (token: string, from: string): Promise<RawAnswer> =>
        askPage(server.process.baseUrl, '/operator/login', { headers: { 'x-forwarded-for': from }, form: { token } })
      for (let tries = 0; tries < 10; tries++) assert.match((await logIn('wrong', '203.0.113.7')).text, /n’est pas celui/)
      const late = await logIn(OPERATOR_TOKEN, '203.0.113.7')
      assert.deepEqual([/Trop d’essais/.test(late.text), late.cookies], [true, []])
      assert.equal((await logIn(OPERATOR_TOKEN, '203.0.113.8')).status, 303)
    } finally {
      await server.close()
    }
  })

  test('strangers find nothing where there is no token in the settings', async () => {
    const server = await ownServer({ OPERATOR_TOKEN: undefined })
    try {
      for (const path of [...PAGES, '/login']) assert.equal((await askPage(server.process.baseUrl, `/operator${path}`)).status, 404, path)
      for (const path of [...FORMS, 'login'])
        assert.equal((await askPage(server.process.baseUrl, `/operator/${path}`, { form: {} })).status, 404)
    } finally {
      await server.close()
    }
  })
})

describe('the cookie', () => {
  test('the cookie stays with this site and away from scripts', async () => {
    const { cookies } = await ask('/operator/login', { form: { token: OPERATOR_TOKEN } })
    assert.match(cookies.join('\n'), /^operator=[\w-]{64}; Path=\/; HttpOnly; SameSite=Strict$/)
    const server = await ownServer({ NODE_ENV: 'production' })
    try {
      const secure = await askPage(server.process.baseUrl, '/operator/login', { form: { token: OPERATOR_TOKEN } })
      assert.match(secure.cookies.join('\n'), /^__Host-operator=[\w-]{64}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
      assert.equal((await askPage(server.process.baseUrl, '/operator', { headers: cookieHeader(secure) })).status, 200)
    } finally {
      await server.close()
    }
  })

  test('the cookie is worth nothing after the way out, though it was kept', async () => {
    const { headers, csrf } = await deskSession(server)
    assert.equal((await ask('/operator', { headers })).status, 200)
    const out = await ask('/operator/logout', { headers, form: { csrf } })
    assert.match(out.cookies.join('\n'), /^operator=; .*Max-Age=0/)
    assert.equal((await ask('/operator', { headers })).status, 303)
  })

  test('the cookie set twice is not accepted', async () => {
    const { headers } = await deskSession(server)
    assert.equal((await ask('/operator', { headers: { cookie: `${headers.cookie}; operator=${'A'.repeat(43)}` } })).status, 303)
  })
})

describe('forms of others', () => {
  test('forms of others without the session’s token move nothing', async () => {
    const mine = await deskSession(server)
    const others = await deskSession(server)
    const { s } = await confirmation(mine, '900')
    const before = await testBalance()
    for (const csrf of ['', 'x', others.csrf, mine.csrf.slice(1), `${mine.csrf}x`]) {
      for (const path of FORMS)
        assert.equal((await ask(`/operator/${path}`, { headers: mine.headers, form: { csrf, s } })).status, 403, path)
    }
    assert.equal((await ask('/operator/funding/confirm', { headers: mine.headers, form: { s } })).status, 403)
    assert.equal(await testBalance(), before)
    assert.equal((await ask('/operator', { headers: mine.headers })).status, 200, 'a foreign form does not sign the operator out')
  })

  test('forms of others from another site move nothing, with any token', async () => {
    const session = await deskSession(server)
    const form = await confirmation(session, '900')
    const before = await testBalance()
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { ...session.headers, 'sec-fetch-site': site }
      assert.equal((await ask('/operator/funding/confirm', { headers, form })).status, 403, site)
      assert.equal((await ask('/operator/login', { headers, form: { token: OPERATOR_TOKEN } })).status, 403, site)
    }
    const headers = { ...session.headers, origin: 'https://attacker.example' }
    assert.equal((await ask('/operator/funding/confirm', { headers, form })).status, 403)
    assert.equal((await ask('/operator/login', { headers, form: { token: OPERATOR_TOKEN } })).status, 403)
    assert.equal(await testBalance(), before)
  })
})

describe('a confirmation', () => {
  test('a confirmation clicked five times at once moves money once', async () => {
    const session = await deskSession(server)
    const form = await confirmation(session, '1100')
    const before = await testBalance()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ask('/operator/funding/confirm', { headers: session.headers, form })))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]))
    assert.equal((await testBalance()) - before, 1100)
    const page = await ask(`/operator/funding/${answers[0]?.location}`, { headers: session.headers })
    assert.match(page.text, /Effectué\./)
  })

  test('the same form sent twice is the same movement, with other words another one', async () => {
    const { headers, csrf } = await deskSession(server)
    const key = hidden((await ask(`/operator/funding?account=${merchant.id}&environment=test`, { headers })).text, 'key')
    const move = async (amount: string): Promise<void> => {
      const form = { csrf, key, kind: 'deposit', environment: 'test', account: merchant.id, amount }
      const { location } = await ask('/operator/funding/check', { headers, form })
      const s = new URL(location, 'http://x/').searchParams.get('s') ?? ''
      assert.equal((await ask('/operator/funding/confirm', { headers, form: { csrf, s } })).status, 303)
    }
    const before = await testBalance()
    for (const amount of ['30', '30', '3 0']) await move(amount)
    assert.equal((await testBalance()) - before, 30)
    await move('5')
    assert.equal((await testBalance()) - before, 35)
  })

  test('a confirmation that was changed on the way, or sealed for something else, moves nothing', async () => {
    const session = await deskSession(server)
    const { csrf, s } = await confirmation(session, '900')
    const before = await testBalance()
    const wrongs = ['', 'x', 'sealed:v1:AAAA', `${s.slice(0, -3)}AAA`, `${s}AAAA`, s.slice(0, 60)]
    for (const wrong of wrongs) {
      const answer = await ask('/operator/funding/confirm', { headers: session.headers, form: { csrf, s: wrong } })
      assert.deepEqual([answer.status, answer.location], [303, '../funding'])
      assert.equal((await ask(`/operator/funding/confirm?s=${encodeURIComponent(wrong)}`, { headers: session.headers })).status, 400)
    }
    assert.equal(await testBalance(), before)
  })

  test('a confirmation of real money wants the amount once more', async () => {
    const { headers, csrf } = await deskSession(server)
    const key = hidden((await ask(`/operator/funding?account=${merchant.id}&environment=test`, { headers })).text, 'key')
    const form = { csrf, key, kind: 'deposit', environment: 'live', account: merchant.id, amount: '70' }
    const { location } = await ask('/operator/funding/check', { headers, form })
    const s = new URL(location, 'http://x/').searchParams.get('s') ?? ''
    const live = async (): Promise<number> => (await merchant.live.get<{ available: number }>('/v1/biz/balance')).body.available
    const before = await live()
    for (const again of ['', '7', '700', 'x']) {
      assert.match((await ask('/operator/funding/confirm', { headers, form: { csrf, s, again } })).location, /&again=$/)
    }
    assert.equal(await live(), before)
    await ask('/operator/funding/confirm', { headers, form: { csrf, s, again: '70' } })
    assert.equal((await live()) - before, 70)
  })
})

test('after a crash the confirmation’s address shows what became of it, and confirms once', async () => {
  const own = await TestServer.open()
  const { dataDir } = own.process
  let again: TestServer | null = null
  try {
    const shop = await own.merchant()
    const session = await deskSession(own)
    const askOwn = (path: string, more: RawRequest = {}) =>
      askPage(own.process.baseUrl, path, { ...more, headers: { ...session.headers, ...more.headers } })
    const key = hidden((await askOwn(`/operator/funding?account=${shop.id}&environment=test`)).text, 'key')
    const form = { csrf: session.csrf, key, kind: 'deposit', environment: 'test', account: shop.id, amount: '500' }
    const { location } = await askOwn('/operator/funding/check', { form })
    const s = new URL(location, 'http://x/').searchParams.get('s') ?? ''
    assert.equal((await askOwn('/operator/funding/confirm', { form: { csrf: session.csrf, s } })).status, 303)
    await own.process.kill()
    again = await ownServer({}, dataDir)
    const { headers, csrf } = session
    const confirm = await askPage(again.process.baseUrl, '/operator/funding/confirm', { headers, form: { csrf, s } })
    const page = await askPage(again.process.baseUrl, `/operator/funding/${confirm.location}`, { headers })
    assert.match(page.text, /Effectué\./)
    const trial = await again.operator.get<{ transactions: number }>('/v1/operator/ledger/trial-balance?environment=test')
    const first = (await again.operator.get<{ data: { action: string }[] }>('/v1/operator/audit')).body.data
    assert.equal(first.filter(({ action }) => action === 'deposit.create').length, 1)
    assert.ok(trial.body.transactions >= 1)
  } finally {
    await again?.close()
    await own.close()
  }
})
