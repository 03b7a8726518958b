// A merchant without money replays its event stream from the first event, over and over, on sixteen connections.
import { newKey } from '../../../support/server-fixture.ts'
import type { Attack } from '../attack.ts'
import { Flood } from '../flood.ts'

const CONNECTIONS = 16
const BATCHES = 10
const LINES = 500
const REPLAY_MS = 500

export const STREAM_REPLAYS: Attack = {
  name: 'stream-replays',
  title: `Replays ${BATCHES * LINES} events of a merchant on ${CONNECTIONS} connections.`,
  prepare: async ({ baseUrl, server }) => {
    const { test } = await server.merchant('Sans argent')
    const items = Array.from({ length: LINES }, (_, index) => ({ recipient: 'sans_porte_monnaie', amount: 1 + index }))
    for (let count = 0; count < BATCHES; count++) await test.post('/v1/biz/payouts/batch', { items }, newKey())
    return async (signal) => {
      const flood = new Flood(baseUrl, signal)
      const headers = { ...test.headers, 'last-event-id': '0' }
      await flood.repeat(CONNECTIONS, () => ({ method: 'GET', path: '/v1/biz/events/stream', headers, endsAfterMs: REPLAY_MS }))
      return flood.figures
    }
  },
  judge: ({ s429, ended }) => (Number(s429 ?? 0) > 0 && Number(ended ?? 0) > 0 ? [] : ['no replay ran, or none was refused']),
}
