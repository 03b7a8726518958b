// A deployment that keeps accounts in several currencies: who has which, what cannot be paid across them, and a trial balance of each.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { makeProduct } from '../support/bill-callers.ts'
import { METER } from '../support/bill-engine.ts'
import { openBiller } from '../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../support/biller-engine.ts'
import type { Answer, Client } from '../support/client.ts'
import { type Merchant, newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { ownServer } from '../support/shared-server.ts'
import { logIn, ok, type Person } from '../support/wallet-callers.ts'

const TEST_PIN = '2580'

let server: TestServer
let xof: Merchant
let ghs: Merchant

before(async () => {
  server = await ownServer({ CURRENCIES: 'XOF,GHS,NGN' })
  xof = await server.fundedMerchant(1_000_000)
  ghs = await merchantIn('GHS', 1_000_000)
})

after(() => server.close())

async function merchantIn(currency: string, funds: number): Promise<Merchant> {
  const made = await ok(server.operator.post('/v1/operator/merchants', { name: 'Kente', email: `${randomUUID()}@example.com`, currency }))
  const id = String(made.body.id)
  const [testKeys, live] = [
    await server.keyed(id, 'test', ['disbursements.write', 'billers.write']),
    await server.keyed(id, 'live', ['disbursements.write']),
  ]
  await ok(testKeys.post('/v1/biz/test/deposits', { amount: funds }))
  return { id, test: testKeys, live }
}

async function walletOf(merchant: Merchant, funds = 0, currency?: string): Promise<Person> {
  const made = await ok(merchant.test.post('/v1/biz/test/wallets', { tag: newTag(), ...(currency === undefined ? {} : { currency }) }))
  const person = await logIn(server.anybody, String(made.body.phone), TEST_PIN)
  if (funds > 0) await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: person.tag, amount: funds }))
  return person
}

function errorOf({ status, body }: Answer): readonly unknown[] {
  return [status, body.code, body.param]
}

function payout(client: Client, body: object): Promise<Answer> {
  return client.post('/v1/biz/payouts', body, newKey())
}

async function currencyAndBalance(client: Client, path: string): Promise<readonly unknown[]> {
  const { body } = await ok(client.get(path))
  return [body.currency, body.available]
}

test('a merchant and its test wallets have one currency, the first that is kept unless it is named', async () => {
  const { currency } = (await ok(server.operator.get(`/v1/operator/merchants/${ghs.id}`))).body
  assert.equal(currency, 'GHS')
  assert.equal((await ok(server.operator.get(`/v1/operator/merchants/${xof.id}`))).body.currency, 'XOF')
  assert.deepEqual(await currencyAndBalance(ghs.test, '/v1/biz/balance'), ['GHS', 1_000_000])
  const rows = [await walletOf(ghs), await walletOf(xof), await walletOf(xof, 0, 'NGN')]
  const seen = await Promise.all(rows.map(({ client }) => currencyAndBalance(client, '/v1/me/balance')))
  assert.deepEqual(seen, [
    ['GHS', 0],
    ['XOF', 0],
    ['NGN', 0],
  ])
})

test('a currency that is not kept is refused wherever an account is made', async () => {
  const merchant = { name: 'Kente', email: 'kente@example.com', currency: 'EUR' }
  assert.deepEqual(errorOf(await server.operator.post('/v1/operator/merchants', merchant)), [400, 'unsupported_currency', 'currency'])
  const signup = { merchant_name: 'Kente', email: 'kente@example.com', password: 'cauris au soleil de midi', currency: 'EUR' }
  assert.deepEqual(errorOf(await server.anybody.post('/v1/dashboard/signup', signup)), [400, 'unsupported_currency', 'currency'])
  const wallet = { tag: newTag(), currency: 'EUR' }
  assert.deepEqual(errorOf(await ghs.test.post('/v1/biz/test/wallets', wallet)), [400, 'unsupported_currency', 'currency'])
  const trial = await server.operator.get('/v1/operator/ledger/trial-balance?currency=EUR')
  assert.deepEqual(errorOf(trial), [400, 'invalid_parameter', 'currency'])
  const signedUp = await ok(
    server.anybody.post('/v1/dashboard/signup', { ...signup, email: `${randomUUID()}@example.com`, currency: 'NGN' }),
  )
  assert.equal((signedUp.body.merchant as { currency: string }).currency, 'NGN')
})

