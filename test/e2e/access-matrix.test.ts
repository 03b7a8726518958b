// Every route of the document by every wrong caller: credentials that are missing, wrong, ended or of another kind, scopes and roles
// that do not suffice, and callers of the right kind who ask for what another owns. None of them learns whether it exists.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Method, Route } from '../../http/server/route.ts'
import { TABLE } from '../support/api-document.ts'
import type { Answer, Client } from '../support/client.ts'
import { PASSWORD, signUp } from '../support/dashboard-callers.ts'
import type { KeyedRequest } from '../support/keyed-request.ts'
import { KeyedWorldFixture } from '../support/keyed-world.ts'
import { enableTotp } from '../support/member-callers.ts'
import { ROUTE_ROWS, STREAM_ROUTES } from '../support/other-routes.ts'
import { newKey } from '../support/server-fixture.ts'
import { madeUp, WrongCallers } from '../support/wrong-callers.ts'

/** Routes that take no credentials. A new one is added here on purpose. */
const PUBLIC = [
  ...['getCheckout', 'getCheckoutStatus', 'getCheckoutQr', 'startCheckoutOtp', 'payCheckout'],
  ...['signUpMerchant', 'logInToDashboard', 'requestPasswordReset', 'resetPassword', 'confirmEmail', 'acceptInvitation'],
  ...['startPhone', 'verifyPhone', 'exchangeFirebase', 'refreshSession'],
  ...['getHealth', 'getDocument', 'getDocumentAsJson'],
]
/** Any wallet may name what is in their paths: a charge by its secret token, and the public directory. */
const OPEN_TO_WALLETS: ReadonlySet<string> = new Set(['payCharge', 'getDirectoryBiller', 'getDirectoryProduct', 'createQuote', 'payBill'])
/** The same list for everybody who may read it. */
const SHARED_LISTS: ReadonlySet<string> = new Set(['listDirectory', 'listBillerCategories'])
/** The check of every answer sees that no French is in it. */
const ENGLISH = { 'accept-language': 'en' }
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

let fixture: KeyedWorldFixture
let callers: WrongCallers

before(async () => {
  fixture = await KeyedWorldFixture.open()
  callers = await WrongCallers.open(fixture.world)
})

after(() => fixture?.close())

test('every operation of the document has a request here, and the routes without credentials are known', async () => {
  const { paths } = (await fixture.server.anybody.get<{ paths: Record<string, Record<string, { operationId?: string }>> }>('/openapi.json'))
    .body
  const operations = Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ operationId = [] }) => operationId))
  assert.deepEqual(operations.sort(), Object.keys(ROUTE_ROWS).sort())
  const open = TABLE.filter(({ auth }) => auth === 'public').map(({ operationId }) => operationId)
  assert.deepEqual(open.sort(), PUBLIC.toSorted())
})

for (const route of TABLE) {
  test(`${route.method} ${route.path} refuses every wrong caller and answers the right one`, async () => {
    const prepare = ROUTE_ROWS[route.operationId]
    assert.ok(prepare !== undefined)
    const request = await prepare(fixture.world)
    for (const { name, client, status, code } of await callers.rejectedOn(route, request)) {
      const answer = await send(route.method, request, client.with(ENGLISH))
      assert.deepEqual([answer.status, answer.body?.code], [status, code], `${name}: ${answer.text.slice(0, 200)}`)
    }
    if (namesOwned(route)) await assertUnseen(route, request)
    if (STREAM_ROUTES.has(route.operationId)) return
    // What others did by the same body must not stand in its way.
    const isFree = route.method === 'GET' || namesOwned(route)
    const right = await send(route.method, isFree ? request : await prepare(fixture.world))
    assert.ok(right.status >= 200 && right.status < 300, `${right.status} ${right.text.slice(0, 300)}`)
    if (route.method === 'GET' && !namesOwned(route)) await assertDisjoint(route, request, right)
  })
}

test('a blocked wallet moves no money', async () => {
  for (const operation of ['createTransfer', 'payCharge']) {
    const request = await ROUTE_ROWS[operation]?.(fixture.world)
    assert.ok(request !== undefined)
    const { status, body, text } = await send('POST', request, callers.blockedWallet)
    assert.deepEqual([status, body.code], [403, 'wallet_blocked'], text)
  }
})

test('a password without the second factor opens no session', async () => {
  const { email, browser } = await signUp(fixture.server)
  await enableTotp(browser)
  for (const [totp, code] of [
    [undefined, 'totp_required'],
    ['000000', 'totp_incorrect'],
  ] as const) {
    const { status, body, headers } = await fixture.server.anybody.post('/v1/dashboard/login', { email, password: PASSWORD, totp })
    assert.deepEqual([status, body.code, headers['set-cookie']], [401, code, undefined])
  }
})

function send(method: Method, { client, path, json, form }: KeyedRequest, as: Client = client): Promise<Answer> {
  const body = form ?? (json === undefined ? {} : { json })
  return as.request(method, path, { ...(method === 'GET' ? {} : body), headers: method === 'POST' ? newKey() : {} })
}

function namesOwned({ auth, operationId, params = {} }: Route): boolean {
  const isOwned = auth === 'key' || auth === 'key-or-session' || auth === 'session' || auth === 'wallet'
  return isOwned && Object.keys(params).length > 0 && !OPEN_TO_WALLETS.has(operationId)
}

/** Another caller's answer is the same for a thing that is there and for one that is not. */
async function assertUnseen(route: Route, request: KeyedRequest): Promise<void> {
  const absent = { ...request, path: absentPath(route, request.path) }
  for (const [name, client] of Object.entries(await callers.othersOf(route, request))) {
    const answer = await send(route.method, request, client)
    assert.ok(answer.status === 404 || answer.status === 403, `${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
    const other = await send(route.method, absent, client)
    assert.deepEqual([answer.status, answer.body], [other.status, other.body], name)
  }
}

function absentPath({ path }: Route, asked: string): string {
  const steps = path.split('/')
  return asked
    .split('/')
    .map((step, at) => (steps[at]?.startsWith('{') === true ? madeUp(step) : step))
    .join('/')
}

/** A list shows its caller nothing of the owner's. */
async function assertDisjoint(route: Route, request: KeyedRequest, right: Answer): Promise<void> {
  if (route.auth === 'public' || route.auth === 'operator' || SHARED_LISTS.has(route.operationId)) return
  if (OPEN_TO_WALLETS.has(route.operationId)) return
  const own = new Set(right.text.match(UUID) ?? [])
  for (const [name, client] of Object.entries(await callers.othersOf(route, request))) {
    const answer = await send(route.method, request, client)
    const seen = (answer.text.match(UUID) ?? []).filter((id) => own.has(id) && id !== answer.headers['x-request-id'])
    const merchantId = name.includes('own live key') && route.operationId === 'ping' ? seen : []
    assert.deepEqual(seen, merchantId, name)
  }
}
