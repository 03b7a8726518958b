// Every route survives what its own document makes up: random parameters, headers and bodies, right and wrong, and each
// answer is one that the document has. After it the ledger still adds up to zero.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Charge } from '../../engine/contract/charge.ts'
import { LOGIN_REQUEST, SIGNUP_REQUEST } from '../../http/api/dashboard/dashboard-examples.ts'
import type { Route } from '../../http/server/route.ts'
import { TABLE } from '../support/api-document.ts'
import { logoForm, openBiller } from '../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../support/biller-engine.ts'
import { openCharge, openPayer, PIN } from '../support/charge-callers.ts'
import type { Client } from '../support/client.ts'
import { createdIds, idsOf } from '../support/created-ids.ts'
import { signUp } from '../support/dashboard-callers.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { type Merchant, TestServer } from '../support/server-fixture.ts'
import { HEADER, TEXT } from '../support/strange-values.ts'

const RUNS_PER_ROUTE = 60

/** Operations whose good answer needs a state that chance does not make; all others must show theirs. */
const UNREACHED: ReadonlySet<string> = new Set([
  // A right PIN, code or token does not come by chance.
  'payCheckout',
  'payCharge',
  'scanCharge',
  'createTransfer',
  'payBill',
  'changePin',
  'approveMandate',
  'verifyPin',
  'refreshSession',
  'exchangeFirebase',
  'setIdentity',
  'setTag',
  'setPin',
  'confirmTotp',
  'disableTotp',
  'resetPassword',
  // Only a member with a second factor has one to turn off: test/pages/accounts.test.ts.
  'resetMemberTotp',
  'resetTotpOfMember',
  'acceptInvitation',
  'confirmEmail',
  // A biller's system has to answer: the tests of bills have one.
  'createQuote',
  // A bill is paid to a published biller, and this one stays a draft: test/http/api/bills/redelivery-http.test.ts.
  'getBillPayment',
  'redeliverBillPayment',
  'refundBillPayment',
  // A whole tag or phone does not come by chance: test/e2e/operator-lookups.test.ts.
  'findWallets',
  // It needs a schedule that was paused.
  'resumeSchedule',
  // Nothing waits for a second person, and no merchant has asked for its activation: test/http/api/operator/, test/http/api/merchants/.
  'getApproval',
  'approveMovement',
  'refuseMovement',
  'refuseMerchant',
  // An answer without an end: test/stream/ reads it.
  'streamEvents',
  'streamMerchantEvents',
])

let server: TestServer
let merchant: Merchant
/** Of things that are there. */
const ids: string[] = []

before(async () => {
  server = await TestServer.open()
  merchant = await server.fundedMerchant(1_000_000)
  for (const tag of ['awa', 'awa_diallo', 'koffi']) {
    const answer = await merchant.test.post('/v1/biz/test/wallets', { tag })
    assert.equal(answer.status, 201, answer.text)
  }
  await merchant.test.post('/v1/biz/test/deposits', { recipient: 'awa', amount: 1_000_000 })
  const payout = await merchant.test.post<{ id: string; transaction_id: string }>(
    '/v1/biz/payouts',
    { recipient: 'awa', amount: 1 },
    { 'idempotency-key': 'first' },
  )
  const batch = await merchant.test.post<{ id: string }>(
    '/v1/biz/payouts/batch',
    { items: [{ recipient: 'awa', amount: 1 }] },
    { 'idempotency-key': 'second' },
  )
  assert.equal((await server.anybody.post('/v1/dashboard/signup', { ...SIGNUP_REQUEST, ...LOGIN_REQUEST })).status, 201)
  ids.push(merchant.id, merchant.id, merchant.id, payout.body.id, payout.body.transaction_id, batch.body.id)
  await merchant.test.post('/v1/biz/test/deposits', { recipient: 'awa_diallo', amount: 1_000_000 })
  await openBiller(server, 'draft', merchant)
  await merchant.test.post('/v1/biz/biller/products', CODE_PRODUCT)
})

const CODE_PRODUCT = {
  ...GOOD_PRODUCTS.lookup,
  slug: 'code',
  lookup_integration: 'code',
  lookup_code: 'function lookup(args) { return args }',
  fulfillment_mode: 'code',
  fulfillment_code: 'function onPaid() {}',
}

/** Where an operator's decision starts. */
function stateBefore(operationId: string): 'in_review' | 'published' | 'suspended' {
  if (operationId === 'approveBiller' || operationId === 'rejectBiller') return 'in_review'
  return operationId === 'reinstateBiller' ? 'suspended' : 'published'
}

