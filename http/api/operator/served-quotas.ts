// Every quota of a node: those of the engine, and those of what HTTP holds.
import { type OtherQuotaPart, QUOTAS } from '../../../engine/api.ts'
import type { Quota, QuotaCounts } from '../../../engine/kernel/quota.ts'
import { STREAM_REPLAYS } from '../stream/stream-limits.ts'

export const SERVED_QUOTAS: readonly Quota[] = [...QUOTAS, STREAM_REPLAYS]

/** Returns the use of each part of quotas outside of the engine. */
export function partsOf(uses: readonly QuotaCounts[]): readonly OtherQuotaPart[] {
  return uses.flatMap((use) => use.figures.map((part) => ({ quota: use.quota, part, holder: use.largestHolder(part.part) })))
}
