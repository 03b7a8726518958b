// Roles on the dashboard: each page and each form by each role, asked for as a program does that needs no button.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { MEMBER_ROLES, type MemberRole } from '../../engine/contract/dashboard.ts'
import { dashboardPageRoutes } from '../../http/pages/dashboard/dashboard-table.ts'
import type { DashboardApp } from '../../http/pages/dashboard/shared/dashboard-app.ts'
import { ApiCalls } from '../../http/pages/shared/api-calls.ts'
import { TABLE_PARTS } from '../support/api-document.ts'
import { type Owner, signUp } from '../support/dashboard-callers.ts'
import { joined } from '../support/member-callers.ts'
import { askPage, type RawAnswer } from '../support/raw-page.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

/** Pages that are the form of an operation, by the least role that may call it. All others are there for every role but the cashier. */
const FORM_PAGES: Readonly<Record<string, MemberRole>> = {
  '/batches/new': 'manager',
  '/charges/new': 'cashier',
  '/counter': 'cashier',
  '/contacts': 'manager',
  '/contacts.csv': 'manager',
  '/contacts/import': 'manager',
  '/contacts/new': 'manager',
  '/contacts/payments.csv': 'manager',
  '/contacts/{id}': 'manager',
  '/disbursements/new': 'manager',
  '/disbursements/{id}/repeat': 'manager',
  '/links/new': 'cashier',
  '/mandates/new': 'manager',
  '/payouts/new': 'manager',
  '/products/new': 'owner',
  '/products/{slug}': 'owner',
  '/products/{slug}/try': 'owner',
  '/schedules/new': 'manager',
  '/schedules/{id}/edit': 'manager',
  '/top-ups/new': 'manager',
  '/withdrawal-accounts/new': 'owner',
  '/withdrawals/new': 'manager',
}

/** Pages that show a cashier its own. All others are closed to cashiers. */
const OWN_PAGES: ReadonlySet<string> = new Set([
  '',
  '/account',
  '/api',
  '/charges',
  '/charges.csv',
  '/charges/{token}',
  '/charges/{id}/receipt',
  '/charges/{token}/qr.svg',
  '/counter/{token}',
  '/links',
  '/links.csv',
  '/links/{id}',
  '/links/{id}/print',
  '/links/{id}/qr.svg',
  '/notices',
  '/notices/received',
  '/problems',
  '/problems.csv',
  '/problems/{id}',
  '/search',
  '/security',
  '/security/enroll',
  '/security/qr.svg',
  '/till',
  '/till/close',
])

