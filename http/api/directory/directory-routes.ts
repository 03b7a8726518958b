// The directory of billers for wallets: billers, their products, and the form of a product.
import type { EngineApi } from '../../../engine/api.ts'
import { slugParam } from '../../../engine/contract/bill.ts'
import { DirectoryBillerDetail, DirectoryBillerList, DirectoryProduct, ListDirectoryQuery } from '../../../engine/contract/directory.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type Route, route, type WalletPrincipal } from '../../server/route.ts'
import { logosBase, type PublicAddress } from '../billers/logo-file.ts'
import { DIRECTORY_BILLER, DIRECTORY_DETAIL, DIRECTORY_PRODUCT } from './directory-examples.ts'

const PATH = '/v1/me/directory'
const TAG = 'Wallet directory'
const BILLER = slugParam('Slug of the biller.')

export interface DirectoryRoutesParts extends PublicAddress {
  readonly engine: Pick<EngineApi, 'query'>
}

export function directoryRoutes(parts: DirectoryRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listDirectory',
      tag: TAG,
      summary: 'Find a biller',
      description: 'Published billers. Newest first by the creation of their profiles.',
      auth: 'wallet',
      idempotency: 'none',
      query: ListDirectoryQuery,
      responses: [
        {
          status: 200,
          description: 'One page.',
          schema: DirectoryBillerList,
          example: { data: [DIRECTORY_BILLER], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => list(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{biller}`,
      operationId: 'getDirectoryBiller',
      tag: TAG,
      summary: 'Get a biller and its products',
      description: 'Published billers only, with their active products and forms.',
      auth: 'wallet',
      idempotency: 'none',
      params: { biller: BILLER },
      responses: [{ status: 200, description: 'The biller.', schema: DirectoryBillerDetail, example: DIRECTORY_DETAIL }],
      errors: ['biller_not_found'],
      handle: (call) => getBiller(parts, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{biller}/products/{slug}`,
      operationId: 'getDirectoryProduct',
      tag: TAG,
      summary: 'Get a product with its form',
      description: 'A product that its merchant has taken out of the app for now is `product_inactive`.',
      auth: 'wallet',
      idempotency: 'none',
      params: { biller: BILLER, slug: slugParam('Slug of the product.') },
      responses: [{ status: 200, description: 'The product.', schema: DirectoryProduct, example: DIRECTORY_PRODUCT }],
      errors: ['biller_not_found', 'product_not_found', 'product_inactive'],
      handle: (call) => getProduct(parts, call),
    }),
  ]
}

type WalletCall<Query = Record<string, unknown>> = Call<unknown, Query, WalletPrincipal>

function list(parts: DirectoryRoutesParts, call: WalletCall<ListDirectoryQuery>): void {
  const { environment, account } = call.principal
  const currency = parts.engine.query('accounts.currency', { account })
  answerPage(call, parts.engine.query('directory.list', { environment, currency, query: call.query, logosBase: logosBase(parts) }))
}

function getBiller(parts: DirectoryRoutesParts, call: WalletCall): void {
  const { environment } = call.principal
  const found = parts.engine.query('directory.biller', { environment, biller: String(call.params[0]), logosBase: logosBase(parts) })
  if (found === null) return call.refuse('biller_not_found')
  call.answer(200, JSON.stringify(found))
}

function getProduct(parts: DirectoryRoutesParts, call: WalletCall): void {
  const { environment } = call.principal
  const path = { environment, biller: String(call.params[0]), product: String(call.params[1]) }
  const found = parts.engine.query('directory.product', path)
  if (typeof found === 'string') return call.refuse(found)
  call.answer(200, JSON.stringify(found))
}
