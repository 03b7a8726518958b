// Queries for products of billers: as their merchant sees them, and as wallets may pay them.
import type { PageQuery } from '../contract/common.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { findPayable, type Payable, type ProductPath } from '../domain/bill/payable.ts'
import { seenProduct } from '../domain/biller/biller-product-decide.ts'
import type { BillerProfile, ProductDefinition, ProductRow } from '../domain/biller/biller-state.ts'
import { billerOf } from '../domain/biller/biller-versions.ts'
import type { OfAccount } from './account-queries.ts'
import { type ListInput, type ListPage, statePage } from './list-page.ts'
import type { Reads } from './reads.ts'

/** A page of products with long code ends early. UTF-16 units of JSON. */
const PAGE_LENGTH_MAX = 2 * 1024 * 1024

export interface OwnSlug extends OfAccount {
  readonly slug: string
}

export interface OwnProduct {
  readonly biller: BillerProfile
  readonly product: ProductRow
  readonly definition: ProductDefinition
}

/** A product of the merchant that the account belongs to. */
export function ownProduct(reads: Reads, input: OwnSlug): OwnProduct | null {
  const found = find(reads, input)
  return found === null ? null : { ...found, definition: reads.state.billers.definitionOf(found.product, reads.history) }
}

export function hasProduct(reads: Reads, input: OwnSlug): boolean {
  return find(reads, input) !== null
}

/** JSON text of the product as its merchant sees it. */
export function getProduct(reads: Reads, input: OwnSlug): string | null {
  const found = find(reads, input)
  return found === null ? null : JSON.stringify(seenProduct(reads.state, found.product, reads.history))
}

/** Null when the cursor belongs to another kind of list. */
export function listProducts({ state, history }: Reads, { account, query }: ListInput<PageQuery>): ListPage | null {
  const biller = billerOf(state, account)
  const rows = biller === undefined ? [] : state.billers.productsOf(biller.slug)
  return statePage(query, { rows, render: (product) => seenProduct(state, product, history), lengthMax: PAGE_LENGTH_MAX })
}

/** What a wallet of the environment may pay, or the code of the rejection. */
export function payableProduct({ state, history }: Reads, path: ProductPath): Payable | ErrorCode {
  return findPayable(state, history, path)
}

function find({ state }: Reads, { account, slug }: OwnSlug): Omit<OwnProduct, 'definition'> | null {
  const biller = billerOf(state, account)
  const product = biller === undefined ? undefined : state.billers.product(biller.slug, slug)
  return biller === undefined || product === undefined ? null : { biller, product }
}
