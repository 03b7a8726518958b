// Payout schedules over HTTP: what is taken, what is refused, real runs at their time, and a server that was down.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Report } from '../support/batch-lines.ts'
import type { Client } from '../support/client.ts'
import { lookAgain, untilClock } from '../support/look-again.ts'
import { type Merchant, newKey, newTag, TestServer } from '../support/server-fixture.ts'
import { ownServer, sharedServer } from '../support/shared-server.ts'

interface List<Row> {
  readonly data: readonly Row[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

interface Schedule {
  readonly id: string
  readonly state: string
  readonly items: readonly object[]
  readonly next_run_at: string | null
  readonly last_run_at: string | null
  readonly runs_count: number
  readonly created_at: string
}

interface Run {
  readonly id: string
  readonly scheduled_for: string
  readonly executed_at: string
  readonly state: string
  readonly batch_id: string
  readonly paid_count: number
}

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const PATH = '/v1/biz/payout-schedules'
const HOUR_MS = 3_600_000

const later = (ms: number): string => new Date(Date.now() + ms).toISOString()

async function create(client: Client, body: object): Promise<Schedule> {
  const answer = await client.post<Schedule>(PATH, { recurrence: 'weekly', start_at: later(HOUR_MS), ...body }, newKey())
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Asks again until there is a run; the runner's timeout is the end of it. */
async function firstRun(client: Client, id: string): Promise<Run> {
  for (;;) {
    const { body } = await client.get<List<Run>>(`${PATH}/${id}/runs`)
    const [run] = body.data
    if (run !== undefined) return run
    await lookAgain()
  }
}

async function funded(amount: number): Promise<{ readonly merchant: Merchant; readonly client: Client; readonly tag: string }> {
  const merchant = await server.fundedMerchant(amount)
  return { merchant, client: merchant.test, tag: await server.wallet(merchant) }
}

test('a schedule as it is created, read, listed', async () => {
  const { client, tag } = await funded(1)
  const start = `${later(HOUR_MS).slice(0, 19)}+00:00`
  const body = {
    recurrence: 'monthly',
    start_at: start,
    reference: 'PAIE',
    items: [
      { recipient: `@${tag.toUpperCase()}`, amount: 5, note: 'n' },
      { recipient: 'absente', amount: 7, reference: 'r' },
    ],
  }
  const created = await create(client, body)
  const { id, created_at, ...rest } = created
  const startAt = new Date(Date.parse(start)).toISOString()
  assert.deepEqual(rest, {
    state: 'active',
    recurrence: 'monthly',
    start_at: startAt,
    reference: 'PAIE',
    items: [
      { recipient: tag, amount: 5, reference: '', note: 'n' },
      { recipient: 'absente', amount: 7, reference: 'r', note: '' },
    ],
    items_count: 2,
    total_amount: 12,
    currency: 'XOF',
    environment: 'test',
    next_run_at: startAt,
    last_run_at: null,
    runs_count: 0,
    cancelled_at: null,
    warnings: [{ index: 1, code: 'recipient_not_found' }],
  })
  const { warnings: _, ...read } = created as Schedule & { readonly warnings: object }
  assert.deepEqual((await client.get(`${PATH}/${id}`)).body, read)
  assert.deepEqual((await client.get<List<Run>>(`${PATH}/${id}/runs`)).body, { data: [], has_more: false, next_cursor: null })
})

test('it runs at its time, within seconds, and a wallet’s payout says by what', async () => {
  const { client, tag } = await funded(100)
  const { id } = await create(client, {
    recurrence: 'once',
    start_at: later(1500),
    reference: 'PAIE',
    items: [
      { recipient: tag, amount: 60 },
      { recipient: tag, amount: 60 },
    ],
  })
  const run = await firstRun(client, id)
  const lateMs = Date.parse(run.executed_at) - Date.parse(run.scheduled_for)
  assert.ok(lateMs >= 0 && lateMs < 5000, `${lateMs} ms late`)
  assert.equal(run.state, 'partial')
  const report = (await client.get<Report>(`/v1/biz/payouts/batch/${run.batch_id}`)).body
  assert.deepEqual(
    report.items.map(({ state, failure_code, reference }) => [failure_code ?? state, reference]),
    [
      ['paid', 'PAIE'],
      ['insufficient_balance', 'PAIE'],
    ],
  )
  const payouts = (await client.get<List<Record<string, unknown>>>(`/v1/biz/payouts?schedule_id=${id}`)).body.data
  assert.deepEqual(
    payouts.map(({ batch_id, schedule_id, state }) => [batch_id, schedule_id, state]),
    [
      [run.batch_id, id, 'failed'],
      [run.batch_id, id, 'paid'],
    ],
  )
  const schedule = (await client.get<Schedule>(`${PATH}/${id}`)).body
  assert.deepEqual(
    [schedule.state, schedule.next_run_at, schedule.last_run_at, schedule.runs_count],
    ['completed', null, run.executed_at, 1],
  )
})

test('missed while the server was down, by kill -9: it runs once, late', async () => {
  const own = await TestServer.open()
  const merchant = await own.fundedMerchant(1000)
  const tag = await own.wallet(merchant)
  const startAt = later(1200)
  const { id } = await create(merchant.test, { recurrence: 'weekly', start_at: startAt, items: [{ recipient: tag, amount: 10 }] })
  await own.process.kill()
  await untilClock(Date.parse(startAt) + 200)
  for (const ends of ['kill', 'close'] as const) {
    const { dataDir } = own.process
    const again = ends === 'kill' ? await TestServer.open({ dataDir }) : await ownServer({}, dataDir)
    const client = await again.keyed(merchant.id, 'test', ['disbursements.write'])
    const run = await firstRun(client, id)
    assert.ok(Date.parse(run.executed_at) > Date.parse(startAt))
    const { runs_count, next_run_at } = (await client.get<Schedule>(`${PATH}/${id}`)).body
    assert.deepEqual([runs_count, next_run_at], [1, new Date(Date.parse(startAt) + 7 * 24 * HOUR_MS).toISOString()])
    assert.equal((await client.get('/v1/biz/balance')).body.available, 990)
    if (ends === 'kill') await again.process.kill()
    await again.close()
  }
  await own.close()
})

test('the test helper takes the next occurrence now; live keys may not', async () => {
  const { merchant, client, tag } = await funded(100)
  const { id, next_run_at } = await create(client, { items: [{ recipient: tag, amount: 10 }] })
  const run = await client.post<Run>(`/v1/biz/test/payout-schedules/${id}/run`, {})
  assert.deepEqual([run.status, run.body.scheduled_for, run.body.state, run.body.paid_count], [200, next_run_at, 'completed', 1])
  const after = (await client.get<Schedule>(`${PATH}/${id}`)).body
  assert.equal(Date.parse(after.next_run_at ?? '') - Date.parse(next_run_at ?? ''), 7 * 24 * HOUR_MS)
  const live = await merchant.live.post(`/v1/biz/test/payout-schedules/${id}/run`, {})
  assert.deepEqual([live.status, live.body.code], [403, 'test_only'])
})

test('a schedule is paused, resumed and cancelled, also again and after its end', async () => {
  const { client, tag } = await funded(100)
  const items = [{ recipient: tag, amount: 10 }]
  const move = async (id: string, verb: string): Promise<unknown> => {
    const { status, body } = await client.post<Schedule & { code?: string }>(`${PATH}/${id}/${verb}`, {})
    return status === 200 ? body.state : [status, body.code]
  }
  const one = await create(client, { items })
  for (const [verb, then] of [
    ['pause', 'paused'],
    ['pause', 'paused'],
    ['resume', 'active'],
    ['resume', 'active'],
    ['cancel', 'cancelled'],
    ['cancel', 'cancelled'],
    ['pause', [409, 'schedule_not_active']],
    ['resume', [409, 'schedule_not_active']],
  ] as const) {
    assert.deepEqual(await move(one.id, verb), then, verb)
  }
  const two = await create(client, { recurrence: 'once', items })
  await client.post(`/v1/biz/test/payout-schedules/${two.id}/run`, {})
  for (const verb of ['pause', 'resume', 'cancel']) assert.deepEqual(await move(two.id, verb), [409, 'schedule_not_active'])
  const again = await client.post(`/v1/biz/test/payout-schedules/${two.id}/run`, {})
  assert.deepEqual([again.status, again.body.code], [409, 'schedule_not_active'])
})

test('schedules are listed newest first, by state as it is now, finished ones included, page after page', async () => {
  const { client, tag } = await funded(100)
  const items = [{ recipient: tag, amount: 1 }]
  const made: Schedule[] = []
  for (let count = 0; count < 9; count++) made.push(await create(client, { recurrence: count === 4 ? 'once' : 'weekly', items }))
  for (const at of [1, 5, 7]) await client.post(`${PATH}/${made[at]?.id}/cancel`, {})
  await client.post(`${PATH}/${made[3]?.id}/pause`, {})
  await client.post(`/v1/biz/test/payout-schedules/${made[4]?.id}/run`, {})
  const list = async (query: string): Promise<number[]> => {
    const seen: number[] = []
    for (let cursor = ''; ; ) {
      const { body, text } = await client.get<List<Schedule>>(
        `${PATH}?limit=2&${query}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      assert.ok(body.data.length <= 2, text)
      seen.push(...body.data.map(({ id }) => made.findIndex((schedule) => schedule.id === id)))
      if (body.next_cursor === null) return seen
      cursor = body.next_cursor
    }
  }
  assert.deepEqual(await list(''), [8, 7, 6, 5, 4, 3, 2, 1, 0])
  assert.deepEqual(await list('state=cancelled'), [7, 5, 1])
  assert.deepEqual(await list('state=active'), [8, 6, 2, 0])
  assert.deepEqual(await list('state=paused'), [3])
  assert.deepEqual(await list('state=completed'), [4])
  assert.deepEqual(await list(`created_to=${made[0]?.created_at}`), [])
  const one = (await client.get<List<Schedule>>(`${PATH}?state=completed`)).body.data[0]
  assert.deepEqual(one, (await client.get(`${PATH}/${made[4]?.id}`)).body)
  const bad = await client.get(`${PATH}?state=done`)
  assert.deepEqual([bad.status, bad.body.code, bad.body.param], [400, 'invalid_parameter', 'state'])
})

const LINE = { recipient: 'awa', amount: 1 }
const REFUSALS: readonly (readonly [given: string, change: object, code: string, param: string])[] = [
  ['a start in the past', { start_at: '2020-01-01T00:00:00Z' }, 'invalid_start_at', 'start_at'],
  ['a start that is no time', { start_at: 'tomorrow' }, 'invalid_request', 'start_at'],
  ['a day that does not exist', { start_at: '2027-02-29T00:00:00Z' }, 'invalid_request', 'start_at'],
  ['a start beyond all years', { start_at: '9999-12-31T23:59:59-01:00' }, 'invalid_request', 'start_at'],
  ['no start', { start_at: undefined }, 'invalid_request', 'start_at'],
  ['an unknown recurrence', { recurrence: 'daily' }, 'invalid_request', 'recurrence'],
  ['no recurrence', { recurrence: undefined }, 'invalid_request', 'recurrence'],
  ['no lines', { items: [] }, 'items_required', 'items'],
  ['no items', { items: undefined }, 'items_required', 'items'],
  ['501 lines', { items: Array.from({ length: 501 }, () => LINE) }, 'batch_too_large', 'items'],
  ['a bad tag in a line', { items: [LINE, { ...LINE, recipient: '@@' }] }, 'invalid_request', 'items.1.recipient'],
  ['a bad amount in a line', { items: [LINE, LINE, { ...LINE, amount: 0 }] }, 'invalid_request', 'items.2.amount'],
  ['a line that is none', { items: [7] }, 'invalid_request', 'items.0'],
]

for (const [given, change, code, param] of REFUSALS) {
  test(`a request is rejected: ${given}`, async () => {
    const { test: client } = await server.merchant()
    const answer = await client.post(PATH, { recurrence: 'weekly', start_at: later(HOUR_MS), items: [LINE], ...change }, newKey())
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [400, code, param], answer.text)
  })
}

test('a request is rejected without key or scope, for another merchant’s schedule and for an unknown one', async () => {
  const { id: merchantId, test: client } = await server.merchant()
  const body = { recurrence: 'weekly', start_at: later(HOUR_MS), items: [LINE] }
  const keyless = await client.post(PATH, body)
  assert.deepEqual([keyless.status, keyless.body.code], [400, 'idempotency_key_required'])
  const { id } = await create(client, { items: [LINE] })
  const scopeless = await server.keyed(merchantId, 'test', [])
  const stranger = (await server.merchant()).test
  for (const verb of ['pause', 'resume', 'cancel']) {
    assert.equal((await scopeless.post(`${PATH}/${id}/${verb}`, {})).status, 403)
    assert.equal((await stranger.post(`${PATH}/${id}/${verb}`, {})).status, 404)
    assert.equal((await client.post(`${PATH}/01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f/${verb}`, {})).status, 404)
  }
  for (const path of [`${PATH}/${id}`, `${PATH}/${id}/runs`, `${PATH}/${newTag()}`]) assert.equal((await stranger.get(path)).status, 404)
  assert.equal((await scopeless.get(`${PATH}/${id}`)).status, 200)
})

test('the same key gives the same schedule', async () => {
  const { test: client } = await server.merchant()
  const body = { recurrence: 'weekly', start_at: later(HOUR_MS), items: [LINE] }
  const key = newKey()
  const first = await client.post(PATH, body, key)
  const again = await client.post(PATH, body, key)
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  assert.equal((await client.get<List<Schedule>>(PATH)).body.data.length, 1)
  const other = await client.post(PATH, { ...body, recurrence: 'monthly' }, key)
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
})
