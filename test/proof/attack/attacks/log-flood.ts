// A flood of the log, which is never trimmed: a merchant without money writes as much as each command takes, in both environments.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { logoForm, PRODUCTS, PROFILE, put } from '../../../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../../../support/biller-engine.ts'
import type { Answer, Client } from '../../../support/client.ts'
import { png } from '../../../support/pictures.ts'
import type { Attack, AttackFigures } from '../attack.ts'

const MIB = 1024 * 1024
const BUDGET_MB = 2
const METRICS_TOKEN = 'metrics-token-of-the-log-flood'
const METADATA = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, 'v'.repeat(500)]))
const CODE = `function lookup(args) { return { ok: false, error: '${'x'.repeat(60_000)}' } }`
const PRODUCT = { ...GOOD_PRODUCTS.lookup, lookup_url: undefined, lookup_integration: 'code', lookup_code: CODE }
const LOGO = png(1024, 1024, 500_000)
/** Each command is sent by so many at a time. */
const SENDERS = 2
/** Two merchants' budgets and what honest traffic writes beside them. */
const GROWTH_MAX_MB = 4 * BUDGET_MB

interface Charge {
  readonly token: string
}

type Write = (client: Client, count: number) => Promise<Answer<Record<string, unknown>>>

/** Largest body that each command takes. */
const WRITES: Readonly<Record<string, Write>> = {
  charges: async (client) => {
    const body = { amount: 1, description: 'd'.repeat(500), redirect_url: `https://a.example/${'r'.repeat(1500)}`, metadata: METADATA }
    const answer = await client.post('/v1/biz/charges', body)
    if (answer.status === 201) {
      const { token } = answer.body as unknown as Charge
      await client.post(`/v1/biz/charges/${token}/cancel`, undefined, { 'idempotency-key': randomUUID() })
      await client.post(`/v1/biz/charges/${token}/cancel`, undefined, { 'idempotency-key': randomUUID() })
    }
    return answer
  },
  products: (client, count) => client.request('PUT', `${PRODUCTS}/grand`, { json: { ...PRODUCT, title: `Produit ${count}` } }),
  logos: (client, count) => client.request('POST', '/v1/biz/biller/logo', logoForm(String(count), LOGO)),
  endpoints: async (client, count) => {
    const { body } = await client.get<{ data: readonly { id: string }[] }>('/v1/biz/webhook-endpoints')
    const id = body.data[0]?.id
    const fields = { url: `https://a.example/${'u'.repeat(1900)}${count}`, events: ['charge.succeeded'], description: 'd'.repeat(200) }
    return id === undefined
      ? client.post('/v1/biz/webhook-endpoints', fields)
      : client.request('PUT', `/v1/biz/webhook-endpoints/${id}`, { json: fields })
  },
  payouts: (client) =>
    client.post('/v1/biz/payouts', { recipient: 'nobody_at_all', amount: 1, note: 'n'.repeat(500) }, { 'idempotency-key': randomUUID() }),
}

async function flushedBytes(baseUrl: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return Number(/^cauri_log_flushed_bytes_total (\S+)/m.exec(await answer.text())?.[1] ?? Number.NaN)
}

export const LOG_FLOOD: Attack = {
  name: 'log-flood',
  title: 'Writes the largest charges, cancellations, products, logos, endpoints and payouts without money.',
  hasOwnServer: true,
  settings: {
    METRICS_TOKEN,
    LOG_MB_PER_DAY_LIVE: String(BUDGET_MB),
    LOG_MB_PER_DAY_TEST: String(BUDGET_MB),
    RATE_LIMIT_LIVE: '400',
    RATE_LIMIT_TEST: '400',
  },
  prepare: async ({ baseUrl, server }) => {
    const merchant = await server.merchant('Sans argent')
    await put(merchant.test, PROFILE)
    await merchant.test.post(PRODUCTS, { slug: 'grand', ...GOOD_PRODUCTS.lookup })
    return async (signal) => {
      const figures: Record<string, number> = {}
      const startMs = performance.now()
      const before = await flushedBytes(baseUrl)
      await Promise.all(
        Object.entries(WRITES).flatMap(([name, write]) =>
          [merchant.live, merchant.test].flatMap((client, index) =>
            Array.from({ length: SENDERS }, () =>
              flood({ client, write, name: `${name}_${index === 0 ? 'live' : 'test'}`, figures, signal }),
            ),
          ),
        ),
      )
      const grownMb = ((await flushedBytes(baseUrl)) - before) / MIB
      const seconds = (performance.now() - startMs) / 1000
      return {
        ...figures,
        log_mb: Number(grownMb.toFixed(2)),
        log_mb_a_second: Number((grownMb / seconds).toFixed(2)),
      } satisfies AttackFigures
    }
  },
  judge: (figures) => {
    const grown = Number(figures.log_mb)
    const open = Object.keys(WRITES).filter(
      (name) => figures[`${name}_live_ended`] === undefined && figures[`${name}_test_ended`] === undefined,
    )
    return [
      ...(grown <= GROWTH_MAX_MB ? [] : [`the log grew by ${grown} MiB, budgets allow ${GROWTH_MAX_MB}`]),
      // In a short run a command may not have met the budget yet.
      ...(open.length === 0 || grown < 2 * BUDGET_MB ? [] : [`still taken without end: ${open.join(', ')}`]),
    ]
  },
}

interface Flood {
  readonly client: Client
  readonly write: Write
  readonly name: string
  readonly figures: Record<string, number>
  readonly signal: AbortSignal
}

/** Goes on after the budget has ended it, as an attacker does. */
async function flood({ client, write, name, figures, signal }: Flood): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    const { status, headers } = await write(client, count)
    if (status < 300) figures[name] = (figures[name] ?? 0) + 1
    const isOverBudget = status === 429 && Number(headers['retry-after']) > 1
    if (isOverBudget) figures[`${name}_ended`] = 1
    if (status >= 300) await delay(50)
  }
}
