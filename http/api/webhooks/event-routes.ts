// Webhook events of a merchant: one row for each route. Events come from the log, the state of deliveries from live state.
import type { EngineApi } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { Event, EventList, ListEventsQuery } from '../../../engine/contract/webhook.ts'
import { type Call, type MerchantPrincipal, type Route, route } from '../../server/route.ts'
import { answerEvents } from './event-list.ts'
import { EVENT } from './webhook-examples.ts'

export interface EventRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function eventRoutes(parts: EventRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/biz/events',
      operationId: 'listEvents',
      tag: 'Webhooks',
      summary: 'List events',
      description: LIST_DESCRIPTION,
      auth: 'key-or-session',
      idempotency: 'none',
      query: ListEventsQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: EventList,
          example: { data: [EVENT], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => answerEvents(parts.engine, call),
    }),
    route({
      method: 'GET',
      path: '/v1/biz/events/{id}',
      operationId: 'getEvent',
      tag: 'Webhooks',
      summary: 'Get an event',
      description: 'Its `data` is what the webhook carries; `delivery_state` sums up its deliveries.',
      auth: 'key-or-session',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the event.' }) },
      responses: [{ status: 200, description: 'The event.', schema: Event, example: EVENT }],
      errors: [],
      handle: (call) => {
        const event = parts.engine.query('webhookEvents.get', named(call))
        if (event === null) return call.refuse('not_found')
        call.answer(200, event)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/biz/events/{id}/redeliver',
      operationId: 'redeliverEvent',
      tag: 'Webhooks',
      summary: 'Send an event again',
      description: REDELIVER_DESCRIPTION,
      auth: 'key-or-session',
      memberRole: 'manager',
      idempotency: 'accepted',
      params: { id: uuid({ description: 'Id of the event.' }) },
      responses: [{ status: 200, description: 'The event, on its way again.', schema: Event, example: EVENT }],
      commands: ['Redeliver'],
      errors: [],
      handle: (call) => {
        const position = parts.engine.query('webhookEvents.position', named(call))
        if (position === null) return call.refuse('not_found')
        const { account } = call.principal
        call.submit({ type: 'Redeliver', merchant: account, position }, account)
      },
    }),
  ]
}

const LIST_DESCRIPTION = `All types are listed, whether an endpoint asks for them or not. Where no endpoint asked for \`payout.paid\`, \`payout.failed\` or \`batch.completed\` at the
time, the event has the id of its payout or batch. With
\`delivery_success\`, a page may end early when very many events had to be looked at: go on with \`next_cursor\` for as long as \`has_more\` is true.`

const REDELIVER_DESCRIPTION = `One more attempt, now: for the deliveries that have not succeeded, or for all when all have, and for endpoints of today that ask for the
type and were never sent this event. The delivery ids stay, the attempts count on; when it fails, the retries go on from there. An attempt that is
under way is not made twice. At the merchant's share of open deliveries (quota \`open_deliveries\`) its oldest open ones end; their events say \`none\`.`

function named(call: Call<unknown, Record<string, unknown>, MerchantPrincipal>): { readonly account: number; readonly id: string } {
  return { account: call.principal.account, id: String(call.params[0]) }
}
