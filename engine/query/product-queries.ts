// Queries for products of billers, for their merchant and for wallets.
import type { PageQuery } from '../contract/common.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { findPayable, type Payable, type ProductPath } from '../domain/bill/payable.ts'
import { seenProduct } from '../domain/biller/biller-product-decide.ts'
import type { BillerProfile, ProductDefinition, ProductRow } from '../domain/biller/biller-state.ts'
import { billerOf } from '../domain/biller/biller-versions.ts'
import type { OfAccount } from './account-queries.ts'
import { type ListInput, type ListPage, statePage } from './list-page.ts'
import type { Reads } from './reads.ts'

/** Maximum of JSON in a page, in UTF-16 units. A page of products with long code ends early. */
const PAGE_LENGTH_MAX = 2 * 1024 * 1024

export interface OwnSlug extends OfAccount {
  readonly slug: string
}

export interface OwnProduct {
  readonly biller: BillerProfile
  readonly product: ProductRow
  readonly definition: ProductDefinition
}

/** Returns a product of the merchant that owns the account. */
export function ownProduct(reads: Reads, input: OwnSlug): OwnProduct | null {
  const found = find(reads, input)
  return found === null ? null : { ...found, definition: reads.state.billers.definitionOf(found.product, reads.history) }
}

export function hasProduct(reads: Reads, input: OwnSlug): boolean {
  return find(reads, input) !== null
}

/** Returns JSON text of the product for its merchant. */
export function getProduct(reads: Reads, input: OwnSlug): string | null {
  const found = find(reads, input)
  return found === null ? null : JSON.stringify(seenProduct(reads.state, found.product, reads.history))
}

/** Returns null when the cursor belongs to another kind of list. */
export function listProducts({ state, history }: Reads, { account, query }: ListInput<PageQuery>): ListPage | null {
  const biller = billerOf(state, account)
  const rows = biller === undefined ? [] : state.billers.productsOf(biller.slug)
  return statePage(query, { rows, render: (product) => seenProduct(state, product, history), lengthMax: PAGE_LENGTH_MAX })
}

/** Returns the product that a wallet of the environment may pay, or the code of the rejection. */
export function payableProduct({ state, history }: Reads, path: ProductPath): Payable | ErrorCode {
  return findPayable(state, history, path)
}

function find({ state }: Reads, { account, slug }: OwnSlug): Omit<OwnProduct, 'definition'> | null {
  const biller = billerOf(state, account)
  const product = biller === undefined ? undefined : state.billers.product(biller.slug, slug)
  return biller === undefined || product === undefined ? null : { biller, product }
}
