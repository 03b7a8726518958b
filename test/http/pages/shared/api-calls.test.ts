// Calls of pages to the API: what a page shows is durable before the page gets it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiCalls } from '../../../../http/pages/shared/api-calls.ts'
import { openFakeServer } from '../../../support/server-without-engine.ts'

test('a page gets what it reads once it is durable, and not before', async (context) => {
  const server = await openFakeServer()
  context.after(() => server.http.close())
  const calls = new ApiCalls()
  calls.open(server.core, server.http.endpoints)
  server.engine.isDurable = false
  let isAnswered = false
  const asking = calls
    .ask({ operationId: 'GET /things', as: null, from: { remoteAddress: '192.0.2.1', requestId: 'r' } })
    .then(({ status }) => {
      isAnswered = true
      return status
    })
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([isAnswered, server.calls.length, server.engine.waitingReads.length], [false, 1, 1])
  server.engine.waitingReads[0]?.()
  assert.equal(await asking, 200)
})
