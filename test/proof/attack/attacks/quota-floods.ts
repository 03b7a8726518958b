// Strangers with free accounts fill the tables that all accounts share: open webhook deliveries, and what an account creates and leaves
// open. An honest merchant with few rows creates one of each meanwhile, and loses none.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../../support/client.ts'
import { Receiver } from '../../../support/receiver.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import type { Attack, AttackFigures } from '../attack.ts'

const LINES = 500
const ENDPOINTS = 16
/** Each sends one request at a time. */
const STRANGERS = 20
const HONEST_PAUSE_MS = 100
const REFUSED_PAUSE_MS = 20
const EVENT_TYPES = ['payout.paid', 'payout.failed']

type Create = (client: Client) => ReturnType<Client['post']>

/** What a merchant creates and leaves open: one row each. */
const CREATIONS = {
  links: (client) => client.post('/v1/biz/payment-links', { description: 'Caisse' }),
  top_ups: (client) => client.post('/v1/biz/top-ups', { amount: 1000 }),
  charges: (client) => client.post('/v1/biz/charges', { amount: 1000 }),
  schedules: (client) => client.post('/v1/biz/payout-schedules', schedule(), newKey()),
} as const satisfies Record<string, Create>

/** What the honest merchant ends again, because its class has room for few open ones. The other tables have room for all that it makes. */
const ENDS: Partial<Record<keyof typeof CREATIONS, (client: Client, made: unknown) => Promise<unknown>>> = {
  links: (client, made) => client.post(`/v1/biz/payment-links/${(made as { id?: string }).id}/close`, {}),
  top_ups: (client, made) => client.post(`/v1/biz/top-ups/${(made as { id?: string }).id}/cancel`, {}),
}

function schedule(): object {
  const start_at = new Date(Date.now() + 30 * 86_400_000).toISOString()
  return { recurrence: 'monthly', start_at, reference: 'plan', items: [{ recipient: 'awa_diallo', amount: 5 }] }
}

interface Figures {
  strangers_rows: number
  refused: number
  other_refusals: number
  honest_done: number
  honest_lost: number
  first_loss: string
}

function newFigures(): Figures {
  return { strangers_rows: 0, refused: 0, other_refusals: 0, honest_done: 0, honest_lost: 0, first_loss: '' }
}

/** Fills by one kind of row: a full share is a refusal to the strangers alone, and never a 503. */
function tableFlood(kind: keyof typeof CREATIONS, title: string): Attack {
  const create: Create = CREATIONS[kind]
  const end = ENDS[kind] ?? (() => Promise.resolve())
  return {
    name: `${kind.replace('_', '-')}-table`,
    title,
    prepare: async ({ server }) => {
      const strangers = await Promise.all(Array.from({ length: STRANGERS }, () => server.merchant('Inconnu')))
      const honest = await server.merchant('Honnête')
      return async (signal) => {
        const figures = newFigures()
        const fill = async (client: Client): Promise<void> => {
          while (!signal.aborted) await countStranger(figures, await create(client))
        }
        const createAndEnd = async () => {
          const created = await create(honest.test)
          await end(honest.test, created.body)
          return created
        }
        await Promise.all([...strangers.map(({ test }) => fill(test)), honestly(figures, signal, createAndEnd)])
        return { ...figures }
      }
    },
    judge: judgeFigures,
  }
}

/** Waits a moment after a refusal, as a client does that asks again and again. */
async function countStranger(figures: Figures, { status, body }: { status: number; body: unknown }): Promise<void> {
  if (status < 300) {
    figures.strangers_rows++
    return
  }
  if (status === 429 && (body as { code?: string }).code === 'quota_exceeded') figures.refused++
  else figures.other_refusals++
  await delay(REFUSED_PAUSE_MS)
}

async function honestly(figures: Figures, signal: AbortSignal, create: () => ReturnType<Client['post']>): Promise<void> {
  while (!signal.aborted) {
    const { status, text } = await create()
    if (status < 300) figures.honest_done++
    else {
      figures.honest_lost++
      figures.first_loss ||= `${status} ${text}`
    }
    await delay(HONEST_PAUSE_MS)
  }
}