test('a payout and a line to a wallet of another currency fail, and others are in the currency of the account', async () => {
  const [own, other] = [await walletOf(ghs), await walletOf(xof)]
  const paid = await ok(payout(ghs.test, { recipient: own.tag, amount: 1250, currency: 'GHS' }))
  assert.deepEqual([paid.body.state, paid.body.currency], ['paid', 'GHS'])
  const failed = await ok(payout(ghs.test, { recipient: other.tag, amount: 1250 }))
  assert.deepEqual([failed.body.state, failed.body.failure_code, failed.body.currency], ['failed', 'currency_mismatch', 'GHS'])
  const items = [
    { recipient: own.tag, amount: 5 },
    { recipient: other.tag, amount: 5 },
    { recipient: own.tag, amount: 5, currency: 'XOF' },
  ]
  const report = await ok(ghs.test.post('/v1/biz/payouts/batch', { items }, newKey()))
  const lines = report.body.items as readonly { failure_code?: string; currency: string }[]
  assert.deepEqual(
    lines.map(({ failure_code, currency }) => [failure_code, currency]),
    [
      [undefined, 'GHS'],
      ['currency_mismatch', 'GHS'],
      ['unsupported_currency', 'GHS'],
    ],
  )
  const again = await ok(ghs.test.get(`/v1/biz/payouts/batch/${String(report.body.id)}`))
  assert.deepEqual(again.body, report.body)
  const statement = (await ok(own.client.get('/v1/me/transactions'))).body.data as readonly { currency: string; amount: number }[]
  assert.deepEqual(
    statement.map(({ currency, amount }) => [currency, amount]),
    [
      ['GHS', 5],
      ['GHS', 1250],
    ],
  )
})

test('a request that names another currency than the account’s is refused', async () => {
  const { tag } = await walletOf(ghs)
  const line = { recipient: tag, amount: 5 }
  const schedule = { recurrence: 'monthly', start_at: '2099-01-01T00:00:00Z', reference: 'PAIE' }
  const named = [
    await payout(ghs.test, { ...line, currency: 'XOF' }),
    await ghs.test.post('/v1/biz/charges', { amount: 5, currency: 'XOF' }, newKey()),
    await ghs.test.post('/v1/biz/top-ups', { amount: 5, currency: 'NGN' }, newKey()),
    await server.operator.post('/v1/operator/deposits', { merchant_id: ghs.id, environment: 'test', amount: 5, currency: 'XOF' }, newKey()),
    await server.operator.post('/v1/operator/deposits', { tag, environment: 'test', amount: 5, currency: 'XOF' }, newKey()),
    await server.operator.post(`/v1/operator/wallets/${tag}/tier`, { tier: null, environment: 'test', reason: 'Test', currency: 'XOF' }),
  ]
  for (const answer of named) assert.deepEqual(errorOf(answer), [400, 'unsupported_currency', 'currency'], answer.text)
  const items = [line, { ...line, currency: 'XOF' }]
  const planned = await ghs.test.post('/v1/biz/payout-schedules', { ...schedule, items }, newKey())
  assert.deepEqual(errorOf(planned), [400, 'unsupported_currency', 'items.1.currency'], planned.text)
  await ok(server.operator.post('/v1/operator/deposits', { tag, environment: 'test', amount: 5, currency: 'GHS' }, newKey()))
})

test('transfers, charges, bills and mandates across currencies are conflicts', async () => {
  const [payer, friend] = [await walletOf(ghs, 10_000), await walletOf(xof)]
  const transfer = await payer.client.post('/v1/me/transfers', { recipient: friend.tag, amount: 100, pin: TEST_PIN }, newKey())
  assert.deepEqual(errorOf(transfer).slice(0, 2), [409, 'currency_mismatch'])
  const charge = await ok(xof.test.post('/v1/biz/charges', { amount: 100 }, newKey()))
  const { token } = charge.body as { token: string }
  const paid = await payer.client.post(`/v1/me/charges/${token}/pay`, { pin: TEST_PIN }, newKey())
  assert.deepEqual(errorOf(paid).slice(0, 2), [409, 'currency_mismatch'], paid.text)
  const mandate = { customer_tag: payer.tag, amount: 100, interval: 'monthly' }
  const asked = await xof.test.post('/v1/biz/mandates', mandate, newKey())
  assert.deepEqual(errorOf(asked).slice(0, 2), [409, 'currency_mismatch'], asked.text)
  const { slug } = await openBiller(server, 'published', xof)
  await makeProduct(xof.test, 'don', GOOD_PRODUCTS.user)
  const directory = `/v1/me/directory/${slug}/products`
  const bill = await payer.client.post(`${directory}/don/pay`, { amount: 500, form_values: {}, pin: TEST_PIN }, newKey())
  assert.deepEqual(errorOf(bill).slice(0, 2), [409, 'currency_mismatch'], bill.text)
  const quote = await payer.client.post(`${directory}/facture/quote`, { form_values: { compteur: METER } })
  assert.deepEqual(errorOf(quote).slice(0, 2), [409, 'currency_mismatch'], quote.text)
  const slugsFor = async ({ client }: Person): Promise<boolean> => {
    const { body } = await ok(client.get<{ data: readonly { slug: string }[] }>('/v1/me/directory?limit=100'))
    return body.data.some((biller) => biller.slug === slug)
  }
  assert.deepEqual([await slugsFor(payer), await slugsFor(friend)], [false, true], 'the directory lists billers of the own currency')
  assert.deepEqual(await currencyAndBalance(payer.client, '/v1/me/balance'), ['GHS', 10_000])
})

