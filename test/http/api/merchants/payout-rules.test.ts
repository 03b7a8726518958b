// Limits of API keys and the payout policy over HTTP: what one key, and one person alone, may pay.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CreatedApiKey, KeyLimits } from '../../../../engine/contract/api-key.ts'
import type { ListedApiKey } from '../../../../engine/contract/dashboard.ts'
import type { Client } from '../../../support/client.ts'
import { type Owner, signUp } from '../../../support/dashboard-callers.ts'
import { joined } from '../../../support/member-callers.ts'
import { newKey, newTag, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'

let server: TestServer
let owner: Owner
let tag: string

before(async () => {
  server = await ownServer()
  owner = await signUp(server)
  const { client } = await keyWith(undefined)
  tag = newTag()
  await done(client.post('/v1/biz/test/wallets', { tag }))
  await done(client.post('/v1/biz/test/deposits', { amount: 1_000_000 }))
})

after(() => server.close())

async function done<Body>(asked: Promise<{ readonly status: number; readonly text: string; readonly body: Body }>): Promise<Body> {
  const { status, text, body } = await asked
  assert.ok(status < 300, text)
  return body
}

async function keyWith(limits: Partial<KeyLimits> | undefined): Promise<{ readonly client: Client; readonly key: CreatedApiKey }> {
  const body = { environment: 'test', scopes: ['disbursements.write'], label: 'Paie', ...(limits === undefined ? {} : { limits }) }
  const key = await done(owner.browser.post<CreatedApiKey>('/v1/dashboard/api-keys', body))
  return { key, client: server.anybody.with({ 'x-api-key': key.public_key, 'x-api-secret': key.secret_key }) }
}

async function outcomeOf(client: Client, amount: number): Promise<string> {
  const answer = await client.post<{ state?: string; failure_code?: string; code?: string }>(
    '/v1/biz/payouts',
    { recipient: tag, amount },
    newKey(),
  )
  return answer.body.code ?? answer.body.failure_code ?? answer.body.state ?? ''
}

const batchOf = (client: Client, amounts: readonly number[], query = '') =>
  client.post<{ items: { state: string; failure_code?: string }[]; code?: string; param?: string }>(
    `/v1/biz/payouts/batch${query}`,
    { items: amounts.map((amount) => ({ recipient: tag, amount })) },
    newKey(),
  )

async function fatesOf(client: Client, amounts: readonly number[], query = ''): Promise<(string | undefined)[]> {
  const { items } = await done(batchOf(client, amounts, query))
  return items.map(({ state, failure_code }) => failure_code ?? state)
}

describe('limits of a key', () => {
  test('a payout above the maximum of one payout fails, and failed payouts do not count for the day', async () => {
    const { client, key } = await keyWith({ payout_max: 500, day_max: 900 })
    assert.deepEqual(key.limits, { payout_max: 500, day_max: 900 })
    assert.deepEqual(
      [await outcomeOf(client, 501), await outcomeOf(client, 500), await outcomeOf(client, 401), await outcomeOf(client, 400)],
      ['key_limit_exceeded', 'paid', 'key_limit_exceeded', 'paid'],
    )
    assert.equal(await outcomeOf(client, 1), 'key_limit_exceeded')
    const other = await keyWith(undefined)
    assert.equal(await outcomeOf(other.client, 5000), 'paid', 'limits are those of one key')
  })

  test('lines of a batch and of its dry run count one after the other', async () => {
    const { client } = await keyWith({ day_max: 100 })
    assert.deepEqual(await fatesOf(client, [60, 60, 40, 1], '?dry_run=true'), ['paid', 'key_limit_exceeded', 'paid', 'key_limit_exceeded'])
    assert.deepEqual(await fatesOf(client, [60, 60, 40, 1]), ['paid', 'key_limit_exceeded', 'paid', 'key_limit_exceeded'])
    assert.equal(await outcomeOf(client, 1), 'key_limit_exceeded', 'what a batch paid counts')
  })

  test('the owner replaces both limits, lists show them, and nobody else may', async () => {
    const { client, key } = await keyWith({ payout_max: 5 })
    const path = `/v1/dashboard/api-keys/${key.id}/limits`
    const changed = await done(owner.browser.request<ListedApiKey>('PUT', path, { json: { day_max: 50 } }))
    assert.deepEqual(changed.limits, { payout_max: null, day_max: 50 })
    const { data } = await done(owner.browser.get<{ data: ListedApiKey[] }>('/v1/dashboard/api-keys?limit=100'))
    assert.deepEqual(data.find(({ id }) => id === key.id)?.limits, { payout_max: null, day_max: 50 })
    assert.deepEqual(data.find(({ limits }) => limits.payout_max === 500)?.limits, { payout_max: 500, day_max: 900 })
    assert.equal(await outcomeOf(client, 50), 'paid')
    assert.equal(await outcomeOf(client, 1), 'key_limit_exceeded')
    await done(owner.browser.request('PUT', path, { json: {} }))
    assert.equal(await outcomeOf(client, 1), 'paid', 'without limits the key pays')
    const manager = await joined(server, owner, 'manager')
    const refused = await manager.browser.request<{ code: string }>('PUT', path, { json: {} })
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_role'])
    const stranger = await signUp(server)
    assert.equal((await stranger.browser.request('PUT', path, { json: {} })).status, 404)
    for (const json of [{ day_max: 0 }, { payout_max: 1.5 }, { payout_max: '5' }, { day_max: 10 ** 13 }])
      assert.equal((await owner.browser.request('PUT', path, { json })).status, 400, JSON.stringify(json))
  })

  test('a misspelled limit is refused by name and removes none', async () => {
    const { client, key } = await keyWith({ payout_max: 5 })
    const path = `/v1/dashboard/api-keys/${key.id}/limits`
    for (const [json, param] of [
      [{ payoutMax: 9 }, 'payoutMax'],
      [{ limits: { payout_max: 9 } }, 'limits'],
    ] as const) {
      const { status, body } = await owner.browser.request<{ code: string; param: string }>('PUT', path, { json })
      assert.deepEqual([status, body.code, body.param], [400, 'unknown_field', param])
    }
    assert.equal(await outcomeOf(client, 6), 'key_limit_exceeded')
    const limited = { environment: 'test', scopes: [], limits: { payout_maximum: 5 } }
    const { status, body } = await owner.browser.post<{ code: string; param: string }>('/v1/dashboard/api-keys', limited)
    assert.deepEqual([status, body.code, body.param], [400, 'unknown_field', 'limits.payout_maximum'])
  })

  test('the sum of a day counts what the key has paid before it had the limit', async () => {
    const { client, key } = await keyWith(undefined)
    assert.deepEqual([await outcomeOf(client, 300), await fatesOf(client, [200])], ['paid', ['paid']])
    await done(owner.browser.request('PUT', `/v1/dashboard/api-keys/${key.id}/limits`, { json: { day_max: 600 } }))
    assert.deepEqual([await outcomeOf(client, 200), await outcomeOf(client, 100)], ['key_limit_exceeded', 'paid'])
  })

  test('the runs of a schedule count under the key that made it, also when the key is revoked', async () => {
    const { client, key } = await keyWith({ day_max: 100 })
    const other = await keyWith(undefined)
    const start_at = new Date(Date.now() + 86_400_000).toISOString()
    const plan = { items: [{ recipient: tag, amount: 70 }], recurrence: 'weekly', start_at }
    const { id, ...schedule } = await done(client.post<{ id: string }>('/v1/biz/payout-schedules', plan, newKey()))
    assert.ok(!('key_id' in schedule))
    const run = () => done(other.client.post<{ paid_count: number }>(`/v1/biz/test/payout-schedules/${id}/run`, {}))
    assert.equal((await run()).paid_count, 1)
    assert.equal(await outcomeOf(client, 31), 'key_limit_exceeded')
    await done(owner.browser.request('DELETE', `/v1/dashboard/api-keys/${key.id}`))
    assert.equal((await run()).paid_count, 0, 'the limit outlives the key')
  })
})

describe('the payout policy', () => {
  test('above it nothing is paid or planned by one person, with a key or a session, until the owner lifts it', async () => {
    const { client } = await keyWith(undefined)
    const policyOf = (environment: string) =>
      done(owner.browser.with({ 'x-environment': environment }).get<{ approval_above: number | null }>('/v1/dashboard/payout-policy'))
    const set = (approval_above: unknown) =>
      owner.browser.with({ 'x-environment': 'test' }).request('PUT', '/v1/dashboard/payout-policy', { json: { approval_above } })
    assert.deepEqual(await policyOf('test'), { approval_above: null })
    assert.deepEqual((await set(100)).body, { approval_above: 100 })
    assert.deepEqual([await policyOf('test'), await policyOf('live')], [{ approval_above: 100 }, { approval_above: null }])
    assert.deepEqual([await outcomeOf(client, 100), await outcomeOf(client, 101)], ['paid', 'approval_required'])
    const batch = await batchOf(client, [50, 51])
    assert.deepEqual([batch.status, batch.body.code, batch.body.param], [403, 'approval_required', 'items'])
    assert.equal((await batchOf(client, [50, 50])).status, 201)
    assert.deepEqual(await fatesOf(client, [500], '?dry_run=true'), ['paid'])
    const key = newKey()
    const payout = { recipient: tag, amount: 150 }
    assert.equal((await client.post('/v1/biz/payouts', payout, key)).status, 403)
    const start_at = new Date(Date.now() + 86_400_000).toISOString()
    const plan = { items: [{ recipient: tag, amount: 101 }], recurrence: 'once', start_at }
    const withdrawal = { amount: 101, destination: { kind: 'bank', name: 'Boutique', account: 'SN08 0001' } }
    for (const [path, json] of [
      ['/v1/biz/payout-schedules', plan],
      ['/v1/biz/withdrawals', withdrawal],
    ] as const) {
      const refused = await client.post<{ code: string }>(path, json, newKey())
      assert.deepEqual([refused.status, refused.body.code], [403, 'approval_required'], path)
    }
    assert.equal((await set(null)).status, 200)
    assert.equal((await client.post('/v1/biz/payouts', payout, key)).status, 201, 'the key has stored no refusal')
    for (const bad of [-1, 1.5, '100', undefined]) assert.equal((await set(bad)).status, 400, String(bad))
    const manager = await joined(server, owner, 'manager')
    assert.equal((await manager.browser.request('PUT', '/v1/dashboard/payout-policy', { json: { approval_above: null } })).status, 403)
  })
})
