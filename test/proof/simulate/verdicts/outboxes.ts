// What requests about webhooks, and reports of gateways, must come to.
import type { Verdicts } from '../entry.ts'
import type { Models } from '../models.ts'

/** What the engine's limit is meant to be, written down a second time. */
const ENDPOINTS = 16

export const outboxVerdicts = ({ outboxes }: Models) => {
  const known = ({ merchant, id }: { readonly merchant: number; readonly id: string }) =>
    outboxes.endpoints.get(id)?.account === merchant ? null : 'not_found'
  return {
    CreateEndpoint: ({ merchant }) => {
      const own = [...outboxes.endpoints.values()].filter(({ account }) => account === merchant)
      return own.length >= ENDPOINTS ? 'too_many_webhook_endpoints' : null
    },
    UpdateEndpoint: known,
    DeleteEndpoint: known,
    RotateSecret: known,
    PingEndpoint: known,
    Redeliver: ({ merchant, position }) => {
      const event = outboxes.at(position)
      if (event?.account !== merchant) return 'not_found'
      if (outboxes.fanOuts.waits(event)) return null
      return outboxes.targets(event).length === 0 ? 'no_webhook_endpoint' : null
    },
    RecordDeliveries: () => null,
    OpenDeliveries: () => null,
    RecordMessages: () => null,
  } satisfies Verdicts
}