const FORMS: Readonly<Record<string, MemberRole>> = {
  '/account': 'owner',
  '/account/confirmation': 'viewer',
  '/account/logo': 'owner',
  '/account/logo/delete': 'owner',
  '/activation': 'owner',
  '/activation/files': 'owner',
  '/activation/files/{file}/delete': 'owner',
  '/biller': 'owner',
  '/biller/approve': 'owner',
  '/biller/logo': 'owner',
  '/biller/submit': 'owner',
  '/bills/{transaction_id}/redeliver': 'manager',
  '/bills/{transaction_id}/redeliver-again': 'manager',
  '/bills/{transaction_id}/refund': 'manager',
  '/charges/new': 'cashier',
  '/charges/{token}/cancel': 'cashier',
  '/charges/{token}/refund': 'manager',
  '/counter': 'cashier',
  '/counter/{token}/cancel': 'cashier',
  '/contacts/import': 'manager',
  '/contacts/new': 'manager',
  '/contacts/{id}': 'manager',
  '/contacts/{id}/delete': 'manager',
  '/disbursements/again': 'manager',
  '/disbursements/edit': 'manager',
  '/disbursements/new': 'manager',
  '/disbursements/{id}/approve': 'manager',
  '/disbursements/{id}/cancel': 'manager',
  '/disbursements/{id}/correct': 'manager',
  '/disbursements/{id}/pause': 'manager',
  '/disbursements/{id}/reject': 'manager',
  '/disbursements/{id}/resume': 'manager',
  '/disbursements/{id}/retry': 'manager',
  '/disbursements/{id}/start': 'manager',
  '/disbursements/{id}/without-recent': 'manager',
  '/events/{id}/redeliver': 'manager',
  '/first-steps/dismiss': 'viewer',
  '/keys': 'owner',
  '/keys/{id}/revoke': 'owner',
  '/links/new': 'cashier',
  '/links/{id}/close': 'cashier',
  '/logout': 'viewer',
  '/mandates/new': 'manager',
  '/mandates/{id}/cancel': 'manager',
  '/mandates/{id}/charge': 'manager',
  '/mandates/{id}/collect': 'manager',
  '/members': 'owner',
  '/members/{id}/remove': 'owner',
  '/members/{id}/reset-totp': 'owner',
  '/notices': 'viewer',
  '/notices/received': 'cashier',
  '/payouts': 'manager',
  '/payouts/edit': 'manager',
  '/payouts/new': 'manager',
  '/problems/{id}/answer': 'manager',
  '/products/new': 'owner',
  '/products/{slug}': 'owner',
  '/products/{slug}/activate': 'owner',
  '/products/{slug}/deactivate': 'owner',
  '/products/{slug}/try-fulfillment': 'owner',
  '/products/{slug}/try-lookup': 'owner',
  '/schedules': 'manager',
  '/schedules/edit': 'manager',
  '/schedules/new': 'manager',
  '/schedules/{id}/cancel': 'manager',
  '/schedules/{id}/edit': 'manager',
  '/schedules/{id}/edit-again': 'manager',
  '/schedules/{id}/pause': 'manager',
  '/schedules/{id}/replace': 'manager',
  '/schedules/{id}/resume': 'manager',
  '/security/confirm': 'viewer',
  '/security/disable': 'viewer',
  '/security/enroll': 'viewer',
  '/security/password': 'viewer',
  '/security/recovery-codes': 'viewer',
  '/security/sessions/end-others': 'viewer',
  '/security/sessions/{id}/end': 'viewer',
  '/test-deposits': 'manager',
  '/test-wallets': 'cashier',
  '/top-ups/new': 'manager',
  '/top-ups/{id}/cancel': 'manager',
  '/top-ups/{id}/confirm': 'manager',
  '/webhooks': 'owner',
  '/webhooks/{id}/delete': 'owner',
  '/webhooks/{id}/disabled': 'owner',
  '/webhooks/{id}/edit': 'owner',
  '/webhooks/{id}/enabled': 'owner',
  '/webhooks/{id}/ping': 'owner',
  '/webhooks/{id}/secret': 'owner',
  '/withdrawal-accounts/new': 'owner',
  '/withdrawal-accounts/{id}/delete': 'owner',
  '/withdrawals': 'manager',
  '/withdrawals/edit': 'manager',
  '/withdrawals/new': 'manager',
  '/withdrawals/{id}/cancel': 'manager',
  '/withdrawals/{id}/pay': 'manager',
}

const ENVIRONMENT = '/dashboard/{environment}'
const ROUTES = dashboardPageRoutes({ app: TABLE_PARTS as unknown as DashboardApp, api: new ApiCalls() })
  .filter(({ path }) => path.startsWith(ENVIRONMENT))
  .map(({ method, path, bodyType }) => ({ method, path: path.slice(ENVIRONMENT.length), bodyType }))
const PAGES = ROUTES.filter(({ method, path }) => method === 'GET' && path !== '/news').map(({ path }) => path)
const REFUSED = 'Votre rôle ne permet pas cette opération.'

let server: TestServer
const people = new Map<MemberRole, Owner>()
/** Of another merchant, whose limit of requests the tests of each page do not reach. */
let shop: { readonly owner: Owner; readonly cashier: Owner }

before(async () => {
  server = await sharedServer()
  const owner = await signUp(server)
  people.set('owner', owner)
  const shopOwner = await signUp(server)
  shop = { owner: shopOwner, cashier: await joined(server, shopOwner, 'cashier') }
  for (const role of ['manager', 'cashier', 'viewer'] as const) people.set(role, await joined(server, owner, role))
})

/** Asks again while the limit of the merchant's requests is reached. */
async function ask(role: MemberRole, path: string, form?: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const person = people.get(role)
  assert.ok(person !== undefined)
  const environment = role === 'owner' || role === 'manager' ? 'test' : 'live'
  const headers = { cookie: person.cookie, origin: server.process.baseUrl }
  const sent = form === undefined ? {} : { form: { csrf: person.csrfToken, key: `form-${path}-${role}`, ...form } }
  const address = `/dashboard/${environment}${path.replaceAll(/\{\w+\}/g, '019aa0f8-1c00-7c01-8c4d-5e6f708192a3')}`
  for (;;) {
    const answer = await askPage(server.process.baseUrl, address, { headers, ...sent })
    if (answer.status !== 429 || !answer.text.includes('Trop de pages')) return answer
  }
}

function isAllowed(role: MemberRole, least: MemberRole): boolean {
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(least)
}

function mayOpen(role: MemberRole, path: string): boolean {
  const least = FORM_PAGES[path]
  return least === undefined ? role !== 'cashier' || OWN_PAGES.has(path) : isAllowed(role, least)
}

