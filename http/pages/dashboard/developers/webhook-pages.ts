// Webhook endpoints: their event types, the log of deliveries, and the signing secret.

import {
  type DeliveryAttempt,
  WEBHOOK_EVENT_TYPES,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '../../../../engine/contract/webhook.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
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
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { moveRow } from '../shared/record-moves.ts'
import { copyButton } from '../shared/share-links.ts'
import { eventRows } from './event-pages.ts'
import { TEXTS } from './webhook-pages-messages.ts'

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
  const body = html`${heading(TEXTS.signingSecret)}
<section class="card"><p>${TEXTS.copyItNowItShown}</p>
<p><label for="secret">${TEXTS.secret}</label><input id="secret" value="${secret}" readonly></p>
${copyButton('secret', DASHBOARD_WORDS.copySecret)}</section>
<p><a class="button quiet" href="${visit.to(`webhooks/${id}`)}">${DASHBOARD_WORDS.iHaveCopiedSecret}</a></p>`
  visit.show({ title: DASHBOARD_WORDS.signingSecret, place: 'webhooks', body }, status)
}

function statusBadge({ status, disabled_reason }: WebhookEndpoint): Html {
  if (status === 'enabled') return badge(WORDS.active, 'good')
  return badge(disabled_reason === 'gone' ? TEXTS.disabledAnswer410 : TEXTS.disabled, 'calm')
}

async function showEndpoints(visit: Visit, form: EndpointForm, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<{ readonly data: readonly WebhookEndpoint[] }>('listWebhookEndpoints', { query: { limit: '100' } })
  const body = html`${heading(DASHBOARD_WORDS.webhooks, html`<a class="button quiet" href="${visit.to('events')}">${WORDS.events}</a>`)}
${live('list', endpointTable(visit, answer.ok ? answer.body.data : []))}
${endpointForm(visit, { action: visit.to('webhooks'), title: TEXTS.newWebhookEndpoint, go: DASHBOARD_WORDS.create, form, error })}`
  visit.show({ title: DASHBOARD_WORDS.webhooks, place: 'webhooks', live: ['webhook_endpoint.'], body }, error === null ? 200 : 400)
}

function endpointTable(visit: Visit, endpoints: readonly WebhookEndpoint[]): Html {
  return table(
    TEXTS.webhookEndpoints,
    [
      { name: WORDS.address, cell: ({ id, url }) => html`<a href="${visit.to(`webhooks/${id}`)}">${theirs(url)}</a>` },
      { name: WORDS.state, card: 'state', cell: statusBadge },
      { name: WORDS.events, isFigure: true, cell: ({ events }) => events.length },
      { name: WORDS.description, card: 'about', cell: ({ description }) => theirs(description) },
      { name: DASHBOARD_WORDS.created, cell: ({ created_at }) => dateText(created_at) },
    ],
    endpoints,
    TEXTS.noWebhookEndpointsYet,
  )
}

interface EndpointFormView {
  readonly action: string
  readonly title: Text | string
  readonly go: Text | string
  readonly form: EndpointForm
  readonly error: ApiError | null
}

