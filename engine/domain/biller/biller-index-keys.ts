// Index keys of decisions about billers and versions of products.
import type { Filing, IndexEvent } from '../noun-module.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import { BILLER_DECISIONS, type BillerProfile, type ProductVersion } from './biller-state.ts'

/** Archives store these numbers: add new ones, never change or reuse one. */
export const BILLER_INDEX_KEYS = { billerDecisions: 80, productVersions: 81 } as const

const KEYS = BILLER_INDEX_KEYS

export const BILLER_INDEXED: Readonly<Record<string, IndexEvent>> = {
  ...Object.fromEntries(BILLER_DECISIONS.map((type) => [type, indexDecision])),
  'product.saved': indexProduct,
}

function indexDecision(event: StoredEvent, index: number, filing: Filing): void {
  filing.file(KEYS.billerDecisions, 0, payloadOf<BillerProfile>(event).slug, index)
}

function indexProduct(event: StoredEvent, index: number, filing: Filing): void {
  const { biller, slug } = payloadOf<ProductVersion>(event)
  filing.file(KEYS.productVersions, 0, `${biller}/${slug}`, index)
}
