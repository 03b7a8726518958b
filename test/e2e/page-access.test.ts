// Every page and form of the dashboard and of the operator's desk by every wrong visitor: without a session, with an ended one, with
// another merchant's, of the other desk, and forms without the token of the session.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Route } from '../../http/server/route.ts'
import { type Owner, signUp } from '../support/dashboard-callers.ts'
import { type EveryPage, openEveryPage, pageTable } from '../support/every-page.ts'
import { lookAgain } from '../support/look-again.ts'
import { joined } from '../support/member-callers.ts'
import { askPage, hidden, type RawAnswer } from '../support/raw-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

const ABSENT = '019aa0f8-1c00-7c01-8c4d-5e6f708192a3'
/** Pages without a session. A new one is added here on purpose. */
const PUBLIC = [
  ...[
    '/assets/{name}',
    '/logos/{name}',
    '/pay/{token}',
    '/pay/{token}/status',
    '/pay/{token}/qr.svg',
    '/pay/{token}/otp',
    '/pay/{token}/pay',
  ],
  ...['/mandates/{token}', '/mandates/{token}/otp', '/mandates/{token}/approve', '/l/{code}', '/l/{code}/qr.svg', '/'],
  ...['/dashboard', '/dashboard/login', '/dashboard/signup', '/dashboard/password-reset', '/dashboard/accept', '/dashboard/confirm-email'],
  '/operator/login',
  ...[
    '/docs',
    '/docs/search',
    '/docs/reference',
    '/docs/reference/{name}',
    '/docs/errors',
    '/docs/errors/{name}',
    '/docs/events',
    '/docs/events/{name}',
    '/docs/{name}',
  ],
]
const TABLE = pageTable()
const DASHBOARD = TABLE.filter(({ path }) => path.startsWith('/dashboard/{environment}'))
const DESK = TABLE.filter(({ path }) => path.startsWith('/operator') && path !== '/operator/login')
/** What the shop's records say, and no page of another merchant may. */
const MARKS = ['Retouches comprises', 'Caisse du marché de Treichville', 'Salle de sport', 'Aminata']

let server: TestServer
let pages: EveryPage
let other: Owner
let viewer: Owner
let ended: Owner

before(async () => {
  server = await sharedServer()
  pages = await openEveryPage(server)
  other = await signUp(server, 'Une autre boutique')
  viewer = await joined(server, pages.owner, 'viewer')
  ended = await signUp(server)
  await ended.browser.request('POST', '/v1/dashboard/logout')
})

test('each page has a session or is known to need none', () => {
  const rest = TABLE.filter((route) => !DASHBOARD.includes(route) && !DESK.includes(route) && !route.path.startsWith('/dev'))
  assert.deepEqual([...new Set(rest.map(({ path }) => path))].sort(), PUBLIC.toSorted())
})

/** An address of the route in the test environment: of a record of the shop where there is one. */
function addressOf({ path }: Route): string {
  const known = pages.addresses[path]?.[0]
  if (known !== undefined) return known
  const [first = ''] = /^.*?\{(?:id|token|transaction_id|slug)\}/.exec(path) ?? []
  const base = pages.addresses[first]?.[0]
  const address = base === undefined ? path : base + path.slice(first.length)
  return address.replace('{environment}', 'test').replaceAll(/\{\w+\}/g, ABSENT)
}

/** Pages of one merchant are limited by the second: beyond, it is asked again. */
async function ask(route: Route, address: string, cookie: string, csrf = ''): Promise<RawAnswer> {
  for (;;) {
    const answer = await askOnce(route, address, cookie, csrf)
    if (answer.status !== 429) return answer
    await lookAgain()
  }
}