/** Each route has its own charges and its own session: what it ends is not missed by the next. */
async function placeholdersOf(route: Route, owner: Client): Promise<readonly string[]> {
  const created = await createdIds(route, { server, merchant, owner })
  if (created !== null) return created
  // Code of our own: trying a lookup out by webhook would wait for name servers.
  if (route.path.startsWith('/v1/biz/biller/products/')) return [route.path.includes('/test-') ? CODE_PRODUCT.slug : 'facture']
  if (route.path.startsWith('/v1/me/directory/')) return [(await openBiller(server, 'published')).slug, 'facture']
  if (route.path.startsWith('/v1/operator/billers/')) {
    const { merchant: other } = await openBiller(server, stateBefore(route.operationId))
    if (route.operationId.startsWith('logo')) await other.test.request('POST', '/v1/biz/biller/logo', logoForm())
    const { body } = await other.test.get<{ slug: string }>('/v1/biz/biller')
    return [body.slug]
  }
  if (route.path.startsWith('/v1/biz/webhook-endpoints/')) {
    const endpoint = { url: 'https://receiver.example/hooks', events: ['charge.succeeded'], description: '' }
    await merchant.test.post('/v1/biz/webhook-endpoints', endpoint)
    return idsOf(merchant.test, '/v1/biz/webhook-endpoints')
  }
  if (route.path.startsWith('/v1/biz/events/')) {
    const charge = await openCharge(merchant)
    await merchant.test.post(`/v1/biz/test/charges/${charge.token}/pay`, { payer_tag: 'awa_diallo' })
    return idsOf(merchant.test, '/v1/biz/events')
  }
  if (route.path.includes('/mandates/')) return mandatesFor(route, owner)
  if (route.path.startsWith('/v1/dashboard/sessions/')) return idsOf(owner, '/v1/dashboard/sessions')
  if (route.path.startsWith('/v1/dashboard/api-keys/')) {
    const form = { environment: 'test', scopes: [] }
    return Promise.all([1, 2, 3].map(async () => (await owner.post<{ id: string }>('/v1/dashboard/api-keys', form)).body.id))
  }
  if (route.path.startsWith('/v1/me/transactions/')) {
    const recipient = (await owner.get<{ tag: string }>('/v1/me')).body.tag
    const { body } = await merchant.test.post<{ transaction_id: string }>('/v1/biz/test/deposits', { recipient, amount: 5 })
    return [body.transaction_id]
  }
  if (route.path.startsWith('/v1/me/devices/')) return idsOf(owner, '/v1/me/devices')
  if (!route.path.includes('{token}')) return ids
  const charges: Charge[] = []
  for (let count = 0; count < 6; count++) charges.push(await openCharge(merchant))
  for (const { token } of charges.slice(0, 3)) await merchant.test.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: 'awa_diallo' })
  return charges.flatMap(({ id, token }) => [token, token, id])
}

/** Of the wallet that asks, or of one that has approved them. */
async function mandatesFor({ auth }: Route, owner: Client): Promise<readonly string[]> {
  const payer = await openPayer(server, merchant, 1_000_000)
  const customer = auth === 'wallet' ? owner : payer.app
  const { tag } = (await customer.get<{ tag: string }>('/v1/me')).body
  const made: string[] = []
  for (const interval of ['on_demand', 'on_demand', 'monthly']) {
    const mandate = await merchant.test.post<{ id: string }>('/v1/biz/mandates', {
      customer_tag: tag,
      amount: 50,
      max_amount: 5000,
      interval,
    })
    made.push(mandate.body.id)
    if (auth !== 'wallet') await customer.post(`/v1/me/mandates/${mandate.body.id}/approve`, { pin: PIN })
  }
  return made
}

after(async () => {
  await server.close()
})

interface Attempt {
  readonly params: readonly string[]
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Record<string, string>
  readonly body: string
  readonly caller: 'owner' | 'nobody'
}

function goodBodyOf({ operationId }: Route): Record<string, unknown> {
  const good: Record<string, unknown> = { ...GOOD_BODIES[operationId] }
  if ('merchant_id' in good) good.merchant_id = merchant.id
  if (operationId === 'replaceProduct') good.slug = 'facture'
  return good
}

