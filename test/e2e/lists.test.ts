// Lists over HTTP: filters, pages, cursors, times, CSV.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Answer, Client } from '../support/client.ts'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

interface Payout {
  readonly id: string
  readonly recipient: string
  readonly amount: number
  readonly state: string
  readonly reference: string
  readonly created_at: string
}

interface List<Row> {
  readonly data: readonly Row[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

let server: TestServer

before(async () => {
  server = await sharedServer()
})

async function pay(client: Client, recipient: string, amount: number, more: object = {}, key = newKey()): Promise<Payout> {
  const answer = await client.post<Payout>('/v1/biz/payouts', { recipient, amount, ...more }, key)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function walk<Row>(client: Client, path: string, limit: number): Promise<Row[]> {
  const seen: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer: Answer<List<Row>> = await client.get<List<Row>>(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${from}`)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.has_more, answer.body.next_cursor !== null)
    assert.ok(answer.body.data.length === limit || answer.body.next_cursor === null, 'only the last page is short')
    seen.push(...answer.body.data)
    cursor = answer.body.next_cursor
  }
  return seen
}

test('pages of every size show the same payouts, newest first', async () => {
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  const payouts: Payout[] = []
  for (let index = 0; index < 23; index++) payouts.unshift(await pay(merchant.test, tag, index + 1))
  for (const limit of [1, 7, 22, 23, 24, 100])
    assert.deepEqual(await walk(merchant.test, '/v1/biz/payouts', limit), payouts, `limit ${limit}`)
  const first = await merchant.test.get<List<Payout>>('/v1/biz/payouts')
  assert.deepEqual([first.body.data.length, first.body.has_more], [20, true])
})

test('a page does not shift when new payouts come', async () => {
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  const [one, two, three] = [await pay(merchant.test, tag, 1), await pay(merchant.test, tag, 2), await pay(merchant.test, tag, 3)]
  const first = await merchant.test.get<List<Payout>>('/v1/biz/payouts?limit=2')
  await pay(merchant.test, tag, 4)
  const second = await merchant.test.get<List<Payout>>(`/v1/biz/payouts?limit=2&cursor=${encodeURIComponent(first.body.next_cursor ?? '')}`)
  assert.deepEqual([...first.body.data, ...second.body.data], [three, two, one])
})

test('each filter works, and filters work together', async () => {
  const merchant = await server.fundedMerchant(1000)
  const [awa, koffi] = [await server.wallet(merchant), await server.wallet(merchant)]
  const key = newKey()
  const a = await pay(merchant.test, awa, 1, { reference: 'PAIE é&1' }, key)
  const b = await pay(merchant.test, koffi, 2, { reference: 'PAIE é&1' })
  const c = await pay(merchant.test, awa, 3)
  const d = await pay(merchant.test, newTag(), 4, { reference: 'autre' })
  const list = async (query: string): Promise<readonly Payout[]> => {
    const answer = await merchant.test.get<List<Payout>>(`/v1/biz/payouts?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const reference = encodeURIComponent('PAIE é&1')
  const rows: readonly (readonly [query: string, then: readonly Payout[]])[] = [
    ['state=paid', [c, b, a]],
    ['state=failed', [d]],
    [`recipient=${awa}`, [c, a]],
    [`recipient=%40${awa.toUpperCase()}`, [c, a]],
    [`recipient=${newTag()}`, []],
    [`reference=${reference}`, [b, a]],
    [`reference=${reference}&recipient=${koffi}`, [b]],
    [`reference=${reference}&state=failed`, []],
    [`recipient=${awa}&state=paid&limit=1`, [c]],
    [`idempotency_key=${key['idempotency-key']}`, [a]],
    [`idempotency_key=${key['idempotency-key']}&state=failed`, []],
    [`idempotency_key=${key['idempotency-key']}&recipient=${koffi}`, []],
    ['idempotency_key=never-used', []],
    ['batch_id=01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f', []],
    ['schedule_id=01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f', []],
    [
      `created_from=${c.created_at}&created_to=${new Date(Date.parse(d.created_at) + 1).toISOString()}&recipient=${awa}`,
      c.created_at === a.created_at ? [c, a] : [c],
    ],
    [`created_to=${a.created_at}`, []],
    ['created_from=2999-01-01T00:00:00Z', []],
    ['created_to=1999-01-01T00:00:00Z', []],
    ['created_from=1999-01-01T00:00:00Z&created_to=2999-01-01T00:00:00Z', [d, c, b, a]],
  ]
  for (const [query, then] of rows) assert.deepEqual(await list(query), then, query)
})

const REFUSED: readonly (readonly [path: string, param: string])[] = [
  ['/v1/biz/payouts?limit=0', 'limit'],
  ['/v1/biz/payouts?limit=101', 'limit'],
  ['/v1/biz/payouts?cursor=nonsense', 'cursor'],
  ['/v1/biz/payouts?colour=red', 'colour'],
  ['/v1/biz/payouts?state=pending', 'state'],
  ['/v1/biz/payouts?state=', 'state'],
  ['/v1/biz/payouts?state=paid&state=paid', 'state'],
  ['/v1/biz/payouts?created_from=yesterday', 'created_from'],
  ['/v1/biz/transactions?type=payouts', 'type'],
  ['/v1/biz/transactions?state=paid', 'state'],
  ['/v1/biz/balance?environment=test', 'environment'],
  ['/v1/biz/ping?x', 'x'],
]

test('what is refused of a query', async () => {
  const merchant = await server.merchant()
  for (const [path, param] of REFUSED) {
    const answer = await merchant.test.get(path)
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'invalid_parameter', param], path)
  }
})

test('a cursor of another kind of list is refused', async () => {
  const merchant = await server.merchant()
  await server.merchant()
  const merchants = await server.operator.get<List<unknown>>('/v1/operator/merchants?limit=1')
  const cursor = encodeURIComponent(merchants.body.next_cursor ?? '')
  for (const path of ['payouts', 'transactions', 'payouts?idempotency_key=k']) {
    const answer = await merchant.test.get(`/v1/biz/${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`)
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'invalid_parameter', 'cursor'], path)
  }
})

