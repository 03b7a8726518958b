// The short form of `npm run fuzz -- --requests`: every route survives changed requests, each answer is one that the document has,
// and the ledger adds up to zero.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { TABLE } from '../../support/api-document.ts'
import { KeyedWorldFixture } from '../../support/keyed-world.ts'
import { FUZZ_SETTINGS, fuzzRoutes } from './route-fuzz.ts'

const REQUESTS = 2500
const SEED = 20_261_123

let fixture: KeyedWorldFixture

before(async () => {
  fixture = await KeyedWorldFixture.open({ settings: FUZZ_SETTINGS })
})

after(() => fixture?.close())

test('every route answers changed requests as the OpenAPI document says, and its right request with success', async () => {
  const { sent, failures, unreached, seen } = await fuzzRoutes({ world: fixture.world, seed: SEED, requests: REQUESTS })
  assert.deepEqual(failures, [])
  assert.deepEqual(unreached, [])
  assert.ok(sent >= REQUESTS)
  const rejecting = new Set(seen.filter((pair) => / 4\d\d$/.test(pair)).map((pair) => pair.split(' ')[0]))
  const never = TABLE.filter(({ auth, operationId }) => auth !== 'public' && !rejecting.has(operationId))
  assert.deepEqual(
    never.map(({ operationId }) => operationId),
    [],
  )
})

test('after all requests the keys of the world’s merchants still authenticate', async () => {
  const { merchant, paidFor } = fixture.world
  for (const client of [merchant.live, merchant.test, paidFor.merchant.live, paidFor.merchant.test]) {
    const { status, text } = await client.get('/v1/biz/ping')
    assert.equal(status, 200, text)
  }
})

test('after all requests the ledger adds up to zero', async () => {
  for (const environment of ['live', 'test']) {
    const { body } = await fixture.server.operator.get(`/v1/operator/ledger/trial-balance?environment=${environment}`)
    assert.equal(body.balanced, true)
  }
  assert.equal((await fixture.server.anybody.get('/healthz')).status, 200)
})
