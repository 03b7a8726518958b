// When a mandate has something to do. Decisions ask and write the answer down; replay never asks.
import { nextOccurrence } from '../../kernel/calendar.ts'
import { parseRfc3339, rfc3339, type TimeMs } from '../../kernel/time.ts'
import { APPROVAL_MAX_MS } from './mandate-limits.ts'
import type { Mandate } from './mandate-state.ts'

/** Whether it collects by itself: it knows how much, and when. */
export function isAutomatic({ amount, interval }: Pick<Mandate, 'amount' | 'interval'>): boolean {
  return amount !== null && interval !== 'on_demand'
}

/** When its timer is due: an attempt, the end of the time to approve, or its own end; null for a mandate that waits for others alone. */
export function dueAt(mandate: Mandate): string | null {
  const { state, next_charge_at } = mandate
  if (state !== 'pending' && state !== 'active' && state !== 'paused') return null
  const endMs = endOf(mandate) ?? Number.POSITIVE_INFINITY
  const collects = state === 'active' && isAutomatic(mandate) && next_charge_at !== null
  const dueMs = collects ? Math.min(endMs, parseRfc3339(next_charge_at)) : endMs
  return dueMs === Number.POSITIVE_INFINITY ? null : rfc3339(dueMs)
}

/** When it expires by itself; null: never. */
function endOf({ state, end_at, created_at }: Mandate): TimeMs | null {
  const endMs = end_at === null ? null : parseRfc3339(end_at)
  if (state !== 'pending') return endMs
  const approvalEndMs = parseRfc3339(created_at) + APPROVAL_MAX_MS
  return endMs === null ? approvalEndMs : Math.min(endMs, approvalEndMs)
}

/** Past its end, whether its timer has fired or not. */
export function hasEnded(mandate: Mandate, timeMs: TimeMs): boolean {
  const endMs = endOf(mandate)
  return endMs !== null && endMs <= timeMs
}

/** The first occurrence after `afterMs`; null when none comes before the end, or at all. */
export function occurrenceAfter(mandate: Pick<Mandate, 'interval' | 'end_at'>, anchorMs: TimeMs, afterMs: TimeMs): TimeMs | null {
  const { interval, end_at } = mandate
  if (interval === 'on_demand') return null
  const nextMs = nextOccurrence(anchorMs, interval, afterMs)
  return nextMs === null || (end_at !== null && nextMs >= parseRfc3339(end_at)) ? null : nextMs
}