function endpointForm(visit: Visit, { action, title, go, form, error }: EndpointFormView): Html {
  if (!visit.maySend(action)) return html``
  const about = (name: string): Text | string | null => (error?.param === name ? error.message : null)
  return html`<form class="form card" method="post" action="${action}" novalidate>${formStart(visit)}
<h2>${title}</h2>
${failure(error !== null && error.param !== 'url' ? { message: error.param === 'events' ? TEXTS.chooseAtLeastOneEvent : error.message } : null)}
${formField({ name: 'url', label: DASHBOARD_WORDS.addressHttps, value: form.url, maxLength: 2048, error: about('url') })}
${formField({ name: 'description', label: WORDS.description, value: form.description, maxLength: 500, isRequired: false })}
<fieldset><legend>${WORDS.events}</legend><div class="pair">${WEBHOOK_EVENT_TYPES.map((type) => checkField(type, html`<code>${type}</code>`, form[type] === 'yes'))}</div></fieldset>
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
  const body = html`${live('title', heading(TEXTS.webhookEndpoint, statusBadge(endpoint)))}
${facts([
  [WORDS.address, theirs(endpoint.url)],
  [WORDS.description, theirs(endpoint.description)],
  [DASHBOARD_WORDS.created, dateText(endpoint.created_at)],
  [WORDS.identifier, endpoint.id],
])}
<div class="actions">
${actionButton(visit, `${here}/ping`, TEXTS.sendTest)}
${actionButton(visit, `${here}/${isOn ? 'disabled' : 'enabled'}`, isOn ? DASHBOARD_WORDS.turnOff : WORDS.turnOn)}
${confirmedAction(visit, `${here}/secret`, { ask: TEXTS.changeSecret, warn: TEXTS.for24HoursDeliveriesHave, go: TEXTS.createNewSecret })}
${confirmedAction(visit, `${here}/delete`, { ask: DASHBOARD_WORDS.delete, warn: TEXTS.nothingMoreWillBeSent, go: DASHBOARD_WORDS.delete })}
</div>
<section><h2>${TEXTS.latestDeliveries}</h2>${live('attempts', attemptTable(visit, attempts.ok ? attempts.body.data : []))}</section>
${endpointForm(visit, { action: `${here}/edit`, title: WORDS.edit, go: DASHBOARD_WORDS.save, form, error })}`
  const changes = ['webhook_endpoint.', 'delivery.'] as const
  visit.show({ title: TEXTS.webhookEndpoint, place: 'webhooks', live: changes, body }, error === null ? 200 : 400)
}

const ATTEMPTS: Readonly<Record<DeliveryAttempt['state'], readonly [words: Text | string, tone: Tone]>> = {
  succeeded: [WORDS.received, 'good'],
  failed: [DASHBOARD_WORDS.givenUp, 'bad'],
  pending: [TEXTS.nextAttemptPlanned, 'wait'],
}

/** Why an attempt has no answer, and what to do. */
const ATTEMPT_ERRORS: Readonly<Record<NonNullable<DeliveryAttempt['error']>, Text | string>> = {
  timeout: TEXTS.noAnswerInTimeAnswer,
  connection_failed: TEXTS.noConnectionCheckServerListens,
  tls_failed: TEXTS.certificateRejectedRenewCertificateServer,
  name_not_found: TEXTS.domainNameDoesNotExist,
  name_unresolved: TEXTS.domainNameCouldNotBe,
  forbidden_address: TEXTS.privateAddressWhichNotCalled,
  invalid_url: TEXTS.invalidAddressCorrectIt,
  https_required: TEXTS.addressMustBeginWithHttps,
  answer_too_large: TEXTS.answerTooLongAnswerWithout,
  invalid_answer: TEXTS.unreadableAnswerCheckServer,
  invalid_request: TEXTS.requestCouldNotBeMade,
  stopped: TEXTS.serviceStoppedDuringDelivery,
  endpoint_disabled: TEXTS.webhookEndpointDisabledEnableIt,
  endpoint_deleted: DASHBOARD_WORDS.webhookEndpointDeleted,
}

function answerText({ http_status, error }: DeliveryAttempt): Fragment {
  return http_status ?? (error === null ? theirs(null) : ATTEMPT_ERRORS[error])
}

function attemptTable(visit: Visit, attempts: readonly DeliveryAttempt[]): Html {
  return table(
    TEXTS.latestDeliveries,
    [
      {
        name: WORDS.date,
        cell: ({ event_id, created_at }) => html`<a href="${visit.to(`events/${event_id}`)}">${dateText(created_at)}</a>`,
      },
      { name: TEXTS.attempt, isFigure: true, cell: ({ attempt }) => attempt },
      { name: WORDS.answer, card: 'about', isProse: true, cell: answerText },
      { name: DASHBOARD_WORDS.duration, isFigure: true, cell: ({ duration_ms }) => WORDS.ms(duration_ms) },
      { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...ATTEMPTS[state]) },
      { name: TEXTS.nextAttempt, cell: ({ next_attempt_at }) => dateText(next_attempt_at) },
    ],
    attempts,
    TEXTS.nothingWasSentYet,
  )
}
