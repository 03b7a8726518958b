// Webhook endpoints: their event types, the log of deliveries, and the signing secret.
import {
  type DeliveryAttempt,
  WEBHOOK_EVENT_TYPES,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '../../../engine/contract/webhook.ts'
import type { Route } from '../../server/route.ts'
import type { ApiError } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html } from '../html.ts'
import {
  actionButton,
  badge,
  checkField,
  confirmedAction,
  dateText,
  facts,
  failure,
  formStart,
  heading,
  live,
  type Tone,
  table,
  theirs,
} from './dashboard-parts.ts'
import { eventRows } from './event-pages.ts'
import { moveRow } from './record-moves.ts'
import { copyButton } from './share.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

const FIELDS = ['url', 'description', ...WEBHOOK_EVENT_TYPES] as const

type EndpointForm = Sent<(typeof FIELDS)[number]>

const NOTHING: EndpointForm = Object.fromEntries(FIELDS.map((name) => [name, name === 'charge.succeeded' ? 'yes' : ''])) as EndpointForm

export function webhookRows(parts: DashboardParts): readonly Route[] {
  return [
    ...eventRows(parts),
    pageRow(parts, {
      path: '/webhooks',
      operationId: 'showEndpoints',
      summary: 'Webhook endpoints',
      show: (visit) => showEndpoints(visit, NOTHING, null),
    }),
    formRow(parts, {
      path: '/webhooks',
      operationId: 'sendEndpoint',
      needs: 'createWebhookEndpoint',
      summary: 'A new endpoint',
      fields: FIELDS,
      act: createEndpoint,
    }),
    pageRow(parts, {
      path: '/webhooks/{id}',
      operationId: 'showEndpoint',
      summary: 'An endpoint',
      show: (visit) => showEndpoint(visit, null),
    }),
    formRow(parts, {
      path: '/webhooks/{id}/edit',
      operationId: 'sendEndpointEdit',
      needs: 'updateWebhookEndpoint',
      summary: 'Change an endpoint',
      fields: FIELDS,
      act: editEndpoint,
    }),
    formRow(parts, {
      path: '/webhooks/{id}/secret',
      operationId: 'sendSecretRotation',
      needs: 'rotateWebhookSecret',
      summary: 'A new secret',
      fields: [],
      act: rotateSecret,
    }),
    moveRow(parts, {
      ...{ path: '/webhooks/{id}/ping', operationId: 'pingWebhookEndpoint', note: 'pinged' },
      done: (visit) => `webhooks/${visit.params[0]}`,
      again: showEndpoint,
    }),
    moveRow(parts, {
      ...{ path: '/webhooks/{id}/delete', operationId: 'deleteWebhookEndpoint', note: 'endpoint_deleted' },
      done: () => 'webhooks',
      again: showEndpoint,
    }),
    ...(['enabled', 'disabled'] as const).map((status) =>
      formRow(parts, {
        path: `/webhooks/{id}/${status}`,
        operationId: `sendEndpoint-${status}`,
        needs: 'updateWebhookEndpoint',
        summary: status,
        fields: [],
        act: async (visit) => {
          const answer = await visit.ask('updateWebhookEndpoint', { params: visit.params, body: { status } })
          if (answer.ok) visit.goTo(`webhooks/${visit.params[0]}`, 'endpoint_changed')
          else await showEndpoint(visit, answer.error)
        },
      }),
    ),
  ]
}

function bodyOf(sent: EndpointForm): object {
  const { url, description } = sent
  return { url: url.trim(), description, events: WEBHOOK_EVENT_TYPES.filter((type) => sent[type] === 'yes') }
}

async function createEndpoint(visit: Visit, sent: EndpointForm & Sent<'key'>): Promise<void> {
  const answer = await visit.ask<WebhookEndpointWithSecret>('createWebhookEndpoint', { body: bodyOf(sent), idempotencyKey: sent.key })
  if (answer.ok) showSecret(visit, answer.body, 201)
  else await showEndpoints(visit, sent, answer.error)
}

async function editEndpoint(visit: Visit, sent: EndpointForm): Promise<void> {
  const answer = await visit.ask('updateWebhookEndpoint', { params: visit.params, body: bodyOf(sent) })
  if (answer.ok) visit.goTo(`webhooks/${visit.params[0]}`, 'endpoint_changed')
  else await showEndpoint(visit, answer.error)
}

