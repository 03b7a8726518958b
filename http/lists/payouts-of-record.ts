// The payouts of one record: one of a single payout, up to 500 of a batch. A page of them is cut out of the record.
import type { History, Hit } from '../../engine/actor/history.ts'
import type { PageQuery } from '../../engine/contract/common.ts'
import { encodeCursor } from '../../engine/contract/cursor.ts'
import { POSITION_MAX, positionOf } from '../../engine/kernel/position.ts'
import { envelope, pageWindow } from './lists.ts'

/** JSON text of the page, of an empty one where there is no record; null when the cursor belongs to another kind of list. */
export function payoutsOfRecord(history: History, sequence: number | null, query: PageQuery, keep: (hit: Hit) => boolean): string | null {
  const window = pageWindow(query)
  if (window === null) return null
  const { limit, below = POSITION_MAX, createdFromMs = Number.NEGATIVE_INFINITY, createdToMs = Number.POSITIVE_INFINITY } = window
  if (sequence === null) return envelope([], null)
  const record = history.record(sequence)
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
