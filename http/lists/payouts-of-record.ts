// The payouts of one record: one of a single payout, up to 500 of a batch. A page of them is cut out of the record.
import type { History, Hit, Page } from '../../engine/actor/history.ts'
import { POSITION_MAX, positionOf } from '../../engine/kernel/position.ts'
import type { PageWindow } from './lists.ts'

const NONE: Page = { hits: [], next: null }

/** The page, an empty one where there is no record. */
export function payoutsOfRecord(history: History, sequence: number | null, window: PageWindow, keep: (hit: Hit) => boolean): Page {
  const { limit, below = POSITION_MAX, createdFromMs = Number.NEGATIVE_INFINITY, createdToMs = Number.POSITIVE_INFINITY } = window
  if (sequence === null) return NONE
  const record = history.record(sequence)
  if (record.timeMs < createdFromMs || record.timeMs >= createdToMs) return NONE
  const hits = record.events
    .map((event, eventIndex): Hit => ({ position: positionOf(record.sequence, eventIndex), record, event, eventIndex }))
    .filter((hit) => hit.position < below && keep(hit))
    .reverse()
  const last = hits[limit - 1]
  return { hits: hits.slice(0, limit), next: hits.length > limit && last !== undefined ? last.position : null }
}
