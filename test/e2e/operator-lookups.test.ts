// What the operator looks up through the API: a merchant's keys, wallets by tag and phone.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Merchant, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await sharedServer()
  merchant = await server.merchant()
})

interface List {
  readonly data: readonly Record<string, unknown>[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

test('keys of a merchant are listed newest first, page by page, without what is secret', async () => {
  const path = `/v1/operator/merchants/${merchant.id}/api-keys`
  await server.keyed(merchant.id, 'test', [])
  const all = await server.operator.get<List>(path)
  assert.deepEqual(
    all.body.data.map(({ environment, scopes }) => [environment, (scopes as string[]).length]),
    [
      ['test', 0],
      ['live', 2],
      ['test', 2],
    ],
  )
  for (const word of ['secret', 'hash', 'sk_']) assert.ok(!all.text.includes(word), word)
  const first = await server.operator.get<List>(`${path}?limit=2`)
  assert.deepEqual([first.body.data, first.body.has_more], [all.body.data.slice(0, 2), true])
  const second = await server.operator.get<List>(`${path}?limit=2&cursor=${first.body.next_cursor}`)
  assert.deepEqual([second.body.data, second.body.next_cursor], [all.body.data.slice(2), null])
  assert.deepEqual((await server.operator.get(`/v1/operator/merchants/${merchant.id.toUpperCase()}/api-keys`)).body, all.body)
  const other = await server.merchant()
  const others = await server.operator.get<List>(`/v1/operator/merchants/${other.id}/api-keys`)
  assert.ok(!others.body.data.some(({ id }) => all.body.data.some((mine) => mine.id === id)))
})

test('the keys of an unknown merchant are not found', async () => {
  for (const id of ['01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f', 'x']) {
    assert.equal((await server.operator.get(`/v1/operator/merchants/${id}/api-keys`)).status, 404)
  }
  assert.equal((await merchant.test.get(`/v1/operator/merchants/${merchant.id}/api-keys`)).status, 401)
  const wrong = await server.operator.get(`/v1/operator/merchants/${merchant.id}/api-keys?cursor=zz`)
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_parameter'])
})

test('a wallet is found by tag and by phone, with what it holds', async () => {
  const tag = newTag()
  const made = await merchant.test.post<{ phone: string }>('/v1/biz/test/wallets', { tag })
  await merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 70 })
  const find = async (query: string): Promise<List> => {
    const answer = await server.operator.get<List>(`/v1/operator/wallets?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const byTag = await find(`q=${tag}`)
  assert.deepEqual([byTag.data.length, byTag.has_more, byTag.next_cursor], [1, false, null])
  const { id, ...rest } = byTag.data[0] ?? {}
  assert.match(String(id), /^[0-9a-f-]{36}$/)
  const names = { family_name: rest.family_name, given_name: rest.given_name }
  assert.deepEqual(rest, {
    tag,
    phone: made.body.phone,
    ...names,
    environment: 'test',
    blocked: false,
    block_reason: null,
    available: 70,
    pending: 0,
  })
  assert.deepEqual(await find(`q=@${tag.toUpperCase()}`), byTag)
  assert.deepEqual(await find(`q=${encodeURIComponent(made.body.phone)}`), byTag)
  assert.deepEqual(await find(`q=${tag}&environment=test`), byTag)
  for (const nobody of [`q=${tag}&environment=live`, `q=${newTag()}`, 'q=%2B22999999999'])
    assert.deepEqual((await find(nobody)).data, [], nobody)
})

test('what is no tag and no phone', async () => {
  for (const query of [
    '',
    '?q=',
    '?q=a',
    '?q=%2B12',
    '?q=awa%20diallo',
    `?q=${'a'.repeat(21)}`,
    '?q=awa&environment=staging',
    '?tag=awa',
  ]) {
    const answer = await server.operator.get(`/v1/operator/wallets${query}`)
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_parameter'], query)
  }
  assert.equal((await server.anybody.get('/v1/operator/wallets?q=awa')).status, 401)
})
