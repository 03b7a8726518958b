// The state of a biller and its products at the latest operator decision, read from the log.
import type { Hit } from '../actor/index-hit.ts'
import { billerDecisionsIndexKey, productVersionsIndexKey } from '../domain/biller/biller-index-keys.ts'
import {
  BILLER_DECISIONS,
  type BillerProfile,
  definitionIn,
  type ProductDefinition,
  type ProductRow,
  type ProductVersion,
} from '../domain/biller/biller-state.ts'
import { payloadOf, type StoredEvent } from '../domain/record.ts'
import { parseRfc3339, rfc3339, type TimeMs } from '../kernel/time.ts'
import type { HistoryReads } from './reads.ts'

export interface Decided {
  /** RFC 3339. */
  readonly decidedAt: string
  /** The whole profile at that time. */
  readonly profile: BillerProfile
}

/** Returns null when no operator has decided yet. An approval by the test helper is not an operator's decision. */
export function lastDecision(history: Pick<HistoryReads, 'first'>, { slug }: Pick<BillerProfile, 'slug'>): Decided | null {
  const isDecision = ({ event }: Hit): boolean => {
    if (!(BILLER_DECISIONS as readonly string[]).includes(event.type)) return false
    const profile = payloadOf<BillerProfile>(event)
    return profile.slug === slug && (event.type !== 'biller.approved' || profile.live)
  }
  const hit = history.first(billerDecisionsIndexKey(slug), isDecision)
  return hit === null ? null : { decidedAt: rfc3339(hit.record.timeMs), profile: payloadOf<BillerProfile>(hit.event) }
}

/** Returns the definition at that time; null when there was none yet. */
export function versionAt(
  history: Pick<HistoryReads, 'latest' | 'eventAt'>,
  { biller, slug }: Pick<ProductRow, 'biller' | 'slug'>,
  atMs: TimeMs,
): ProductDefinition | null {
  const isOfThen = (event: StoredEvent): boolean => {
    if (event.type !== 'product.saved') return false
    const version = payloadOf<ProductVersion>(event)
    return version.biller === biller && version.slug === slug && parseRfc3339(version.updated_at) <= atMs
  }
  const found = history.latest(productVersionsIndexKey(biller, slug), isOfThen)
  return found === null ? null : definitionIn(found, history)
}
