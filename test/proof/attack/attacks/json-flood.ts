// A merchant sends the largest JSON bodies that are read before they are refused.
import type { Attack } from '../attack.ts'
import { Flood } from '../flood.ts'

const CONNECTIONS = 8
const BODY = JSON.stringify({ items: Array.from({ length: 499 }, (_, index) => ({ recipient: 7, amount: index, note: 'n'.repeat(1500) })) })

export const JSON_FLOOD: Attack = {
  name: 'json-flood',
  title: `Sends JSON bodies of ${Math.round(BODY.length / 1024)} KiB on ${CONNECTIONS} connections, all lines malformed.`,
  prepare: async ({ baseUrl, server }) => {
    const { test } = await server.merchant('Sans argent')
    return async (signal) => {
      const flood = new Flood(baseUrl, signal)
      const headers = { ...test.headers, 'content-type': 'application/json' }
      await flood.repeat(CONNECTIONS, () => ({ method: 'POST', path: '/v1/biz/payouts/batch?dry_run=true', headers, body: BODY }))
      return flood.figures
    }
  },
  judge: ({ s200 }) => (Number(s200 ?? 0) > 0 ? [] : ['no body was read']),
}