async function rotateSecret(visit: Visit, { key }: Sent<'key'>): Promise<void> {
  const answer = await visit.ask<WebhookEndpointWithSecret>('rotateWebhookSecret', { params: visit.params, idempotencyKey: key, body: {} })
  if (answer.ok) showSecret(visit, answer.body, 200)
  else await showEndpoint(visit, answer.error)
}

/** Shows the secret. No other page does. */
function showSecret(visit: Visit, { id, secret }: WebhookEndpointWithSecret, status: number): void {
  const body = html`${heading('Le secret de signature')}
<section class="card"><p><b>Copiez-le maintenant : il n’est montré qu’une fois.</b> Il sert à vérifier l’en-tête X-Service-Signature.</p>
<p><label for="secret">Secret</label><input id="secret" value="${secret}" readonly></p>
${copyButton('secret', 'Copier le secret')}</section>
<p><a class="button quiet" href="${visit.to(`webhooks/${id}`)}">J’ai copié le secret</a></p>`
  visit.show({ title: 'Secret de signature', place: 'webhooks', body }, status)
}

function statusBadge({ status, disabled_reason }: WebhookEndpoint): Html {
  if (status === 'enabled') return badge('Actif', 'good')
  return badge(disabled_reason === 'gone' ? 'Désactivé : réponse 410' : 'Désactivé', 'calm')
}

async function showEndpoints(visit: Visit, form: EndpointForm, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<{ readonly data: readonly WebhookEndpoint[] }>('listWebhookEndpoints', { query: { limit: '100' } })
  const body = html`${heading('Webhooks', html`<a class="button quiet" href="${visit.to('events')}">Évènements</a>`)}
${live('list', endpointTable(visit, answer.ok ? answer.body.data : []))}
${endpointForm(visit, { action: visit.to('webhooks'), title: 'Nouvelle adresse de réception', go: 'Créer', form, error })}`
  visit.show({ title: 'Webhooks', place: 'webhooks', live: ['webhook_endpoint.'], body }, error === null ? 200 : 400)
}

function endpointTable(visit: Visit, endpoints: readonly WebhookEndpoint[]): Html {
  return table(
    'Adresses de réception',
    [
      { name: 'Adresse', cell: ({ id, url }) => html`<a href="${visit.to(`webhooks/${id}`)}">${theirs(url)}</a>` },
      { name: 'État', card: 'state', cell: statusBadge },
      { name: 'Évènements', isFigure: true, cell: ({ events }) => events.length },
      { name: 'Description', card: 'about', cell: ({ description }) => theirs(description) },
      { name: 'Créé', cell: ({ created_at }) => dateText(created_at) },
    ],
    endpoints,
    'Aucune adresse de réception pour le moment.',
  )
}

interface EndpointFormView {
  readonly action: string
  readonly title: string
  readonly go: string
  readonly form: EndpointForm
  readonly error: ApiError | null
}

function endpointForm(visit: Visit, { action, title, go, form, error }: EndpointFormView): Html {
  if (!visit.maySend(action)) return html``
  const about = (name: string): string | null => (error?.param === name ? error.message : null)
  return html`<form class="form card" method="post" action="${action}" novalidate>${formStart(visit)}
<h2>${title}</h2>
${failure(error !== null && error.param !== 'url' ? { message: error.param === 'events' ? 'Choisissez au moins un évènement.' : error.message } : null)}
${formField({ name: 'url', label: 'Adresse (https)', value: form.url, maxLength: 2048, error: about('url') })}
${formField({ name: 'description', label: 'Description', value: form.description, maxLength: 500, isRequired: false })}
<fieldset><legend>Évènements</legend><div class="pair">${WEBHOOK_EVENT_TYPES.map((type) => checkField(type, html`<code>${type}</code>`, form[type] === 'yes'))}</div></fieldset>
<button type="submit">${go}</button></form>`
}

