// A flood of /metrics: strangers, who are refused, and readers with the token, who share one text a second.
import { setTimeout as delay } from 'node:timers/promises'
import type { Attack, AttackFigures } from '../attack.ts'
import { Flood } from '../flood.ts'

const TOKEN = 'metrics-token-of-the-attack'
const STRANGER = { 'x-forwarded-for': '203.0.113.9' }
/** Two requests each time: more than twice the rate that once took payouts from 2.5 to 362 ms. */
const PAUSE_MS = 15

export const METRICS_FLOOD: Attack = {
  name: 'metrics-flood',
  title: 'Asks for /metrics 120 times a second, as a stranger and with the token.',
  settings: { METRICS_TOKEN: TOKEN },
  prepare: ({ baseUrl }) =>
    Promise.resolve(async (signal) => {
      const figures = { refused: 0, answered: 0, other: 0 }
      const ask = async (headers: Record<string, string>): Promise<void> => {
        const answer = await fetch(`${baseUrl}/metrics`, { headers })
        await answer.arrayBuffer()
        if (answer.status === 401) figures.refused++
        else if (answer.status === 200) figures.answered++
        else figures.other++
      }
      while (!signal.aborted) {
        await Promise.all([ask(STRANGER), ask({ ...STRANGER, authorization: `Bearer ${TOKEN}` }), delay(PAUSE_MS)])
      }
      return figures satisfies AttackFigures
    }),
  judge: ({ refused, answered, other }) => [
    ...(refused === 0 || answered === 0 ? ['strangers were not refused, or the token was not taken'] : []),
    ...(other === 0 ? [] : [`${other} answers were neither 200 nor 401`]),
  ],
}

const LOCAL_CONNECTIONS = 8

/** A broken scraper on the same machine, which needs no token. */
export const LOCAL_METRICS_FLOOD: Attack = {
  name: 'local-metrics-flood',
  title: `Asks for /metrics without a pause on ${LOCAL_CONNECTIONS} connections of the same machine.`,
  hasOwnServer: true,
  settings: { PROXY_HOPS: '0' },
  prepare: ({ baseUrl }) =>
    Promise.resolve(async (signal) => {
      const flood = new Flood(baseUrl, signal)
      await flood.repeat(LOCAL_CONNECTIONS, () => ({ method: 'GET', path: '/metrics' }))
      return flood.figures
    }),
  judge: ({ s200 }) => (Number(s200 ?? 0) > 0 ? [] : ['no metrics were read']),
}
