// API keys, which users create and revoke on the dashboard: one row for each route.

import type { EngineApi } from '../../../engine/api.ts'
import { CreateApiKeyBody, CreatedApiKey, SetKeyLimitsBody, wholeKeyLimits } from '../../../engine/contract/api-key.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { ApiKeyList, Deleted, ListApiKeysQuery, ListedApiKey } from '../../../engine/contract/dashboard.ts'
import { newApiKey } from '../../auth/keys/api-keys.ts'
import type { Seal } from '../../crypto/seal.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type Route, route, type SessionPrincipal } from '../../server/route.ts'
import { API_KEY } from '../dashboard/dashboard-examples.ts'
import { CREATED_API_KEY } from '../operator/operator-examples.ts'

const SECRET_FIELD = 'secret_key'

export interface ApiKeyRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Pick<Seal, 'seal'>
}

export function apiKeyRoutes(parts: ApiKeyRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/dashboard/api-keys',
      operationId: 'listApiKeys',
      tag: 'Dashboard',
      summary: 'List API keys',
      description: 'Keys of both environments; X-Environment has no effect. Secrets are not included: each was shown once.',
      auth: 'session',
      idempotency: 'none',
      query: ListApiKeysQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: ApiKeyList,
          example: { data: [API_KEY], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => answerApiKeys(parts, call, call.principal.merchant.id),
    }),
    route({
      method: 'POST',
      path: '/v1/dashboard/api-keys',
      operationId: 'createApiKey',
      tag: 'Dashboard',
      summary: 'Create an API key pair',
      description: `The secret is in this answer only. A replay with the same Idempotency-Key shows it again. The environment of the key is the body’s. A
merchant has 100 keys at most. \`limits\` bound what the key may pay.`,
      auth: 'session',
      idempotency: 'accepted',
      body: CreateApiKeyBody,
      bodyExample: { environment: 'test', scopes: ['disbursements.write'], label: 'Serveur de paie' },
      sealedField: SECRET_FIELD,
      responses: [{ status: 201, description: 'The key pair.', schema: CreatedApiKey, example: CREATED_API_KEY }],
      commands: ['CreateApiKey'],
      unreachable: ['not_found'],
      errors: ['unknown_field'],
      handle: (call) => createKey(parts, call),
    }),
    limitsRoute(),
    route({
      method: 'DELETE',
      path: '/v1/dashboard/api-keys/{id}',
      operationId: 'deleteApiKey',
      tag: 'Dashboard',
      summary: 'Revoke an API key pair',
      description: 'Requests with it are refused from the answer on.',
      auth: 'session',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the key.' }) },
      responses: [{ status: 200, description: 'Revoked.', schema: Deleted, example: { id: API_KEY.id, deleted: true } }],
      commands: ['RevokeApiKey'],
      errors: [],
      handle: revokeKey,
    }),
  ]
}

function limitsRoute(): Route {
  return route({
    method: 'PUT',
    path: '/v1/dashboard/api-keys/{id}/limits',
    operationId: 'setApiKeyLimits',
    tag: 'Dashboard',
    summary: 'Replace the limits of an API key',
    description: LIMITS_DESCRIPTION,
    auth: 'session',
    idempotency: 'none',
    params: { id: uuid({ description: 'Id of the key.' }) },
    body: SetKeyLimitsBody,
    bodyExample: LIMITS,
    responses: [{ status: 200, description: 'The key.', schema: ListedApiKey, example: { ...API_KEY, limits: LIMITS } }],
    commands: ['SetKeyLimits'],
    errors: [],
    handle: (call) => {
      const { merchant, account } = call.principal
      const keyId = String(call.params[0]).toLowerCase()
      call.submit(
        { type: 'SetKeyLimits', merchantId: merchant.id, keyId, limits: wholeKeyLimits(call.body), actedBy: call.principal.caller },
        account,
      )
    },
  })
}

const LIMITS = { payout_max: 250_000, day_max: 2_000_000 }

const LIMITS_DESCRIPTION = `Both are replaced: one that is absent or null is none. Payouts, lines of batches and runs of schedules that the key made fail with
\`key_limit_exceeded\` above them. The sum of a day (UTC) counts what the key has paid on it, also before it had limits; failed payouts do not count. The limits of a
revoked key still hold for the schedules that it made.`

type SessionCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, SessionPrincipal>

/** Answers the API keys of one merchant. The merchant's users and the operator use it. */
export function answerApiKeys(
  { engine }: Pick<ApiKeyRoutesParts, 'engine'>,
  call: Pick<Call<unknown, ListApiKeysQuery>, 'query' | 'refuse' | 'answer' | 'sealCursor'>,
  merchantId: string,
): void {
  answerPage(call, engine.query('apiKeys.list', { merchantId, query: call.query }))
}

function createKey(parts: ApiKeyRoutesParts, call: SessionCall<CreateApiKeyBody>): void {
  const { environment, scopes, label = '' } = call.body
  const { merchant, account, user } = call.principal
  const limits = wholeKeyLimits(call.body.limits)
  const { publicKey, secretKey, secretHash } = newApiKey(environment)
  const sealedSecret = parts.seal.seal(SECRET_FIELD, secretKey)
  const key = { merchantId: merchant.id, environment, scopes, label, limits, publicKey, secretHash, sealedSecret, madeBy: user.id }
  call.submit({ type: 'CreateApiKey', ...key, by: 'dashboard' }, account)
}

function revokeKey(call: SessionCall): void {
  const { merchant, account, caller } = call.principal
  const keyId = String(call.params[0]).toLowerCase()
  call.submit({ type: 'RevokeApiKey', merchantId: merchant.id, keyId, by: 'dashboard', actedBy: caller }, account)
}
