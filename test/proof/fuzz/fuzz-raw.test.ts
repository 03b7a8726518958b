// The short form of `npm run fuzz -- --raw` and `--urls`: raw connections to a server without and with HTTP threads, and addresses that
// neither the outbound client nor a server may reach.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import type { Client } from '../../support/client.ts'
import { TestServer } from '../../support/server-fixture.ts'
import { untilAttempts } from '../../support/webhook-callers.ts'
import { hostileUrls } from './hostile-urls.ts'
import { Canary, fuzzOutbound } from './outbound-fuzz.ts'
import { RAW_CASES } from './raw-cases.ts'
import { fuzzRaw } from './raw-fuzz.ts'

const SEED = 20_261_123

// Connections that are left open end by the time limits of the server, so both servers wait at once.
describe('bytes that are no proper request', { concurrency: 2 }, () => {
  for (const threads of ['0', '2']) {
    it(`bytes that are no proper request get no answer that they should not, with ${threads} HTTP threads`, async () => {
      const server = await TestServer.open({ settings: { HTTP_THREADS: threads } })
      try {
        const { failures, cases } = await fuzzRaw(server.process.port, RAW_CASES.length + 20, SEED)
        assert.deepEqual(failures, [])
        assert.ok(cases >= 100)
      } finally {
        await server.close()
      }
    })
  }
})

test('no hostile URL and no name that changes its addresses leads the outbound client to this machine', async () => {
  const { hits, failures } = await fuzzOutbound(300, 100)
  assert.deepEqual(failures, [])
  assert.equal(hits, 0)
})

test('a server takes hostile URLs of merchants or refuses them, and reaches none of them', async () => {
  const [server, canary] = [await TestServer.open(), await Canary.open()]
  try {
    const { test: client } = await server.merchant()
    let takenCount = 0
    for (const url of hostileUrls(40, canary.port)) if (await isUnreached(client, url)) takenCount++
    assert.ok(takenCount > 0, 'some are taken, because a name is looked up when it is called')
    assert.equal(canary.hits, 0)
  } finally {
    await canary.close()
    await server.close()
  }
})

/** Registers a webhook at the URL and pings it; returns false when the URL is rejected. */
async function isUnreached(client: Client, url: string): Promise<boolean> {
  const { status, body, text } = await client.post<{ id: string }>('/v1/biz/webhook-endpoints', { url, events: ['charge.succeeded'] })
  if (status === 400) return false
  assert.equal(status, 201, text)
  await client.request('POST', `/v1/biz/webhook-endpoints/${body.id}/ping`)
  const [attempt] = await untilAttempts(client, body.id, 1)
  assert.equal(attempt?.http_status, null, url)
  await client.request('DELETE', `/v1/biz/webhook-endpoints/${body.id}`)
  return true
}
