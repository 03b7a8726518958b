// Target of a product's lookup, for customers and for the merchant's trials.
import type { ProductDefinition, ProductRow } from '../../../engine/api.ts'
import type { LookupAddress } from './lookups.ts'

/** Returns the target; null for a mode without lookup. */
export function lookupAddress({ sealed_secret }: Pick<ProductRow, 'sealed_secret'>, definition: ProductDefinition): LookupAddress | null {
  const { amount_mode, lookup_integration, lookup_url, lookup_code } = definition
  if (amount_mode !== 'lookup') return null
  if (lookup_integration === 'code') return lookup_code === null ? null : { kind: 'code', source: lookup_code }
  return lookup_url === null ? null : { kind: 'webhook', url: lookup_url, sealedSecret: sealed_secret }
}
