// Webhook events: each with its payload as sent, and a button to redeliver it.

import { EVENT_TYPES, type Event } from '../../../../engine/contract/webhook.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import { actionButton, badge, dateText, facts, failure, heading, live, type Tone } from '../shared/dashboard-parts.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { moveRow } from '../shared/record-moves.ts'
import { TEXTS } from './event-pages-messages.ts'

const STATES: Readonly<Record<Event['delivery_state'], readonly [words: Text | string, tone: Tone]>> = {
  none: [TEXTS.noSubscribedEndpoint, 'calm'],
  pending: [DASHBOARD_WORDS.inProgress, 'wait'],
  succeeded: [WORDS.received, 'good'],
  failed: [DASHBOARD_WORDS.givenUp, 'bad'],
}

const NOUN: ListNoun<Event> = {
  place: 'webhooks',
  title: WORDS.events,
  path: 'events',
  operationId: 'listEvents',
  filters: [
    { name: 'type', label: WORDS.type, choices: EVENT_TYPES.map((type) => ({ value: type, words: type })) },
    { name: 'delivery_success', label: DASHBOARD_WORDS.delivery, choices: [{ value: 'false', words: TEXTS.notReceivedYet }] },
  ],
  columns: (visit) => [
    {
      name: WORDS.date,
      card: 'about',
      cell: ({ id, created_at }) => html`<a href="${visit.to(`events/${id}`)}">${dateText(created_at)}</a>`,
    },
    { name: WORDS.type, card: 'title', cell: ({ type }) => html`<code>${type}</code>` },
    { name: DASHBOARD_WORDS.delivery, card: 'state', cell: ({ delivery_state }) => badge(...STATES[delivery_state]) },
  ],
  csvFields: {
    id: true,
    type: true,
    delivery_state: true,
    created_at: true,
    data: true,
    environment: false,
  },
  csvWords: { delivery_state: ({ delivery_state }) => STATES[delivery_state][0] },
  counted: [TEXTS.event, TEXTS.events],
  empty: TEXTS.noEventsYet,
  live: ['charge.', 'payout.', 'batch.', 'bill.', 'schedule.', 'biller.', 'mandate.', 'delivery.'],
}

export function eventRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, NOUN),
    pageRow(parts, { path: '/events/{id}', operationId: 'showEvent', summary: 'An event', show: (visit) => showEvent(visit, null) }),
    moveRow(parts, {
      path: '/events/{id}/redeliver',
      operationId: 'redeliverEvent',
      note: 'redelivered',
      done: (visit) => `events/${visit.params[0]}`,
      again: showEvent,
    }),
  ]
}

async function showEvent(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<Event>('getEvent', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const { id, type, created_at, data, delivery_state } = answer.body
  const body = html`${live('title', heading(html`${TEXTS.event2(type)}`, badge(...STATES[delivery_state])))}
${failure(error)}
${facts([
  [WORDS.date, dateText(created_at)],
  [WORDS.identifier, id],
])}
<section><h2>${TEXTS.sentContent}</h2><pre tabindex="0">${JSON.stringify({ type, data }, null, 2)}</pre></section>
<div class="actions">${actionButton(visit, visit.to(`events/${id}/redeliver`), TEXTS.sendAgain)}</div>`
  visit.show({ title: TEXTS.event3, place: 'webhooks', live: ['delivery.'], body }, error === null ? 200 : 409)
}
