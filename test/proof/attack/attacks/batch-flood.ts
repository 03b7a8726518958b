// Two merchants without money send batches of 500 lines to a tag that has no wallet, over more connections than a turn takes batches.
import { randomUUID } from 'node:crypto'
import type { Merchant } from '../../../support/server-fixture.ts'
import type { Attack } from '../attack.ts'
import { Flood } from '../flood.ts'

const LINES = 500
const MERCHANTS = 2
const CONNECTIONS_EACH = 8
const BODY = JSON.stringify({
  reference: 'salaires',
  items: Array.from({ length: LINES }, (_, index) => ({
    recipient: 'sans_porte_monnaie',
    amount: 100 + index,
    reference: `ligne ${index}`,
  })),
})

export const BATCH_FLOOD: Attack = {
  name: 'batch-flood',
  title: `Keeps ${MERCHANTS * CONNECTIONS_EACH} batches of ${LINES} lines under way, of ${MERCHANTS} merchants without money.`,
  prepare: async ({ baseUrl, server }) => {
    const merchants: Merchant[] = []
    for (let count = 0; count < MERCHANTS; count++) merchants.push(await server.merchant('Sans argent'))
    return async (signal) => {
      const flood = new Flood(baseUrl, signal)
      const floods = merchants.map(({ test }) =>
        flood.repeat(CONNECTIONS_EACH, () => ({
          method: 'POST',
          path: '/v1/biz/payouts/batch',
          headers: { ...test.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          body: BODY,
        })),
      )
      await Promise.all(floods)
      return flood.figures
    }
  },
  judge: ({ s201 }) => (Number(s201 ?? 0) > 0 ? [] : ['no batch was taken']),
}
