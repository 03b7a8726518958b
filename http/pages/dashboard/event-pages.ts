// Webhook events: each with its payload as sent, and a button to redeliver it.
import { EVENT_TYPES, type Event } from '../../../engine/contract/webhook.ts'
import type { Route } from '../../server/route.ts'
import type { ApiError } from '../api-calls.ts'
import { html, titleOf } from '../html.ts'
import { actionButton, badge, dateText, facts, failure, heading, live, type Tone } from './dashboard-parts.ts'
import { type ListNoun, listRows } from './list-page.ts'
import { moveRow } from './record-moves.ts'
import { type DashboardParts, pageRow, type Visit } from './visit.ts'

const STATES: Readonly<Record<Event['delivery_state'], readonly [words: string, tone: Tone]>> = {
  none: ['Aucune adresse abonnée', 'calm'],
  pending: ['En cours', 'wait'],
  succeeded: ['Reçu', 'good'],
  failed: ['Abandonné', 'bad'],
}

const NOUN: ListNoun<Event> = {
  place: 'webhooks',
  title: titleOf('Évènements'),
  path: 'events',
  operationId: 'listEvents',
  filters: [
    { name: 'type', label: 'Type', choices: EVENT_TYPES.map((type) => ({ value: type, words: type })) },
    { name: 'delivery_success', label: 'Livraison', choices: [{ value: 'false', words: 'Pas encore reçus' }] },
  ],
  columns: (visit) => [
    { name: 'Date', card: 'about', cell: ({ id, created_at }) => html`<a href="${visit.to(`events/${id}`)}">${dateText(created_at)}</a>` },
    { name: 'Type', card: 'title', cell: ({ type }) => html`<code>${type}</code>` },
    { name: 'Livraison', card: 'state', cell: ({ delivery_state }) => badge(...STATES[delivery_state]) },
  ],
  csvFields: ['id', 'type', 'delivery_state', 'created_at', 'data'],
  csvWords: { delivery_state: ({ delivery_state }) => STATES[delivery_state][0] },
  counted: ['évènement', 'évènements'],
  empty: 'Aucun évènement pour le moment.',
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
  const body = html`${live('title', heading(html`Évènement <code>${type}</code>`, badge(...STATES[delivery_state])))}
${failure(error)}
${facts([
  ['Date', dateText(created_at)],
  ['Identifiant', id],
])}
<section><h2>Contenu envoyé</h2><pre tabindex="0">${JSON.stringify({ type, data }, null, 2)}</pre></section>
<div class="actions">${actionButton(visit, visit.to(`events/${id}/redeliver`), 'Renvoyer')}</div>`
  visit.show({ title: 'Évènement', place: 'webhooks', live: ['delivery.'], body }, error === null ? 200 : 409)
}
