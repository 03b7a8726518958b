// A merchant with a little money asks which tags and phones are wallets, by payouts that fail. What it learns is bounded by its budget of
// unknown recipients.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newKey } from '../../../support/server-fixture.ts'
import type { Attack } from '../attack.ts'
import { Flood } from '../flood.ts'

const CONNECTIONS = 16
const FUNDS = 1000

export const RECIPIENT_LOOK_UPS: Attack = {
  name: 'recipient-look-ups',
  title: `Pays 1 F to guessed tags on ${CONNECTIONS} connections.`,
  prepare: async ({ baseUrl, server }) => {
    const { id, live } = await server.merchant('Curieux')
    const deposit = { merchant_id: id, environment: 'live', amount: FUNDS }
    const { status, text } = await server.operator.post('/v1/operator/deposits', deposit, newKey())
    assert.equal(status, 201, text)
    return async (signal) => {
      const flood = new Flood(baseUrl, signal)
      let tried = 0
      await flood.repeat(CONNECTIONS, () => ({
        method: 'POST',
        path: '/v1/biz/payouts',
        headers: { ...live.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify({ recipient: `devine_${tried++}`, amount: 1, reference: 'x' }),
      }))
      return flood.figures
    }
  },
  judge: ({ s429 }) => (Number(s429 ?? 0) > 0 ? [] : ['no look-up was refused']),
}
