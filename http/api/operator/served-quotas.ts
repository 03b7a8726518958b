// Every quota of a node: those of the engine, and those of what HTTP holds.
import { type OtherQuotaPart, QUOTAS } from '../../../engine/api.ts'
import { type Quota, Quotas } from '../../../engine/kernel/quota.ts'
import { CSV_EXPORTS } from '../../lists/list-limits.ts'
import { ADDRESS_BODIES, DISBURSEMENT_LINES, REQUEST_BODIES } from '../../server/server-limits.ts'
import { WALLET_LOOKUPS } from '../../workers/lookups/lookup-limits.ts'
import { STREAM_REPLAYS, STREAM_TICKETS } from '../stream/stream-limits.ts'

/** Quotas of what HTTP holds for callers: each limits one structure outside of the engine. */
export const HELD_QUOTAS: readonly Quota[] = [
  REQUEST_BODIES,
  ADDRESS_BODIES,
  DISBURSEMENT_LINES,
  CSV_EXPORTS,
  WALLET_LOOKUPS,
  STREAM_REPLAYS,
  STREAM_TICKETS,
]

export const SERVED_QUOTAS: readonly Quota[] = [...QUOTAS, ...HELD_QUOTAS]

/** Returns the quotas of what HTTP holds, without a use so far. */
export function heldQuotas(): Quotas {
  const quotas = new Quotas()
  quotas.declare(HELD_QUOTAS)
  return quotas
}

/** Returns the use of each part of quotas outside of the engine. */
export function partsOf(quotas: Quotas): readonly OtherQuotaPart[] {
  return quotas.all().flatMap((use) => use.figures.map((part) => ({ quota: use.quota, part, holder: use.largestHolder(part.part) })))
}
