// Requests with a key at a node that has not recovered its log: a key has no result yet, and no handler of the ledger runs.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { CREDENTIALS, openFakeServer, plainRoute, type ServerWithoutEngine } from '../../../support/server-without-engine.ts'

describe('a request with a key before the log is recovered', () => {
  let server: ServerWithoutEngine

  beforeEach(async () => {
    const early = plainRoute('POST', '/early', 'public', (call) => call.answer(200, '{"early":true}'), { idempotency: 'accepted' })
    server = await openFakeServer({ closed: true, routes: [early], alwaysOpen: ['/early'] })
  })

  afterEach(() => server.http.close())

  function post(path: string): Promise<Response> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k', ...CREDENTIALS }
    return fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', headers, body: '{}' })
  }

  it('it is refused with Retry-After, and its key is as new once the log is there', async () => {
    const early = await post('/pay')
    assert.deepEqual([early.status, ((await early.json()) as { code: string }).code], [503, 'unavailable'])
    assert.ok(Number(early.headers.get('retry-after')) > 0)
    assert.deepEqual([server.calls.length, server.notes.errors], [0, []])
    server.http.open(server.core)
    const answer = post('/pay')
    while (server.engine.submitted.length === 0) await new Promise((resolve) => setImmediate(resolve))
    server.engine.settleAll()
    assert.equal((await answer).status, 201)
  })

  it('it is answered by a route that needs no log, and its key keeps nothing', async () => {
    for (let count = 0; count < 2; count++) {
      const answer = await post('/early')
      assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [200, null])
    }
    assert.deepEqual(server.notes.errors, [])
  })
})
