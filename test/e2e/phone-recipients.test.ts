// Payouts, batches, schedules and lookups by phone over HTTP: no answer shows the tag of a phone, and lookups by phone have
// their own limit.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Report } from '../support/batch-lines.ts'
import type { Client } from '../support/client.ts'
import { type Merchant, newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

interface List {
  readonly data: readonly Record<string, unknown>[]
}

interface Known {
  readonly merchant: Merchant
  readonly client: Client
  readonly tag: string
  readonly phone: string
}

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const SCHEDULES = '/v1/biz/payout-schedules'
const DRY_RUN = '/v1/biz/payouts/batch?dry_run=true'
const CHECK = '/v1/biz/payouts/check-recipient'
const HOUR_MS = 3_600_000

async function known(): Promise<Known> {
  const merchant = await server.fundedMerchant(10_000)
  const tag = newTag()
  const { body } = await merchant.test.post<{ phone: string }>('/v1/biz/test/wallets', { tag })
  return { merchant, client: merchant.test, tag, phone: body.phone }
}

const unknownPhones = (count: number): string[] => Array.from({ length: count }, (_, index) => `+22500999${10_000 + index}`)
const linesTo = (recipients: readonly string[]): object => ({ items: recipients.map((recipient) => ({ recipient, amount: 1 })) })

test('a phone is a recipient wherever a tag is, and nothing that is read back shows its tag', async () => {
  const { client, tag, phone } = await known()
  const { body: payout } = await client.post('/v1/biz/payouts', { recipient: phone, amount: 100, reference: 'P' }, newKey())
  assert.deepEqual([payout.state, payout.recipient], ['paid', phone])
  const items = [
    { recipient: phone, amount: 10 },
    { recipient: `@${tag.toUpperCase()}`, amount: 10 },
    { recipient: phone, amount: 10 },
  ]
  const { body: dryRun } = await client.post<Report & { warnings: object }>(DRY_RUN, { items })
  assert.deepEqual(dryRun.warnings, [{ index: 2, code: 'duplicate_line' }])
  const { body: batch } = await client.post<Report & { warnings: object }>(
    '/v1/biz/payouts/batch',
    { items: [items[0], items[2]] },
    newKey(),
  )
  assert.deepEqual([batch.paid_count, batch.warnings], [2, [{ index: 1, code: 'duplicate_line' }]])
  const plan = { recurrence: 'once', start_at: new Date(Date.now() + HOUR_MS).toISOString(), ...linesTo([phone]) }
  const { body: schedule } = await client.post<{ id: string; warnings: object }>(SCHEDULES, plan, newKey())
  assert.deepEqual(schedule.warnings, [])
  const { body: run } = await client.post(`/v1/biz/test/payout-schedules/${schedule.id}/run`, {})
  assert.deepEqual([run.state, run.paid_count], ['completed', 1])
  const paths = [
    `/v1/biz/payouts/${payout.id}`,
    `/v1/biz/payouts?recipient=${encodeURIComponent(phone)}`,
    `/v1/biz/payouts/batch/${batch.id}`,
    `${SCHEDULES}/${schedule.id}`,
    '/v1/biz/transactions',
    `/v1/biz/transactions/${payout.transaction_id}`,
    '/v1/biz/events',
  ]
  for (const path of paths) {
    const { status, text } = await client.get(path)
    assert.equal(status, 200, `${path}: ${text}`)
    assert.ok(!text.includes(tag), `${path}: ${text}`)
    if (path !== '/v1/biz/events') assert.ok(text.includes(phone), path)
  }
  for (const path of ['/v1/biz/payouts', '/v1/biz/transactions']) {
    const { text } = await client.get(path, { headers: { accept: 'text/csv' } })
    assert.ok(text.includes(`'${phone}`) && !text.includes(tag), text)
  }
})

test('a list by recipient finds what was sent to the phone or to the tag, also where the plus is not escaped', async () => {
  const { client, tag, phone } = await known()
  for (const recipient of [phone, tag]) await client.post('/v1/biz/payouts', { recipient, amount: 100 }, newKey())
  const recipients = async (query: string): Promise<unknown[]> =>
    (await client.get<List>(`/v1/biz/payouts?recipient=${query}`)).body.data.map(({ recipient }) => recipient)
  assert.deepEqual(await recipients(encodeURIComponent(phone)), [phone])
  assert.deepEqual(await recipients(phone), [phone])
  assert.deepEqual(await recipients(`@${tag}`), [tag])
  assert.equal((await client.get('/v1/biz/payouts?recipient=%2B12')).status, 400)
})

test('an unknown phone is answered as an unknown tag, a malformed one as a malformed tag', async () => {
  const { client, merchant, phone } = await known()
  const unknown = await client.post('/v1/biz/payouts', { recipient: unknownPhones(1)[0], amount: 1 }, newKey())
  assert.deepEqual([unknown.status, unknown.body.failure_code], [201, 'recipient_not_found'])
  const foreign = await merchant.live.post('/v1/biz/payouts', { recipient: phone, amount: 1 }, newKey())
  assert.deepEqual([foreign.status, foreign.body.failure_code], [201, 'insufficient_balance'], 'it was not looked at')
  for (const recipient of ['+12', '+0221771234567', '221 77', '221771234567', '+221771234567890123']) {
    for (const [path, body] of [
      ['/v1/biz/payouts', { recipient, amount: 1 }],
      [CHECK, { recipient }],
    ] as const) {
      const refused = await client.post(path, body, newKey())
      assert.deepEqual([refused.status, refused.body.code, refused.body.param], [400, 'invalid_recipient', 'recipient'], path)
    }
  }
  assert.equal((await client.post(CHECK, {})).body.code, 'invalid_request')
})

test('a phone is checked as its tag is', async () => {
  const { client, tag, phone } = await known()
  const first = await client.post(CHECK, { recipient: phone })
  const byTag = await client.post(CHECK, { recipient: tag })
  assert.deepEqual([first.status, first.body], [200, byTag.body])
})

test('a schedule is replaced under a key, again with the same answer, and its failed run is an event', async () => {
  const { client, tag, phone } = await known()
  const plan = { recurrence: 'monthly', start_at: new Date(Date.now() + HOUR_MS).toISOString(), reference: 'PAIE', ...linesTo([tag]) }
  const { body: created } = await client.post<{ id: string; next_run_at: string }>(SCHEDULES, plan, newKey())
  const json = {
    recurrence: 'weekly',
    reference: 'PAIE-2',
    items: [
      { recipient: phone, amount: 99_999 },
      { recipient: phone, amount: 1 },
    ],
  }
  const headers = newKey()
  const path = `${SCHEDULES}/${created.id}`
  const replaced = await client.request('PUT', path, { json, headers })
  const { warnings, ...schedule } = replaced.body
  assert.deepEqual([replaced.status, warnings], [200, []])
  assert.deepEqual(
    [schedule.recurrence, schedule.reference, schedule.items_count, schedule.next_run_at],
    ['weekly', 'PAIE-2', 2, created.next_run_at],
  )
  assert.deepEqual((await client.get(path)).body, schedule)
  const again = await client.request('PUT', path, { json, headers })
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [replaced.text, 'true'])
  const reused = await client.request('PUT', path, { json: { ...json, reference: '' }, headers })
  assert.deepEqual([reused.status, reused.body.code], [422, 'idempotency_key_reused'])
  const { body: run } = await client.post(`/v1/biz/test/payout-schedules/${created.id}/run`, {})
  const { body: events } = await client.get<List>('/v1/biz/events?type=schedule.run_failed')
  assert.deepEqual(
    events.data.map(({ type, data }) => [type, data]),
    [['schedule.run_failed', { ...run, reference: 'PAIE-2' }]],
  )
  await client.post(`${path}/cancel`, {})
  const late = await client.request('PUT', path, { json })
  assert.deepEqual([late.status, late.body.code], [409, 'schedule_not_active'])
  assert.equal((await client.request('PUT', path, { json: { ...json, items: [] } })).body.code, 'items_required')
})
