// Requests about webhooks, and what simulated receivers and gateways report: late, lost, doubled, in any order, or long ago.
import type { Command, CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { ModelDelivery, ModelEndpoint } from '../models/outboxes.ts'
import type { Models } from '../models.ts'
import { merchantAccount } from './pick.ts'

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

const TYPES = [
  'charge.succeeded',
  'bill.paid',
  'charge.expired',
  'charge.cancelled',
  'charge.refunded',
  'payout.paid',
  'payout.failed',
  'batch.completed',
  'schedule.run_failed',
  'biller.approved',
  'mandate.approved',
  'mandate.charged',
  'problem.opened',
  'mandate.paused',
] as const

function ofEndpoint(
  models: Models,
  make: (endpoint: { readonly merchant: number; readonly id: string }, drawing: Drawing, row: ModelEndpoint) => Command,
): Draw {
  return (drawing) => {
    const endpoint = recent(drawing.prng, [...models.outboxes.endpoints.values()])
    if (endpoint === undefined) return null
    const stranger = drawing.prng.chance(0.03) ? merchantAccount(models, drawing) : undefined
    const id = drawing.prng.chance(0.03) ? 'ghost' : endpoint.id
    return make({ merchant: stranger ?? endpoint.account, id }, drawing, endpoint)
  }
}

function resultOf({ outboxes }: Models, drawing: Drawing, { id, eventId, eventType, endpointId, url }: ModelDelivery) {
  const { prng } = drawing
  const httpStatus = prng.pick([200, 204, 200, 302, 500, 503, 410, null])
  const address = url ?? outboxes.endpoints.get(endpointId ?? '')?.url ?? 'https://gone.example/'
  const about = {
    deliveryId: id,
    eventId,
    eventType: eventType as 'ping',
    url: address,
    error: httpStatus === null ? ('timeout' as const) : null,
  }
  const retryAfterMs = retryAfter(drawing)
  return { ...about, httpStatus, durationMs: 5, retryAfterMs, jitter: prng.next() }
}

function retryAfter({ prng }: Drawing): number | null {
  return prng.chance(0.1) ? prng.pick([MINUTE_MS, 3 * DAY_MS]) : null
}

export const outboxDraws = (models: Models) =>
  ({
    CreateEndpoint: (drawing) => {
      const first = models.accounts.merchants[0]?.test
      const merchant = drawing.prng.chance(0.4) ? first : merchantAccount(models, drawing)
      if (merchant === undefined) return null
      const events = TYPES.filter(() => drawing.prng.chance(0.6))
      const url = drawing.prng.pick(['https://a.example/hook', 'https://b.example/hook'])
      return { type: 'CreateEndpoint', merchant, url, events, description: '', sealedSecret: 'sealed:v1:hook' }
    },
    UpdateEndpoint: ofEndpoint(models, (endpoint, { prng }) => {
      const events = prng.chance(0.5) ? TYPES.filter(() => prng.chance(0.6)) : null
      return { type: 'UpdateEndpoint', ...endpoint, url: null, events, description: null, status: prng.pick([null, 'enabled', 'disabled']) }
    }),
    DeleteEndpoint: ofEndpoint(models, (endpoint) => ({ type: 'DeleteEndpoint', ...endpoint })),
    RotateSecret: ofEndpoint(models, (endpoint, { prng }) => ({
      type: 'RotateSecret',
      ...endpoint,
      sealedSecret: 'sealed:v1:new',
      overlapS: prng.pick([0, 60]),
    })),
    PingEndpoint: ofEndpoint(models, (endpoint) => ({ type: 'PingEndpoint', ...endpoint })),
    Redeliver: ({ prng }) => {
      const event = recent(prng, models.outboxes.events)
      if (event === undefined) return null
      // A payment of a bill stands in the log too, and is no event that the merchant gets.
      const bill = prng.chance(0.03) ? recent(prng, [...models.bills.bills.values()]) : undefined
      if (bill !== undefined) return { type: 'Redeliver', merchant: bill.merchant, position: bill.position }
      return { type: 'Redeliver', merchant: prng.chance(0.95) ? event.account : 0, position: event.position }
    },
    OpenDeliveries: ({ prng }) => {
      const open = [...models.outboxes.fanOuts.open.values()]
      if (open.length === 0) return null
      const { id, account: merchant, dueMs } = prng.pick(open)
      return { type: 'OpenDeliveries', merchant, id, dueMs: prng.chance(0.05) ? 0 : (dueMs ?? 0) }
    },
    RecordDeliveries: (drawing) => {
      const { prng } = drawing
      const all = [...models.outboxes.deliveries.values()].slice(-60)
      const open = all.filter(({ state }) => state === 'pending')
      const chosen = (prng.chance(0.85) ? open : all).filter(() => prng.chance(0.5)).slice(0, 20)
      if (chosen.length === 0) return null
      const results = chosen.map((delivery) => resultOf(models, drawing, delivery))
      const [first] = results
      return {
        type: 'RecordDeliveries',
        environment: prng.pick(['live', 'test']),
        results: first !== undefined && prng.chance(0.2) ? [...results, first] : results,
      }
    },
    RecordMessages: (drawing) => {
      const { prng, nowMs } = drawing
      const chosen = [...models.messages.messages.values()].slice(-30).filter(() => prng.chance(0.5))
      const result = () => ({
        httpStatus: prng.pick([202, 200, 500, null, 422]),
        error: null,
        durationMs: 3,
        retryAfterMs: retryAfter(drawing),
        jitter: prng.next(),
      })
      const ids = [...chosen.map(({ id }) => id), 'ghost', ...chosen.slice(0, prng.chance(0.2) ? 1 : 0).map(({ id }) => id)]
      const results = ids.map((id) => ({ id, ...result() }))
      const through = models.outboxes.events.at(-1)?.position ?? 0
      const until = { position: through, untilMs: nowMs + 86_400_000 }
      const push = { id: drawing.name('push-'), environment: 'test', holder: drawing.prng.below(5), ...until } as const
      const failed = prng.chance(0.5) ? [{ ...result(), httpStatus: 503, push }] : []
      return { type: 'RecordMessages', results, pushes: prng.chance(0.4) ? { progress: { through: 1, beyond: [] }, failed } : null }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
