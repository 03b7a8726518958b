// The tests of payouts, lists, batches, webhooks and streams once more, against a server whose HTTP side and engine exchange
// structured clones alone.
import { describe, test } from 'node:test'
import { SERVER_PROGRAM, startServer } from '../support/server-process.ts'

process.env[SERVER_PROGRAM] = 'test/support/cloned-server.ts'

test('the server of these tests clones every command, outcome, query, answer and record', async () => {
  const server = await startServer()
  try {
    await server.line('engine messages are cloned')
  } finally {
    await server.remove()
  }
})

// Each in a suite of its own, so that hooks of one file do not run for another.
describe('payouts, cloned', async () => {
  await import('./payouts.test.ts')
})
describe('lists, cloned', async () => {
  await import('./lists.test.ts')
})
describe('batches, cloned', async () => {
  await import('./batches.test.ts')
})
describe('events, cloned', async () => {
  await import('../http/api/webhooks/events.test.ts')
})
describe('http-frames, cloned', async () => {
  await import('../http/api/stream/http-frames.test.ts')
})
describe('merchant-api, cloned', async () => {
  await import('../http/api/charges/merchant-api.test.ts')
})