async function showEndpoint(visit: Visit, error: ApiError | null): Promise<void> {
  const { params } = visit
  const [answer, attempts] = await Promise.all([
    visit.ask<WebhookEndpoint>('getWebhookEndpoint', { params }),
    visit.ask<{ readonly data: readonly DeliveryAttempt[] }>('listDeliveries', { params, query: { limit: '50' } }),
  ])
  if (!answer.ok) return visit.missing()
  const endpoint = answer.body
  const here = visit.to(`webhooks/${endpoint.id}`)
  const chosen = Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, endpoint.events.includes(type) ? 'yes' : '']))
  const form = { ...chosen, url: endpoint.url, description: endpoint.description } as EndpointForm
  const isOn = endpoint.status === 'enabled'
  const body = html`${live('title', heading('Adresse de réception', statusBadge(endpoint)))}
${facts([
  ['Adresse', theirs(endpoint.url)],
  ['Description', theirs(endpoint.description)],
  ['Créé', dateText(endpoint.created_at)],
  ['Identifiant', endpoint.id],
])}
<div class="actions">
${actionButton(visit, `${here}/ping`, 'Envoyer un test')}
${actionButton(visit, `${here}/${isOn ? 'disabled' : 'enabled'}`, isOn ? 'Désactiver' : 'Activer')}
${confirmedAction(visit, `${here}/secret`, { ask: 'Changer le secret', warn: 'Pendant 24 heures, les envois portent les deux signatures.', go: 'Créer un nouveau secret' })}
${confirmedAction(visit, `${here}/delete`, { ask: 'Supprimer', warn: 'Plus rien ne sera envoyé à cette adresse.', go: 'Supprimer' })}
</div>
<section><h2>Derniers envois</h2>${live('attempts', attemptTable(visit, attempts.ok ? attempts.body.data : []))}</section>
${endpointForm(visit, { action: `${here}/edit`, title: 'Modifier', go: 'Enregistrer', form, error })}`
  const changes = ['webhook_endpoint.', 'delivery.'] as const
  visit.show({ title: 'Adresse de réception', place: 'webhooks', live: changes, body }, error === null ? 200 : 400)
}

const ATTEMPTS: Readonly<Record<DeliveryAttempt['state'], readonly [words: string, tone: Tone]>> = {
  succeeded: ['Reçu', 'good'],
  failed: ['Abandonné', 'bad'],
  pending: ['Nouvel essai prévu', 'wait'],
}

/** Why an attempt has no answer, and what to do. */
const ATTEMPT_ERRORS: Readonly<Record<NonNullable<DeliveryAttempt['error']>, string>> = {
  timeout: 'Pas de réponse à temps : répondez avant de traiter l’évènement.',
  connection_failed: 'Connexion impossible : vérifiez que le serveur écoute.',
  tls_failed: 'Certificat refusé : renouvelez le certificat du serveur.',
  name_not_found: 'Ce nom de domaine n’existe pas : corrigez l’adresse.',
  name_unresolved: 'Le nom de domaine n’a pas pu être résolu : vérifiez son DNS.',
  forbidden_address: 'Adresse privée, qui n’est pas appelée : utilisez une adresse publique.',
  invalid_url: 'Adresse invalide : corrigez-la.',
  https_required: 'L’adresse doit commencer par https:// : corrigez-la.',
  answer_too_large: 'Réponse trop longue : répondez sans contenu.',
  invalid_answer: 'Réponse illisible : vérifiez le serveur.',
  invalid_request: 'L’envoi n’a pas pu être construit : corrigez l’adresse.',
  stopped: 'Le service s’est arrêté pendant l’envoi.',
  endpoint_disabled: 'L’adresse de réception est désactivée : activez-la.',
  endpoint_deleted: 'L’adresse de réception est supprimée.',
}

function answerText({ http_status, error }: DeliveryAttempt): Fragment {
  return http_status ?? (error === null ? theirs(null) : ATTEMPT_ERRORS[error])
}

function attemptTable(visit: Visit, attempts: readonly DeliveryAttempt[]): Html {
  return table(
    'Derniers envois',
    [
      { name: 'Date', cell: ({ event_id, created_at }) => html`<a href="${visit.to(`events/${event_id}`)}">${dateText(created_at)}</a>` },
      { name: 'Essai', isFigure: true, cell: ({ attempt }) => attempt },
      { name: 'Réponse', card: 'about', isProse: true, cell: answerText },
      { name: 'Durée', isFigure: true, cell: ({ duration_ms }) => `${duration_ms}\u00a0ms` },
      { name: 'État', card: 'state', cell: ({ state }) => badge(...ATTEMPTS[state]) },
      { name: 'Prochain essai', cell: ({ next_attempt_at }) => dateText(next_attempt_at) },
    ],
    attempts,
    'Rien n’a été envoyé pour le moment.',
  )
}