function askOnce(route: Route, address: string, cookie: string, csrf: string): Promise<RawAnswer> {
  const headers = cookie === '' ? {} : { cookie }
  const { baseUrl } = server.process
  if (route.method === 'GET') return askPage(baseUrl, address, { headers })
  if (route.bodyType !== 'multipart') return askPage(baseUrl, address, { headers, form: { csrf } })
  const boundary = 'multipart/form-data; boundary=x'
  return askPage(baseUrl, address, { headers: { ...headers, 'content-type': boundary }, form: {}, method: 'POST' })
}

function assertLogin(answer: RawAnswer, path: string, what: string): void {
  // 204 ends an EventSource.
  assert.ok([204, 303].includes(answer.status) || (answer.status >= 400 && answer.status < 500), `${what}: ${answer.status}`)
  if (answer.status === 303) assert.match(new URL(answer.location, `http://x${path}`).pathname, /\/login$/, what)
  for (const mark of MARKS) assert.ok(!answer.text.includes(mark), `${what} shows ${mark}`)
}

for (const route of DASHBOARD) {
  test(`${route.method} ${route.path} shows nothing to visitors without a session of the merchant`, async () => {
    const address = addressOf(route)
    for (const [name, cookie, csrf] of [
      ['no session', '', pages.owner.csrfToken],
      ['an ended session', ended.cookie, ended.csrfToken],
      ['a wrong cookie', `${pages.owner.cookie.slice(0, -4)}AAAA`, pages.owner.csrfToken],
      ['a session of the desk', pages.desk.headers.cookie, pages.desk.csrf],
    ] as const) {
      assertLogin(await ask(route, address, cookie, csrf), address, name)
    }
    // The stream of another merchant would not end, and these forms act on the session that sends them.
    if (/\/(?:news|logout|security\/.*)$/.test(route.path)) return
    const answer = await ask(route, address, other.cookie, other.csrfToken)
    for (const mark of MARKS) assert.ok(!answer.text.includes(mark), `another merchant sees ${mark}`)
    const names = route.path.match(/\{\w+\}/g) ?? []
    // A statement is of the merchant whose session asks.
    if (route.method === 'GET' && names.length > 1 && !/\/(?:runs|statements)\//.test(route.path))
      assert.equal(answer.status, 404, 'another merchant')
    assert.ok(answer.status < 500, String(answer.status))
  })
}

test('no form of the dashboard acts without the token of its own session', async () => {
  for (const route of DASHBOARD.filter(({ method }) => method === 'POST')) {
    const address = addressOf(route)
    for (const csrf of ['', 'wrong', other.csrfToken, viewer.csrfToken]) {
      const { status } = await ask(route, address, pages.owner.cookie, csrf)
      assert.ok(status >= 400 && status < 500, `${route.path} ${status}`)
    }
  }
})

for (const route of DESK) {
  test(`${route.method} ${route.path} shows nothing to visitors without a session of the desk`, async () => {
    const address = addressOf(route)
    for (const [name, cookie, csrf] of [
      ['no session', '', pages.desk.csrf],
      ['a session of a merchant', pages.owner.cookie, pages.owner.csrfToken],
      ['a changed cookie', `${pages.desk.headers.cookie.slice(0, -4)}AAAA`, pages.desk.csrf],
    ] as const) {
      assertLogin(await ask(route, address, cookie, csrf), address, name)
    }
  })
}

test('no form of the desk acts without the token of its own session', async () => {
  for (const route of DESK.filter(({ method }) => method === 'POST')) {
    for (const csrf of ['', 'wrong', pages.owner.csrfToken]) {
      const { status } = await ask(route, addressOf(route), pages.desk.headers.cookie, csrf)
      assert.ok(status >= 400 && status < 500, `${route.path} ${status}`)
    }
  }
})

test('nothing of the shop changed by all that', async () => {
  const { text } = await askPage(server.process.baseUrl, '/dashboard/test/charges', { headers: { cookie: pages.owner.cookie } })
  assert.ok(text.includes('CMD-118'))
  assert.notEqual(hidden(text, 'csrf'), '')
})
