// Queries for the directory of billers, for wallets. They return only the named fields of the contract, never
// secrets, addresses or code of merchants.
import { CATEGORIES } from '../contract/biller.ts'
import type { DirectoryBiller, DirectoryBillerDetail, DirectoryProduct, ListDirectoryQuery } from '../contract/directory.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { findPayable, isListed, listedBiller, type Payable, type ProductPath } from '../domain/bill/payable.ts'
import type { BillerProfile, ProductRow } from '../domain/biller/biller-state.ts'
import { logoUrl } from '../domain/logo-files.ts'
import type { Currency } from '../kernel/currency.ts'
import type { Environment } from '../kernel/environment.ts'
import type { WithLogos } from './biller-queries.ts'
import { isFound, wordsOf } from './biller-search.ts'
import { type ListPage, statePage } from './list-page.ts'
import type { Reads } from './reads.ts'

export interface DirectoryInput extends WithLogos {
  /** Environment of the wallet. */
  readonly environment: Environment
  /** Currency of the wallet. */
  readonly currency: Currency
  readonly query: ListDirectoryQuery
}

/** Lists published billers. Returns null when the cursor belongs to another kind of list. */
export function listDirectory({ state }: Reads, { environment, currency, query, logosBase }: DirectoryInput): ListPage | null {
  return statePage(query, {
    rows: listedBillers(state, { environment, currency }, query),
    render: (biller) => directoryBiller(biller, logosBase),
  })
}

export interface DirectoryBillerInput extends WithLogos {
  readonly environment: Environment
  /** Slug of the biller. */
  readonly biller: string
}

/** Returns the biller with its active products; null when wallets of the environment may not see it. */
export function directoryDetail(
  { state }: Reads,
  { environment, biller: slug, logosBase }: DirectoryBillerInput,
): DirectoryBillerDetail | null {
  const biller = listedBiller(state, environment, slug)
  if (biller === undefined) return null
  const active = state.billers.productsOf(slug).filter((product) => product.state === 'active')
  return { ...directoryBiller(biller, logosBase), products: active.map(productHead) }
}

/** Returns the product with its form, or the code of the rejection. */
export function directoryProduct({ state, history }: Reads, path: ProductPath): DirectoryProduct | ErrorCode {
  const payable = findPayable(state, history, path)
  return typeof payable === 'string' ? payable : shownProduct(payable)
}

const LABELS: ReadonlyMap<string, string> = new Map(CATEGORIES.map(({ slug, label }) => [slug, label]))

/**
 * Returns the billers that match the query and that the environment's wallets of the currency may pay. One pass over 10 000 takes 3
 * to 8 ms, and 90 ms once, while the search texts are built.
 */
function* listedBillers(
  state: Reads['state'],
  { environment, currency }: Pick<DirectoryInput, 'environment' | 'currency'>,
  { category, q = '' }: ListDirectoryQuery,
): Generator<BillerProfile> {
  const words = wordsOf(q)
  for (const biller of state.billers.profiles.values()) {
    if (!isListed(biller, environment) || (category !== undefined && biller.category !== category)) continue
    if (state.merchants.merchants.get(biller.merchant_id)?.currency !== currency) continue
    if (isFound(biller, labelOf(biller), words)) yield biller
  }
}

function directoryBiller(biller: BillerProfile, logosBase: string): DirectoryBiller {
  const { slug, display_name, short_desc, logo } = biller
  const category = biller.category as DirectoryBiller['category']
  return { slug, display_name, category, category_label: labelOf(biller), short_desc, logo_url: logoUrl(logo, logosBase) }
}

function shownProduct({ biller, product, definition, merchant }: Payable): DirectoryProduct {
  const { schema, packages, min, max, presets } = definition
  const form = { schema, packages, min, max, presets } as Pick<DirectoryProduct, 'schema' | 'packages' | 'min' | 'max' | 'presets'>
  return { biller: biller.slug, ...productHead(product), currency: merchant.currency, ...form }
}

function productHead({ slug, title, amount_mode }: ProductRow): DirectoryBillerDetail['products'][number] {
  return { slug, title, amount_mode }
}

function labelOf({ category }: BillerProfile): string {
  return LABELS.get(category) ?? category
}
