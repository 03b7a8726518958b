// API keys: creation, which shows the secret once, the list with the time of last use, and revocation.

import { type CreatedApiKey, SCOPES } from '../../../../engine/contract/api-key.ts'
import type { ListedApiKey } from '../../../../engine/contract/dashboard.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { checkField, confirmedAction, dateText, failure, formStart, heading, table } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { keyName } from '../shared/record-parts.ts'
import { copyButton } from '../shared/share-links.ts'
import { TEXTS } from './key-pages-messages.ts'

const SCOPE_NAMES: Readonly<Record<(typeof SCOPES)[number], Text>> = {
  'disbursements.write': TEXTS.paySingleBulkAndScheduled,
  'disbursements.approve': TEXTS.approveDisbursements,
  'billers.write': TEXTS.editProductsBiller,
}

const FIELDS = ['label', ...SCOPES] as const

export function keyRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, { path: '/keys', operationId: 'showKeys', summary: 'API keys', show: (visit) => showKeys(visit, null) }),
    formRow(parts, {
      path: '/keys',
      operationId: 'sendKey',
      needs: 'createApiKey',
      summary: 'Make an API key',
      fields: FIELDS,
      act: createKey,
    }),
    formRow(parts, {
      path: '/keys/{id}/revoke',
      operationId: 'sendKeyRevocation',
      needs: 'deleteApiKey',
      summary: 'Revoke an API key',
      fields: [],
      act: async (visit) => {
        const answer = await visit.ask('deleteApiKey', { params: visit.params })
        if (answer.ok) visit.goTo('keys', 'key_revoked')
        else await showKeys(visit, answer.error)
      },
    }),
  ]
}

/** Creates a key and answers the page with its secret, without a redirect: an address must not contain the secret. */
async function createKey(visit: Visit, sent: Sent<(typeof FIELDS)[number] | 'key'>): Promise<void> {
  const scopes = SCOPES.filter((scope) => sent[scope] === 'yes')
  const answer = await visit.ask<CreatedApiKey>('createApiKey', {
    body: { environment: visit.environment, scopes, label: sent.label.trim() },
    idempotencyKey: sent.key,
  })
  if (!answer.ok) return showKeys(visit, answer.error)
  const { public_key, secret_key } = answer.body
  const body = html`${heading(TEXTS.newKey)}
<section class="card"><p>${TEXTS.copySecretNowItShown}</p>
<p><label for="public">X-Api-Key</label><input id="public" value="${public_key}" readonly></p>
${copyButton('public', TEXTS.copyKey)}
<p><label for="secret">X-Api-Secret</label><input id="secret" value="${secret_key}" readonly></p>
${copyButton('secret', DASHBOARD_WORDS.copySecret)}</section>
<p><a class="button quiet" href="${visit.to('keys')}">${DASHBOARD_WORDS.iHaveCopiedSecret}</a></p>`
  visit.show({ title: TEXTS.newApiKey, place: 'keys', body }, 201)
}

async function showKeys(visit: Visit, error: ApiError | null): Promise<void> {
  const { environment } = visit
  const answer = await visit.ask<{ readonly data: readonly ListedApiKey[] }>('listApiKeys', { query: { environment, limit: '100' } })
  const keys = answer.ok ? answer.body.data : []
  const body = html`${heading(environment === 'test' ? TEXTS.testApiKeys : TEXTS.productionApiKeys)}
${failure(error)}
${table(
  WORDS.apiKeys,
  [
    { name: WORDS.name, cell: ({ label, public_key }) => keyName(label, public_key) },
    { name: 'X-Api-Key', cell: ({ public_key }) => html`<code>${public_key}</code>` },
    {
      name: WORDS.rights,
      cell: ({ scopes }) =>
        scopes.length === 0 ? DASHBOARD_WORDS.charge : html`${TEXTS.charge(scopes.map((scope) => html`<br>${SCOPE_NAMES[scope]}`))}`,
    },
    { name: WORDS.created, cell: ({ created_at }) => dateText(created_at) },
    { name: TEXTS.lastUse, cell: ({ last_used_at }) => dateText(last_used_at) },
    {
      name: WORDS.action,
      card: 'action',
      cell: ({ id }) =>
        confirmedAction(visit, visit.to(`keys/${id}/revoke`), {
          ask: WORDS.revoke,
          warn: TEXTS.requestsWithKeyWillBe,
          go: WORDS.revokeKey,
        }),
    },
  ],
  keys,
  TEXTS.noKeysYet,
)}
${visit.maySend(visit.to('keys')) && keyForm(visit)}`
  visit.show({ title: WORDS.apiKeys, place: 'keys', body }, error === null ? 200 : 400)
}

function keyForm(visit: Visit): Html {
  return html`<form class="form card" method="post" action="${visit.to('keys')}">${formStart(visit)}
<h2>${TEXTS.newKey2}</h2>
${formField({ name: 'label', label: WORDS.name, hint: TEXTS.forListsWhereItUsed, maxLength: 100, isRequired: false })}
<fieldset><legend>${TEXTS.whatItMayDoBesides}</legend>${SCOPES.map((scope) => checkField(scope, SCOPE_NAMES[scope], false))}</fieldset>
<button type="submit">${TEXTS.createKey}</button></form>`
}
