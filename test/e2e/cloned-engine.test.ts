// The tests of payouts, lists, batches, webhooks and streams once more, against a server whose HTTP side and engine exchange
// structured clones alone.
import { test } from 'node:test'
import { SERVER_PRELOAD, startServer } from '../support/server-process.ts'

process.env[SERVER_PRELOAD] = 'test/support/cloning-engine.ts'

test('the server of these tests clones every command, outcome, query, answer and record', async () => {
  const server = await startServer()
  try {
    await server.line('engine messages are cloned')
  } finally {
    await server.remove()
  }
})

await import('./payouts.test.ts')
await import('./lists.test.ts')
await import('./batches.test.ts')
await import('../http/api/webhooks/events.test.ts')
await import('../http/api/stream/http-frames.test.ts')
await import('../http/api/charges/merchant-api.test.ts')
