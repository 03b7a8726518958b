// The versions of a product in the log. The first is whole; a later one holds the fields of the definition that differ from a
// version that is whole.
import type { Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import {
  type DefinitionChange,
  definitionIn,
  type ProductDefinition,
  type ProductRow,
  type ProductState,
  type ProductVersion,
  type WholeProduct,
} from './biller-state.ts'

/** A product as its merchant sees it. */
export interface PublicProduct extends ProductDefinition {
  readonly slug: string
  readonly has_secret: boolean
  readonly state: ProductState
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

type Shown = Pick<ProductRow, 'slug' | 'sealed_secret' | 'state' | 'version' | 'created_at' | 'updated_at'>

export function publicProduct(product: Shown, definition: ProductDefinition): PublicProduct {
  const { slug, sealed_secret, state, version, created_at, updated_at } = product
  return { slug, ...definition, has_secret: sealed_secret !== null, ...{ state, version, created_at, updated_at } }
}

/** How the next version is written: whole, or as a change where that takes less than half of it. */
export function writtenDefinition(
  definition: ProductDefinition,
  before: Pick<ProductRow, 'position'> | undefined,
  past: Pick<Past, 'eventAt'>,
): { readonly definition: ProductDefinition } | DefinitionChange {
  if (before === undefined) return { definition }
  const newest = payloadOf<ProductVersion>(past.eventAt(before.position))
  const whole_position = 'definition' in newest ? before.position : newest.whole_position
  const { definition: whole } = payloadOf<WholeProduct>(past.eventAt(whole_position))
  const changed = (Object.keys(definition) as (keyof ProductDefinition)[]).filter(
    (name) => JSON.stringify(definition[name]) !== JSON.stringify(whole[name]),
  )
  const changes: Partial<ProductDefinition> = Object.fromEntries(changed.map((name) => [name, definition[name]]))
  return 2 * JSON.stringify(changes).length < JSON.stringify(definition).length ? { whole_position, changes } : { definition }
}

/** Events whose text is not the product. */
export const PRODUCT_DOCUMENTS = {
  'product.saved@1': (saved: StoredEvent, past: Pick<Past, 'eventAt'>): string =>
    JSON.stringify(publicProduct(payloadOf<ProductVersion>(saved), definitionIn(saved, past))),
} as const