test('a cursor belongs to its list, its filters and its caller, and tells nothing', async () => {
  const merchant = await server.fundedMerchant(1000)
  const other = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  for (let index = 0; index < 3; index++) await pay(merchant.test, tag, 1)
  const page = await merchant.test.get<List<Payout>>('/v1/biz/payouts?state=paid&limit=1')
  const cursor = page.body.next_cursor ?? assert.fail()
  assert.equal((await merchant.test.get(`/v1/biz/payouts?state=paid&limit=2&cursor=${cursor}`)).status, 200)
  const refused = [
    [merchant.test, `/v1/biz/payouts?limit=1&cursor=${cursor}`],
    [merchant.test, `/v1/biz/payouts?state=failed&cursor=${cursor}`],
    [merchant.test, `/v1/biz/transactions?cursor=${cursor}`],
    [other.test, `/v1/biz/payouts?state=paid&limit=1&cursor=${cursor}`],
    [merchant.live, `/v1/biz/payouts?state=paid&limit=1&cursor=${cursor}`],
    [merchant.test, `/v1/biz/payouts?state=paid&limit=1&cursor=${cursor.slice(0, -2)}`],
  ] as const
  for (const [caller, path] of refused) {
    const answer = await caller.get(path)
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, 'invalid_parameter', 'cursor'], path)
  }
  assert.doesNotMatch(Buffer.from(cursor, 'base64url').toString('latin1'), /p[0-9]{4}/)
  const again = await merchant.test.get<List<Payout>>('/v1/biz/payouts?state=paid&limit=1')
  assert.notEqual(again.body.next_cursor, cursor)
})

test('the list of transactions has every line once, with signs, chained balances and filters', async () => {
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  for (let index = 1; index <= 5; index++) await pay(merchant.test, tag, index, { reference: index % 2 === 0 ? 'PAIR' : '' })
  interface Line {
    readonly type: string
    readonly amount: number
    readonly balance_after: number
  }
  const lines = await walk<Line>(merchant.test, '/v1/biz/transactions', 4)
  assert.deepEqual(
    lines.map(({ amount }) => amount),
    [-5, -4, -3, -2, -1, 1000],
  )
  let balance = 0
  for (const { amount, balance_after } of [...lines].reverse()) {
    balance += amount
    assert.equal(balance_after, balance)
  }
  assert.deepEqual(
    (await walk<Line>(merchant.test, '/v1/biz/transactions?type=deposit', 2)).map(({ amount }) => amount),
    [1000],
  )
  assert.deepEqual(
    (await walk<Line>(merchant.test, '/v1/biz/transactions?reference=PAIR', 1)).map(({ amount }) => amount),
    [-4, -2],
  )
  assert.deepEqual(await walk<Line>(merchant.test, '/v1/biz/transactions?reference=PAIR&type=deposit', 1), [])
})

test('transactions as CSV are all of them under the same filters, and spreadsheets run nothing', async () => {
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  for (let index = 0; index < 30; index++) await pay(merchant.test, tag, 1, { reference: index === 0 ? '=1+1,"x"' : '' })
  const csv = await merchant.test.get('/v1/biz/transactions?type=payout', { headers: { accept: 'text/csv' } })
  assert.equal(csv.status, 200)
  assert.match(csv.headers['content-type'] ?? '', /^text\/csv/)
  const lines = csv.text.split('\r\n')
  assert.equal(lines.length, 32)
  assert.equal(lines[0], 'id,type,amount,balance_after,currency,reference,counterparty,charge_id,payout_id,batch_id,fee_of,created_at')
  assert.match(lines[30] ?? '', /,payout,-1,999,XOF,"'=1\+1,""x""",/)
  assert.equal(csv.headers.link, undefined)
})

test('a CSV in parts has a link to the next part', async () => {
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  for (let index = 1; index <= 5; index++) await pay(merchant.test, tag, index)
  const amounts: string[] = []
  let path: string | null = '/v1/biz/transactions?limit=2&type=payout'
  let parts = 0
  while (path !== null) {
    const part: Answer = await merchant.test.get(path, { headers: { accept: 'text/csv' } })
    assert.equal(part.status, 200, part.text)
    amounts.push(
      ...part.text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[2] ?? ''),
    )
    path = /^<([^>]+)>; rel="next"$/.exec(part.headers.link ?? '')?.[1] ?? null
    parts++
  }
  assert.deepEqual(amounts, ['-5', '-4', '-3', '-2', '-1'])
  assert.equal(parts, 3)
})

test('CSV of an account without transactions is its header', async () => {
  const merchant = await server.merchant()
  const csv = await merchant.test.get('/v1/biz/transactions', { headers: { accept: 'text/csv' } })
  assert.equal(csv.text.split('\r\n').length, 2)
})
