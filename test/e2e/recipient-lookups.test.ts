// Routes that show a merchant which wallets exist share one limit, besides the other rate limits.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newKey, newTag, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const DRY_RUN = '/v1/biz/payouts/batch?dry_run=true'
const LIMITED = [429, 'rate_limited']

function linesTo(tags: readonly string[]): { readonly items: readonly object[] } {
  return { items: tags.map((recipient) => ({ recipient, amount: 1 })) }
}

function unknownTags(count: number): string[] {
  return Array.from({ length: count }, newTag)
}

test('the lines of dry runs to unknown tags count together with check-recipient: 600 a minute', async () => {
  const merchant = await server.merchant()
  const { test: client } = merchant
  assert.equal((await client.post(DRY_RUN, linesTo(unknownTags(500)))).status, 200)
  const over = await client.post(DRY_RUN, linesTo(unknownTags(101)))
  assert.deepEqual([over.status, over.body.code], LIMITED)
  const wait = Number(over.headers['retry-after'])
  assert.ok(wait >= 1 && wait <= 60, String(wait))
  assert.equal((await client.post(DRY_RUN, linesTo(unknownTags(100)))).status, 200, 'a refused one is not counted')
  const check = await client.post('/v1/biz/payouts/check-recipient', { recipient: newTag() })
  assert.deepEqual([check.status, check.body.code], LIMITED)
  assert.equal((await merchant.live.post(DRY_RUN, linesTo(unknownTags(500)))).status, 200, 'the other environment has its own count')
})

test('at the limit a dry run is refused for known tags too, so that the rejection does not show whether a tag exists', async () => {
  const merchant = await server.merchant()
  const known = await server.wallet(merchant)
  for (const count of [500, 100]) assert.equal((await merchant.test.post(DRY_RUN, linesTo(unknownTags(count)))).status, 200)
  const refused = await merchant.test.post(DRY_RUN, linesTo([known]))
  assert.deepEqual([refused.status, refused.body.code], LIMITED)
})

test('lines to known tags and malformed lines count nothing', async () => {
  const merchant = await server.merchant()
  const known = await server.wallet(merchant)
  const items = Array.from({ length: 500 }, (_, index) => ({
    recipient: index % 2 === 0 ? known : newTag(),
    amount: index % 2 === 0 ? 1 : 1.5,
  }))
  for (let sent = 0; sent < 4; sent++) assert.equal((await merchant.test.post(DRY_RUN, { items })).status, 200)
})

test('mandate requests for unknown tags count as lookups, and at the limit every request is refused', async () => {
  const merchant = await server.merchant()
  const known = await server.wallet(merchant)
  const ask = (customer_tag: string) => merchant.test.post('/v1/biz/mandates', { customer_tag, amount: 100, interval: 'monthly' }, newKey())
  for (const count of [500, 98]) assert.equal((await merchant.test.post(DRY_RUN, linesTo(unknownTags(count)))).status, 200)
  for (let sent = 0; sent < 2; sent++) assert.equal((await ask(newTag())).status, 404)
  for (const tag of [newTag(), known]) {
    const over = await ask(tag)
    assert.deepEqual([over.status, over.body.code], LIMITED)
  }
})
