// The payouts that one Idempotency-Key made: one for a single payout, up to 500 for a batch. All of them stand in one
// record, so the page is cut out of it.
import type { History, Hit } from '../../engine/actor/history.ts'
import { encodeCursor } from '../../engine/contract/cursor.ts'
import type { ListPayoutsQuery } from '../../engine/contract/payout.ts'
import { POSITION_MAX, positionOf } from '../../engine/kernel/position.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { envelope, pageWindow } from '../lists.ts'

/** JSON text of the page; null when the cursor belongs to another kind of list. */
export function payoutsOfKey(
  history: History,
  key: string,
  account: AccountNumber,
  query: ListPayoutsQuery,
  keep: (hit: Hit) => boolean,
): string | null {
  const window = pageWindow(query)
  if (window === null) return null
  const { limit, below = POSITION_MAX, createdFromMs = Number.NEGATIVE_INFINITY, createdToMs = Number.POSITIVE_INFINITY } = window
  const result = history.result(String(account), key)
  if (result === null) return envelope([], null)
  const record = history.record(result.sequence)
  if (record.timeMs < createdFromMs || record.timeMs >= createdToMs) return envelope([], null)
  const hits = record.events
    .map((event, eventIndex): Hit => ({ position: positionOf(record.sequence, eventIndex), record, event, eventIndex }))
    .filter((hit) => hit.position < below && keep(hit))
    .reverse()
  const last = hits[limit - 1]
  const next = hits.length > limit && last !== undefined ? encodeCursor({ position: last.position }) : null
  return envelope(
    hits.slice(0, limit).map((hit) => hit.event.text),
    next,
  )
}