/** What nothing is wrong with but the state that it meets, for everything that is there: chance alone misses it one time in ten. */
function rightAttempts(route: Route, known: readonly string[]): [Attempt][] {
  const placeholders = Object.keys(route.params ?? {}).length
  const all = placeholders === 1 ? [...new Set(known)].map((id) => [id]) : [known.slice(0, placeholders)]
  const good = goodBodyOf(route)
  const body = Object.keys(good).length === 0 ? '' : JSON.stringify(good)
  // A key that was used by another route would be refused for it.
  const headersOf = (index: number) => ({ 'idempotency-key': `${route.operationId}-${index}` })
  return all.map((params, index) => [{ params, query: [], headers: headersOf(index), body, caller: 'owner' }])
}

/** JSON text, mostly a good body with a few fields changed; sometimes anything at all. */
function bodyOf(route: Route): fc.Arbitrary<string> {
  if (route.bodyType === 'multipart') return fc.oneof(fc.constant(''), fc.string({ unit: 'binary', maxLength: 60 }))
  const good = goodBodyOf(route)
  if (Object.keys(good).length === 0) return fc.constantFrom('', '{}', 'x')
  const names = [...Object.keys((route.body as unknown as { properties: object }).properties), '__proto__', 'unknown']
  const value = fc.oneof(
    { weight: 3, arbitrary: TEXT as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<unknown> },
    { weight: 2, arbitrary: fc.integer({ min: -1, max: 50 }) },
  )
  const changed = fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 2 })
    .map((changes) => JSON.stringify({ ...good, ...Object.fromEntries(changes) }))
  return fc.oneof(
    { weight: 8, arbitrary: changed },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  )
}

function attemptOf(route: Route, known: readonly string[]): fc.Arbitrary<Attempt> {
  const names = [...Object.keys(route.query?.properties ?? {}), 'unknown']
  const placeholders = Object.keys(route.params ?? {}).length
  const strange = fc.oneof(
    fc.uuid({ version: 7 }),
    TEXT.filter((text) => text !== ''),
  )
  const id = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 2, arbitrary: strange })
  return fc.record({
    params: fc.array(id, { minLength: placeholders, maxLength: placeholders }),
    query: fc.oneof(fc.constant([]), fc.array(fc.tuple(fc.constantFrom(...names), TEXT), { maxLength: 3 })),
    headers: fc.record(
      {
        'idempotency-key': fc.oneof(fc.constantFrom('a', 'b'), HEADER),
        'x-request-id': HEADER,
        accept: fc.constantFrom('*/*', 'text/csv', 'image/png'),
      },
      { requiredKeys: [] },
    ),
    body: bodyOf(route),
    caller: fc.constantFrom('owner' as const, 'owner' as const, 'owner' as const, 'nobody' as const),
  })
}

/** The caller that the route is for. */
async function ownerOf({ auth, responses }: Route): Promise<Client> {
  // A stream would not end.
  if (responses.some(({ contentType }) => contentType === 'text/event-stream')) return server.anybody
  if (auth === 'wallet') return (await openPayer(server, merchant, 0)).app
  if (auth === 'operator') return server.operator
  if (auth === 'session') return (await signUp(server)).browser
  return auth === 'key' || auth === 'key-or-session' ? merchant.test : server.anybody
}

for (const route of TABLE) {
  test(`${route.method} ${route.path} answers every request as the OpenAPI document says`, async () => {
    const statuses = new Set<number>()
    const owner = await ownerOf(route)
    const known = await placeholdersOf(route, owner)
    const send = async (attempt: Attempt): Promise<void> => {
      let index = 0
      const path = route.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(attempt.params[index++] ?? ''))
      const query = attempt.query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
      const { headers } = attempt
      const isForm = route.bodyType === 'multipart'
      const outgoing = route.method === 'GET' ? { headers } : { headers, ...(isForm ? logoForm(attempt.body) : { body: attempt.body }) }
      const { status, text } = await (attempt.caller === 'owner' ? owner : server.anybody).request(
        route.method,
        query === '' ? path : `${path}?${query}`,
        outgoing,
      )
      assert.ok(status < 500, `${status}: ${text}`)
      statuses.add(status)
    }
    const examples = rightAttempts(route, known)
    await fc.assert(fc.asyncProperty(attemptOf(route, known), send), { numRuns: RUNS_PER_ROUTE + examples.length, examples })
    const isReached = route.responses.some(({ status }) => statuses.has(status))
    assert.ok(isReached || UNREACHED.has(route.operationId), `a good answer was seen beside ${[...statuses]}`)
  })
}

test('after all requests the ledger adds up to zero', async () => {
  for (const environment of ['live', 'test']) {
    const { body } = await server.operator.get(`/v1/operator/ledger/trial-balance?environment=${environment}`)
    assert.equal(body.balanced, true)
  }
  assert.equal((await server.anybody.get('/healthz')).status, 200)
})
