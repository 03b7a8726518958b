// Batches over HTTP: what is taken, what is refused, the report and where its payouts are found again.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Report } from '../support/batch-lines.ts'
import type { Client } from '../support/client.ts'
import { newKey, newTag, TestServer } from '../support/server-fixture.ts'
import { ownServer, sharedServer } from '../support/shared-server.ts'

interface List<Row> {
  readonly data: readonly Row[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

interface Payout {
  readonly id: string
  readonly batch_id: string | null
  readonly reference: string
  readonly state: string
}

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const PATH = '/v1/biz/payouts/batch'

async function pay(client: Client, items: readonly unknown[], more: object = {}): Promise<Report> {
  const { status, body, text } = await client.post<Report>(PATH, { items, ...more }, newKey())
  assert.equal(status, 201, text)
  return body
}

test('each line has its own fate, and everything can be read back', async () => {
  const { test: client, ...merchant } = await server.fundedMerchant(1000)
  const tag = await server.wallet({ test: client, ...merchant })
  const items = [
    { recipient: `@${tag.toUpperCase()}`, amount: 600, reference: 'A-1', note: 'un' },
    { recipient: newTag(), amount: 10 },
    { recipient: tag, amount: 500 },
    { recipient: tag, amount: 'ten' },
    null,
    { recipient: tag, amount: 400, reference: 'A-2' },
  ]
  const report = await pay(client, items, { reference: 'PAIE' })
  assert.deepEqual(
    report.items.map(({ state, failure_code }) => failure_code ?? state),
    ['paid', 'recipient_not_found', 'insufficient_balance', 'invalid_amount', 'invalid_recipient', 'paid'],
  )
  assert.deepEqual(
    [report.state, report.reference, report.total_count, report.paid_count, report.failed_count, report.total_amount, report.paid_amount],
    ['completed', 'PAIE', 6, 2, 4, 1510, 1000],
  )
  assert.deepEqual((await client.get(`${PATH}/${report.id}`)).body, report)
  assert.deepEqual((await client.get(`${PATH}/${report.id?.toUpperCase()}`)).body, report)
  const payouts = (await client.get<List<Payout>>(`/v1/biz/payouts?batch_id=${report.id}`)).body
  const made = report.items.flatMap(({ payout_id }) => (payout_id === null ? [] : [payout_id])).reverse()
  assert.deepEqual(
    payouts.data.map(({ id }) => id),
    made,
  )
  for (const payout of payouts.data) {
    assert.equal(payout.batch_id, report.id)
    assert.deepEqual((await client.get(`/v1/biz/payouts/${payout.id}`)).body, payout)
  }
  const statement = (await client.get<List<Record<string, unknown>>>('/v1/biz/transactions?type=payout')).body.data
  assert.deepEqual(
    statement.map(({ amount, balance_after, reference, batch_id }) => [amount, balance_after, reference, batch_id]),
    [
      [-400, 0, 'A-2', report.id],
      [-600, 400, 'A-1', report.id],
    ],
  )
})

test('its payouts stand in every list of payouts, page after page', async () => {
  const merchant = await server.fundedMerchant(1000)
  const client = merchant.test
  const [awa, koffi] = [await server.wallet(merchant), await server.wallet(merchant)]
  const key = newKey()
  const items = Array.from({ length: 25 }, (_, index) => ({
    recipient: index % 5 === 0 ? koffi : awa,
    amount: 1 + index,
    reference: `L-${index % 2}`,
  }))
  const { body: report } = await client.post<Report>(PATH, { items }, key)
  const all = [...report.items].reverse().map(({ payout_id }) => payout_id)
  const rows: readonly (readonly [query: string, then: readonly unknown[]])[] = [
    ['', all],
    [`batch_id=${report.id}`, all],
    [`batch_id=${report.id}&recipient=${koffi}`, all.filter((_, at) => (24 - at) % 5 === 0)],
    [`recipient=${koffi}&reference=L-0`, all.filter((_, at) => (24 - at) % 10 === 0)],
    [`idempotency_key=${key['idempotency-key']}`, all],
    [`batch_id=${report.id}&state=failed`, []],
    [`batch_id=${report.id}&created_from=2999-01-01T00:00:00Z`, []],
  ]
  for (const [query, then] of rows) {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await client.get<List<Payout>>(`/v1/biz/payouts?limit=7&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ id }) => id))
      if (body.next_cursor === null) break
      cursor = encodeURIComponent(body.next_cursor)
    }
    assert.deepEqual(seen, then, query)
  }
})

test('a dry run needs no key, reports the same and moves nothing', async () => {
  const merchant = await server.fundedMerchant(100)
  const tag = await server.wallet(merchant)
  const items = [
    { recipient: tag, amount: 80 },
    { recipient: tag, amount: 80 },
    { recipient: tag, amount: 20 },
  ]
  const { status, body, headers } = await merchant.test.post<Report>(`${PATH}?dry_run=true`, { items, reference: 'R' })
  assert.equal(status, 200)
  assert.deepEqual([body.id, body.state, body.paid_count, body.paid_amount, body.failed_amount], [null, 'dry_run', 2, 100, 80])
  assert.ok(body.items.every(({ payout_id }) => payout_id === null))
  assert.equal((await merchant.test.get('/v1/biz/balance')).body.available, 100)
  const key = newKey()
  assert.equal((await merchant.test.post(`${PATH}?dry_run=true`, { items }, key)).status, 200)
  const real = await merchant.test.post<Report>(PATH, { items }, key)
  assert.equal(real.status, 201, 'the key of a dry run is free')
  assert.equal(headers['idempotent-replayed'], undefined)
  assert.deepEqual((await merchant.test.get<List<Payout>>('/v1/biz/payouts')).body.data.length, 3)
})

test('500 lines, and the same key gives the same bytes', async () => {
  const merchant = await server.fundedMerchant(1_000_000)
  const tag = await server.wallet(merchant)
  const items = Array.from({ length: 500 }, (_, index) => ({
    recipient: tag,
    amount: 10 + index,
    reference: `PAIE "${index}"`,
    note: 'é\n💶',
  }))
  const key = newKey()
  const first = await merchant.test.post<Report>(PATH, { items }, key)
  assert.deepEqual([first.status, first.body.paid_count], [201, 500])
  const again = await merchant.test.post<Report>(PATH, { items }, key)
  assert.equal(again.text, first.text)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  const other = await merchant.test.post(PATH, { items: items.slice(1) }, key)
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
  assert.equal((await merchant.test.get('/v1/biz/balance')).body.available, 1_000_000 - first.body.paid_amount)
})

const LINE = { recipient: 'awa', amount: 1 }
const REFUSALS: readonly (readonly [given: string, body: unknown, code: string, param: string | undefined])[] = [
  ['no lines', { items: [] }, 'items_required', 'items'],
  ['no items', {}, 'items_required', 'items'],
  ['501 lines', { items: Array.from({ length: 501 }, () => LINE) }, 'batch_too_large', 'items'],
  ['items that are no list', { items: LINE }, 'invalid_request', 'items'],
  ['items null', { items: null }, 'invalid_request', 'items'],
  ['a reference of two lines', { items: [LINE], reference: 'a\nb' }, 'invalid_request', 'reference'],
  ['a list', [LINE], 'invalid_request', undefined],
]

for (const [given, body, code, param] of REFUSALS) {
  test(`a request is rejected: ${given}`, async () => {
    const { test: client } = await server.merchant()
    const answer = await client.post(PATH, body, newKey())
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, code, param])
  })
}

test('refused: no key, no scope, another merchant’s batch, a body that is too large', async () => {
  const { id, test: client } = await server.merchant()
  const without = await client.post(PATH, { items: [LINE] })
  assert.deepEqual([without.status, without.body.code], [400, 'idempotency_key_required'])
  const noDryRun = await client.post(`${PATH}?dry_run=false`, { items: [LINE] })
  assert.deepEqual([noDryRun.status, noDryRun.body.code], [400, 'idempotency_key_required'])
  const odd = await client.post(`${PATH}?dry_run=1`, { items: [LINE] }, newKey())
  assert.deepEqual([odd.status, odd.body.code, odd.body.param], [400, 'invalid_parameter', 'dry_run'])
  const scopeless = await (await server.keyed(id, 'test', [])).post(PATH, { items: [LINE] }, newKey())
  assert.deepEqual([scopeless.status, scopeless.body.code], [403, 'insufficient_scope'])
  const report = await pay(client, [LINE])
  const stranger = await (await server.merchant()).test.get(`${PATH}/${report.id}`)
  assert.deepEqual([stranger.status, stranger.body.code], [404, 'not_found'])
  const large = await client.post(PATH, { items: [LINE], padding: 'x'.repeat(4 * 1024 * 1024) }, newKey())
  assert.deepEqual([large.status, large.body.code], [413, 'payload_too_large'])
})

test('a kill -9 in the middle of batches: those that were answered are whole, none is paid twice or in part', async () => {
  const own = await TestServer.open()
  const { dataDir } = own.process
  const merchant = await own.fundedMerchant(10_000_000)
  const tag = await own.wallet(merchant)
  const items = Array.from({ length: 200 }, () => ({ recipient: tag, amount: 1 }))
  const keys = Array.from({ length: 30 }, newKey)
  const answered = new Map<string, string>()
  let killed: Promise<void> | null = null
  const send = async (key: ReturnType<typeof newKey>): Promise<void> => {
    const { text } = await merchant.test.post(PATH, { items }, key)
    answered.set(key['idempotency-key'], text)
    if (answered.size === 5) killed = own.process.kill()
  }
  await Promise.allSettled(keys.map(send))
  await killed
  assert.ok(answered.size >= 5)
  const again = await ownServer({}, dataDir)
  const client = await again.keyed(merchant.id, 'test', ['disbursements.write'])
  const left = Number((await client.get('/v1/biz/balance')).body.available)
  assert.equal((10_000_000 - left) % 200, 0, 'whole batches only')
  for (const key of keys) {
    const { status, text } = await client.post(PATH, { items }, key)
    assert.equal(status, 201)
    const before = answered.get(key['idempotency-key'])
    if (before !== undefined) assert.equal(text, before)
  }
  assert.equal((await client.get('/v1/biz/balance')).body.available, 10_000_000 - 30 * 200)
  await again.close()
  await own.close()
})
