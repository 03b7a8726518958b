// What wallets see of billers and products: the fields of the contract, by name. Secrets, addresses and code of merchants
// must never pass here.
import { CATEGORIES } from '../../../engine/contract/biller.ts'
import type { DirectoryBiller, DirectoryBillerDetail, DirectoryProduct, ListDirectoryQuery } from '../../../engine/contract/directory.ts'
import { isListed, type Payable } from '../../../engine/domain/bill/payable.ts'
import type { Biller, Product } from '../../../engine/domain/biller/biller-state.ts'
import { logoUrl } from '../../../engine/domain/biller/biller-versions.ts'
import type { State } from '../../../engine/domain/state.ts'
import { CURRENCY } from '../../../engine/kernel/amount.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { isFound, wordsOf } from './search.ts'

const LABELS: ReadonlyMap<string, string> = new Map(CATEGORIES.map(({ slug, label }) => [slug, label]))

/** Billers that the environment's wallets may see and the query asks for. One pass over all: 3 to 8 ms of 10 000, and 90 ms once, when the texts that are searched are made. */
export function* listedBillers(state: State, environment: Environment, { category, q = '' }: ListDirectoryQuery): Generator<Biller> {
  const words = wordsOf(q)
  for (const biller of state.billers.profiles.values()) {
    if (!isListed(biller, environment) || (category !== undefined && biller.category !== category)) continue
    if (isFound(biller, labelOf(biller), words)) yield biller
  }
}

export function directoryBiller(biller: Biller, logosBase: string): DirectoryBiller {
  const { slug, display_name, short_desc, logo } = biller
  const category = biller.category as DirectoryBiller['category']
  return { slug, display_name, category, category_label: labelOf(biller), short_desc, logo_url: logoUrl(logo, logosBase) }
}

export function directoryDetail(state: State, biller: Biller, logosBase: string): DirectoryBillerDetail {
  const active = state.billers.productsOf(biller.slug).filter((product) => product.state === 'active')
  return { ...directoryBiller(biller, logosBase), products: active.map(productHead) }
}

export function directoryProduct({ biller, product, definition }: Payable): DirectoryProduct {
  const { schema, packages, min, max, presets } = definition
  const form = { schema, packages, min, max, presets } as Pick<DirectoryProduct, 'schema' | 'packages' | 'min' | 'max' | 'presets'>
  return { biller: biller.slug, ...productHead(product), currency: CURRENCY, ...form }
}

function productHead({ slug, title, amount_mode }: Product): DirectoryBillerDetail['products'][number] {
  return { slug, title, amount_mode }
}

function labelOf({ category }: Biller): string {
  return LABELS.get(category) ?? category
}
