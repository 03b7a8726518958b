// Lookups of the operator: a merchant's API keys, wallets by phone or tag.
import type { EngineApi, QueryAnswer } from '../../../engine/api.ts'
import { LIST_LIMIT_DEFAULT, uuid } from '../../../engine/contract/common.ts'
import { decodeCursor, encodeCursor } from '../../../engine/contract/cursor.ts'
import { ApiKeyList, ListApiKeysQuery } from '../../../engine/contract/dashboard.ts'
import { FindWalletsQuery, type OperatorWallet, OperatorWalletList } from '../../../engine/contract/operator.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { ENVIRONMENTS } from '../../../engine/kernel/environment.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { SLICE_COST, WALLETS_PER_SLICE } from '../../lists/list-limits.ts'
import { fairWork, ownerOf } from '../../server/fair-work.ts'
import { later } from '../../server/later.ts'
import { type Call, type OperatorPrincipal, type Route, route } from '../../server/route.ts'
import { API_KEY } from '../dashboard/dashboard-examples.ts'
import { answerApiKeys } from '../merchants/api-key-routes.ts'
import { walletFor } from './masked-phone.ts'
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
      summary: 'Find wallets by tag, phone or name',
      description:
        'A part of three characters is enough. The wallets of the whole tag or phone come first, then the others in the order of their creation. `support` reads phones masked: `POST /v1/operator/wallets/{tag}/phone` shows one.',
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

/** Wallets of the whole tag or phone come first, then those that have the text in them, in the order of their creation. */
function findWallets({ engine }: OperatorLookupParts, call: WalletCall): void {
  const { q, environment = null, cursor, limit = LIST_LIMIT_DEFAULT } = call.query
  const place = cursor === undefined ? null : decodeCursor(cursor)
  if (place !== null && !('position' in place)) return call.refuse('invalid_parameter', 'cursor', because('cursor'))
  const exact = exactWallets(engine, q).filter((row) => environment === null || row.environment === environment)
  const known = new Set(exact.map(({ id }) => id))
  later(call, async () => {
    const rows = place === null ? [...exact] : []
    let offset: number | null = place?.position ?? 0
    while (offset !== null && rows.length < limit) {
      // One wallet a slice would be slow, and a slice that finds more than the page holds would lose the rest.
      const slice: QueryAnswer<'wallets.search'> = engine.query('wallets.search', {
        ...{ environment, q, offset, readMax: WALLETS_PER_SLICE, foundMax: limit - rows.length },
      })
      rows.push(...slice.wallets.filter(({ id }) => !known.has(id)))
      offset = slice.next
      if (offset !== null) await fairWork.turn(ownerOf(call), SLICE_COST)
    }
    answerPage(call, {
      rows: rows.slice(0, limit).map((row) => JSON.stringify(walletFor(call.principal, row))),
      nextCursor: offset === null ? null : encodeCursor({ position: offset }),
    })
  })
}

type WalletCall = Call<unknown, FindWalletsQuery, OperatorPrincipal>

function exactWallets(engine: OperatorLookupParts['engine'], q: string): OperatorWallet[] {
  const tag = normalizeTag(q) ?? ''
  const found = q.startsWith('+')
    ? [engine.query('wallets.byPhone', { phone: q })]
    : ENVIRONMENTS.map((environment) => engine.query('wallets.byTag', { environment, tag }))
  return found.flatMap((wallet) => (wallet === null ? [] : (engine.query('wallets.forOperator', { account: wallet.account }) ?? [])))
}
