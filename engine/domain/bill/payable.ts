// What a wallet may pay: products of billers that the directory shows in its environment.
import { assert } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { BillerProfile, ProductDefinition, ProductRow } from '../biller/biller-state.ts'
import type { Past } from '../decision.ts'
import type { MerchantRow } from '../merchant/merchant-state.ts'
import type { State } from '../state.ts'

export interface Payable {
  readonly biller: BillerProfile
  readonly product: ProductRow
  readonly definition: ProductDefinition
  readonly merchant: MerchantRow
}

/** A biller that only the test helper has approved is there for test wallets alone. */
export function isListed({ directory_state, live }: BillerProfile, environment: Environment): boolean {
  return directory_state === 'published' && (live || environment === 'test')
}

export function listedBiller(state: State, environment: Environment, slug: string): BillerProfile | undefined {
  const biller = state.billers.profiles.get(slug)
  return biller !== undefined && isListed(biller, environment) ? biller : undefined
}

export interface ProductPath {
  readonly environment: Environment
  /** Slugs. */
  readonly biller: string
  readonly product: string
}

/** Or why not: biller_not_found, product_not_found, product_inactive, in this precedence. */
export function findPayable(
  state: State,
  past: Past,
  path: ProductPath,
): Payable | 'biller_not_found' | 'product_not_found' | 'product_inactive' {
  const biller = listedBiller(state, path.environment, path.biller)
  if (biller === undefined) return 'biller_not_found'
  const product = state.billers.product(biller.slug, path.product)
  if (product === undefined) return 'product_not_found'
  if (product.state !== 'active') return 'product_inactive'
  const merchant = state.merchants.merchants.get(biller.merchant_id)
  assert(merchant !== undefined, 'a biller is a merchant')
  return { biller, product, definition: state.billers.definitionOf(product, past), merchant }
}