function judgeFigures({ honest_done, honest_lost, other_refusals, first_loss }: AttackFigures): string[] {
  return [
    ...(Number(honest_done) > 0 ? [] : ['the honest merchant did nothing']),
    ...(honest_lost === 0 ? [] : [`the honest merchant lost ${honest_lost}, first: ${first_loss}`]),
    ...(other_refusals === 0 ? [] : [`strangers were refused ${other_refusals} times by something else than their quota`]),
  ]
}

export const PAYMENT_LINK_TABLE = tableFlood('links', 'Twenty strangers create payment links without end.')
export const TOP_UP_TABLE = tableFlood('top_ups', 'Twenty strangers ask for top-ups that they never pay.')
export const CHARGE_TABLE = tableFlood('charges', 'Twenty strangers create charges that stay pending.')
export const SCHEDULE_TABLE = tableFlood('schedules', 'Twenty strangers plan payouts that are a month away.')

/** Two merchants with 16 endpoints: each batch of 500 lines opens 8 000 deliveries. */
function webhookFlood(name: string, title: string, openReceiver: () => Promise<Pick<Receiver, 'port' | 'close'>>): Attack {
  return {
    ...{ name, title, hasOwnServer: true },
    prepare: async ({ server }) => {
      const receiver = await openReceiver()
      const strangers = await Promise.all([server, server].map((one) => strangerWithEndpoints(one, receiver.port)))
      const honest = await honestReceiver(server)
      return async (signal) => {
        const figures = newFigures()
        const items = Array.from({ length: LINES }, () => ({ recipient: 'inconnue', amount: 1 }))
        const flood = async (client: Client): Promise<void> => {
          while (!signal.aborted) {
            const answer = await client.post('/v1/biz/payouts/batch', { reference: 'flot', items }, newKey())
            if (answer.status < 300) figures.strangers_rows += LINES * ENDPOINTS
            else await countStranger(figures, answer)
          }
        }
        await Promise.all([...strangers.map(flood), honestly(figures, signal, honest.send)])
        figures.honest_lost += await honest.missing()
        await honest.close()
        await receiver.close()
        return { ...figures }
      }
    },
    judge: judgeFigures,
  }
}

export const WEBHOOK_TABLE = webhookFlood(
  'webhook-table',
  'Two strangers open webhook deliveries to receivers that never answer; an honest merchant gets each of its own.',
  async () => {
    const silent = await Receiver.open()
    silent.answering = () => undefined
    return silent
  },
)

export const EAGER_WEBHOOKS = webhookFlood(
  'eager-webhooks',
  'Two strangers open webhook deliveries to receivers that answer at once.',
  () => Receiver.open(),
)

export const REFUSED_WEBHOOKS = webhookFlood(
  'refused-webhooks',
  'Two strangers open webhook deliveries to receivers that refuse every connection at once.',
  async () => {
    const closed = await Receiver.open()
    const { port } = closed
    await closed.close()
    return { port, close: () => Promise.resolve() }
  },
)

async function strangerWithEndpoints(server: TestServer, port: number): Promise<Client> {
  const { test } = await server.merchant('Inconnu')
  for (let count = 0; count < ENDPOINTS; count++) {
    const made = await test.post('/v1/biz/webhook-endpoints', { url: `http://127.0.0.1:${port}/${count}`, events: EVENT_TYPES })
    assert.equal(made.status, 201, made.text)
  }
  return test
}

const DELIVERED_MAX_MS = 20_000

/** An endpoint that answers, and what was sent to it. */
async function honestReceiver(server: TestServer) {
  const receiver = await Receiver.open()
  const { test } = await server.merchant('Honnête')
  const made = await test.post('/v1/biz/webhook-endpoints', { url: `http://127.0.0.1:${receiver.port}/`, events: EVENT_TYPES })
  assert.equal(made.status, 201, made.text)
  let sent = 0
  return {
    send: () => {
      sent++
      return test.post('/v1/biz/payouts', { recipient: 'inconnue', amount: 1 }, newKey())
    },
    /** Waits for the last deliveries; returns how many did not come. */
    missing: async (): Promise<number> => {
      const deadlineMs = performance.now() + DELIVERED_MAX_MS
      while (receiver.received.length < sent && performance.now() < deadlineMs) await delay(50)
      return sent - receiver.received.length
    },
    close: () => receiver.close(),
  }
}
