// Lookups of the operator: a merchant's API keys, wallets by phone or tag.
import type { EngineApi } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { ApiKeyList, ListApiKeysQuery } from '../../../engine/contract/dashboard.ts'
import { FindWalletsQuery, OperatorWalletList } from '../../../engine/contract/operator.ts'
import { ENVIRONMENTS } from '../../../engine/kernel/environment.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type OperatorPrincipal, type Route, route } from '../../server/route.ts'
import { API_KEY } from '../dashboard/dashboard-examples.ts'
import { answerApiKeys } from '../merchants/api-key-routes.ts'
import { OPERATOR_WALLET } from './operator-examples.ts'

export interface OperatorLookupParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function operatorLookupRoutes(parts: OperatorLookupParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/operator/merchants/{id}/api-keys',
      operationId: 'listMerchantApiKeys',
      tag: 'Operator',
      summary: 'List the API keys of a merchant',
      description: 'Of both environments, without their secrets.',
      auth: 'operator',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the merchant.' }) },
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
      handle: (call) => listKeys(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/operator/wallets',
      operationId: 'findWallets',
      tag: 'Operator',
      summary: 'Find a wallet by tag or phone',
      description: 'At most one of each environment; an empty list where there is none.',
      auth: 'operator',
      idempotency: 'none',
      query: FindWalletsQuery,
      responses: [
        {
          status: 200,
          description: 'What was found, in the form of a list.',
          schema: OperatorWalletList,
          example: { data: [OPERATOR_WALLET], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => findWallets(parts, call),
    }),
  ]
}

function listKeys(parts: OperatorLookupParts, call: Call<unknown, ListApiKeysQuery, OperatorPrincipal>): void {
  const merchant = parts.engine.query('merchants.byId', { id: String(call.params[0]).toLowerCase() })
  if (merchant === null) call.refuse('not_found')
  else answerApiKeys(parts, call, merchant.id)
}

function findWallets(parts: OperatorLookupParts, call: Call<unknown, FindWalletsQuery, OperatorPrincipal>): void {
  const { q, environment } = call.query
  const { engine } = parts
  const tag = normalizeTag(q) ?? ''
  const found = q.startsWith('+')
    ? [engine.query('wallets.byPhone', { phone: q })]
    : ENVIRONMENTS.map((name) => engine.query('wallets.byTag', { environment: name, tag }))
  const rows = found
    .filter((wallet) => wallet !== null)
    .map(({ account }) => engine.query('wallets.forOperator', { account }))
    .filter((row) => row !== null && (environment === undefined || row.environment === environment))
  answerPage(call, { rows: rows.map((row) => JSON.stringify(row)), nextCursor: null })
}
