// Index keys of decisions about billers and versions of products.
import type { IndexKey } from '../../kernel/index-key.ts'
import type { IndexEntries, IndexEvent } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import { BILLER_DECISIONS, type BillerProfile, type ProductVersion } from './biller-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const BILLER_INDEX_KEYS = { billerDecisions: 80, productVersions: 81 } as const

const KEYS = BILLER_INDEX_KEYS

export const BILLER_INDEXED: Readonly<Record<string, IndexEvent>> = {
  ...Object.fromEntries(BILLER_DECISIONS.map((type) => [type, indexDecision])),
  'product.saved': indexProduct,
}

function indexDecision(event: StoredEvent, index: number, entries: IndexEntries): void {
  entries.addEntry(KEYS.billerDecisions, 0, payloadOf<BillerProfile>(event).slug, index)
}

function indexProduct(event: StoredEvent, index: number, entries: IndexEntries): void {
  const { biller, slug } = payloadOf<ProductVersion>(event)
  entries.addEntry(KEYS.productVersions, 0, `${biller}/${slug}`, index)
}

/** What operators decided about a biller; each event holds the whole profile of that moment. */
export function billerDecisionsIndexKey(slug: string): IndexKey {
  return { kind: KEYS.billerDecisions, owner: 0, value: slug }
}

/** All versions of a product, by the slugs of biller and product. */
export function productVersionsIndexKey(biller: string, slug: string): IndexKey {
  return { kind: KEYS.productVersions, owner: 0, value: `${biller}/${slug}` }
}