/** Forms on a page that the role may not send. */
function deadForms(role: MemberRole, text: string): string[] {
  const actions = [...text.matchAll(/<form[^>]* method="post" action="([^"]*)"/g)].map(([, action = '']) =>
    action.replace(/^.*dashboard\/(?:test|live)/, ''),
  )
  return actions.filter((action) => {
    const path = Object.keys(FORMS).find((form) => new RegExp(`^${form.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(action))
    return path === undefined || !isAllowed(role, FORMS[path] ?? 'owner')
  })
}

test('each form of the dashboard, and each page that is one, has its role in this test', () => {
  const posts = ROUTES.filter(({ method }) => method === 'POST').map(({ path }) => path)
  assert.deepEqual(posts.sort(), Object.keys(FORMS).sort())
  const unknown = [...Object.keys(FORM_PAGES), ...OWN_PAGES].filter((path) => !PAGES.includes(path))
  assert.deepEqual(unknown, [])
  const others = PAGES.filter((path) => /\/(?:new|edit)$/.test(path) && FORM_PAGES[path] === undefined)
  assert.deepEqual(others, [])
})

test('each page answers every role, and 403 with what to do where the role may not call its operation', async () => {
  for (const path of PAGES) {
    for (const role of MEMBER_ROLES) {
      const { status, text } = await ask(role, path)
      const what = `${role} ${path}: ${status}`
      if (mayOpen(role, path)) assert.ok([200, 303, 404].includes(status) && deadForms(role, text).length === 0, what)
      else assert.ok(status === 403 && text.includes(REFUSED) && text.includes('Demandez à un propriétaire du compte'), what)
    }
  }
})

test('each form is refused to the roles that may not call its operation, and reaches it for the others', async () => {
  for (const { method, path, bodyType } of ROUTES) {
    if (method !== 'POST' || path === '/logout' || bodyType !== 'form') continue
    const least = FORMS[path] ?? 'owner'
    const highestRefused = MEMBER_ROLES[MEMBER_ROLES.indexOf(least) - 1]
    const reached = await ask(least, path, {})
    assert.ok(reached.status !== 500 && !reached.text.includes(REFUSED), `${least} ${path}: ${reached.status}`)
    if (highestRefused === undefined) continue
    const { status, text } = await ask(highestRefused, path, {})
    assert.ok(status === 403 && text.includes(REFUSED), `${highestRefused} ${path}: ${status}`)
  }
})

test('a cashier sees its own charges, links and till on the pages, and nothing of the others or of the balance', async () => {
  const { owner, cashier } = shop
  const headers = { 'x-environment': 'test' }
  const charge = async (maker: Owner, reference: string): Promise<string> => {
    const answer = await maker.browser.with(headers).post<{ token: string }>('/v1/biz/charges', { amount: 700, reference })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.token
  }
  const [mine, other] = [await charge(cashier, 'TICKET-MIEN'), await charge(owner, 'TICKET-AUTRE')]
  const read = (path: string): Promise<RawAnswer> =>
    askPage(server.process.baseUrl, `/dashboard/test${path}`, { headers: { cookie: cashier.cookie } })
  for (const path of ['', '/charges', '/charges.csv', '/search?q=TICKET']) {
    const { status, text } = await read(path)
    assert.deepEqual([status, text.includes('TICKET-AUTRE')], [200, false], path)
  }
  assert.ok((await read('/charges')).text.includes('TICKET-MIEN'))
  assert.deepEqual([(await read(`/charges/${mine}`)).status, (await read(`/charges/${other}`)).status], [200, 404])
  const home = (await read('')).text
  assert.ok(home.includes('Encaissé aujourd’hui') && !home.includes('Solde disponible'))
  assert.deepEqual(
    ['payouts', 'transactions', 'keys', 'members'].filter((place) => home.includes(`href="../dashboard/test/${place}"`)),
    [],
  )
})

test('the pages of a cashier follow the names of charge events alone, without their content', async () => {
  const { owner, cashier } = shop
  const stopped = new AbortController()
  const answer = await fetch(`${server.process.baseUrl}/dashboard/test/news`, {
    headers: { cookie: cashier.cookie },
    signal: stopped.signal,
  })
  const at = await server.keyed(owner.merchantId, 'test', [])
  const funded = await at.post('/v1/biz/test/deposits', { amount: 5000 })
  assert.equal(funded.status, 201, funded.text)
  const made = await at.post<{ token: string }>('/v1/biz/charges', { amount: 900, reference: 'TICKET-SECRET' })
  assert.equal((await at.post(`/v1/biz/charges/${made.body.token}/cancel`, {})).status, 200)
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString()
    if (text.includes('event: ')) break
  }
  stopped.abort()
  assert.match(text, /event: charge\.cancelled\ndata: 1\n/)
  assert.doesNotMatch(text, /TICKET|amount|balance|^id:/m)
})
