// The directory: which billers there are, what may be paid there, and the form of a product.
import { slugParam } from '../../../engine/contract/bill.ts'
import { DirectoryBillerDetail, DirectoryBillerList, DirectoryProduct, ListDirectoryQuery } from '../../../engine/contract/directory.ts'
import { findPayable, listedBiller } from '../../../engine/domain/bill/payable.ts'
import type { House } from '../../app/house.ts'
import { rowsPage } from '../../lists/lists.ts'
import { type Call, type Route, route, type WalletPrincipal } from '../../server/route.ts'
import { logosBase } from '../billers/logo-file.ts'
import { directoryBiller, directoryDetail, directoryProduct, listedBillers } from './directory.ts'
import { DIRECTORY_BILLER, DIRECTORY_DETAIL, DIRECTORY_PRODUCT } from './directory-examples.ts'

const PATH = '/v1/me/directory'
const TAG = 'Wallet directory'
const BILLER = slugParam('Slug of the biller.')

export function directoryRoutes(house: House): readonly Route[] {
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
      handle: (call) => list(house, call),
    }),
    route({
      method: 'GET',
      path: `${PATH}/{biller}`,
      operationId: 'getDirectoryBiller',
      tag: TAG,
      summary: 'Get a biller and its products',
      auth: 'wallet',
      idempotency: 'none',
      params: { biller: BILLER },
      responses: [{ status: 200, description: 'The biller.', schema: DirectoryBillerDetail, example: DIRECTORY_DETAIL }],
      errors: ['biller_not_found'],
      handle: (call) => getBiller(house, call),
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
      handle: (call) => getProduct(house, call),
    }),
  ]
}

type WalletCall<Query = Record<string, unknown>> = Call<unknown, Query, WalletPrincipal>

function list(house: House, call: WalletCall<ListDirectoryQuery>): void {
  const { state } = house.engine
  const rows = listedBillers(state, call.principal.environment, call.query)
  const base = logosBase(house)
  const page = rowsPage(rows, call.query, (biller) => directoryBiller(biller, base))
  if (page === null) return call.refuse('invalid_parameter', 'cursor')
  call.answer(200, page)
}

function getBiller(house: House, call: WalletCall): void {
  const { state } = house.engine
  const biller = listedBiller(state, call.principal.environment, String(call.params[0]))
  if (biller === undefined) return call.refuse('biller_not_found')
  call.answer(200, JSON.stringify(directoryDetail(state, biller, logosBase(house))))
}

function getProduct(house: House, call: WalletCall): void {
  const { state, history } = house.engine
  const { environment } = call.principal
  const payable = findPayable(state, history, { environment, biller: String(call.params[0]), product: String(call.params[1]) })
  if (typeof payable === 'string') return call.refuse(payable)
  call.answer(200, JSON.stringify(directoryProduct(payable)))
}