test('each currency has its own trial balance, and all are balanced', async () => {
  interface Trial {
    readonly balanced: boolean
    readonly accounts: readonly { readonly type: string; readonly count: number; readonly debit: number; readonly credit: number }[]
  }
  const trial = async (query: string): Promise<Trial> =>
    (await ok(server.operator.get<Trial>(`/v1/operator/ledger/trial-balance?environment=test${query}`))).body
  const [all, inXof, inGhs] = [await trial(''), await trial('&currency=XOF'), await trial('&currency=GHS')]
  for (const { balanced, accounts } of [all, inXof, inGhs]) {
    assert.equal(balanced, true)
    assert.deepEqual(
      accounts.map(({ type }) => type),
      ['settlement', 'clearing', 'merchant', 'wallet'],
    )
  }
  const settled = [inXof, inGhs].map(({ accounts }) => accounts[0]?.debit ?? 0)
  assert.ok(settled.every((debit) => debit >= 1_000_000))
  assert.ok((all.accounts[0]?.debit ?? 0) >= settled.reduce((sum, debit) => sum + debit, 0))
})

test('limits and fees are rules of one currency', async () => {
  const rules = (of: string, currency: string) => `/v1/operator/rules/${of}?environment=test&currency=${currency}`
  const rule = { on: 'payout', percent_bp: 0, fixed: 7, borne_by: 'merchant' }
  const plans = { plans: [{ name: 'kente', rules: [rule] }], default_plan: 'kente' }
  await ok(server.operator.request('PUT', rules('fees', 'GHS'), { json: plans }))
  await ok(server.operator.request('PUT', rules('limits', 'GHS'), { json: { merchant: { charge_max: 1250 } } }))
  const fee = (merchant: Merchant): Promise<Answer> => merchant.test.get('/v1/biz/fees?on=payout&amount=100')
  assert.deepEqual([(await fee(ghs)).body.fee, (await fee(xof)).body.fee], [7, 0])
  const wallet = await walletOf(ghs)
  const paid = await payout(ghs.test, { recipient: wallet.tag, amount: 100 })
  assert.deepEqual([paid.body.state, paid.body.fee, paid.body.currency], ['paid', 7, 'GHS'])
  const report = (await ok(server.operator.get('/v1/operator/reports/fees?environment=test&currency=GHS'))).body
  assert.deepEqual([report.currency, report.amount], ['GHS', 7])
  const above = (merchant: Merchant) => merchant.test.post<{ message: string }>('/v1/biz/charges', { amount: 1251 }, newKey())
  assert.equal((await above(xof)).status, 201)
  const refused = await above(ghs)
  assert.deepEqual([refused.status, refused.body.message.includes('12,50')], [403, true])
  const trial = (await ok(server.operator.get('/v1/operator/ledger/trial-balance?environment=test&currency=GHS'))).body
  assert.equal(trial.balanced, true)
})

test('a payment file of the API has digits alone in the smallest unit, and a file in major units pays nothing', async () => {
  const { tag } = await walletOf(ghs)
  const send = async (rows: readonly string[], name = 'amount'): Promise<readonly (string | number)[]> => {
    const body = [`recipient,${name}`, ...rows.map((text) => `@${tag},"${text}"`)].join('\n')
    const sent = await ok(ghs.test.request('POST', '/v1/biz/disbursements', { body, contentType: 'text/csv', headers: newKey() }))
    const { body: list } = await ok(ghs.test.get(`/v1/biz/disbursements/${String(sent.body.id)}/lines`))
    return (list.data as LineSeen[]).map(({ state, amount, amount_readings: readings }) =>
      state === 'valid' ? amount : String(readings ?? state),
    )
  }
  assert.deepEqual(await send(['1250', '25 000']), [1250, 25_000])
  assert.deepEqual(await send(['1250', '12.50']), ['1250,00,12,50', 'invalid'])
  assert.deepEqual(await send(['1250'], 'amount (GHS)'), ['1250,00,12,50'])
  assert.deepEqual(await send(['12.00', '1,234']), ['invalid', '1 234,1,234'])
})

interface LineSeen {
  readonly state: string
  readonly amount: number
  readonly amount_readings?: readonly string[]
}
