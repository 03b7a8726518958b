// Queries for the stream of a merchant: its events as server-sent events, those of a record and those of the log. Frames are
// numbered for each account, in the order of the log: a place in the log would tell how much the whole service writes.
import { DerivedEvent, isMerchantEvent, merchantEventOf, shownPositions } from '../domain/merchant-events.ts'
import type { LogRecord, StoredEvent } from '../domain/record.ts'
import { assert } from '../kernel/assert.ts'
import { EVENTS_PER_RECORD_MAX, eventIndexOf, type Position, positionOf, sequenceOf } from '../kernel/position.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Reads } from './reads.ts'
import { eventIndexKeys } from './webhook-event-queries.ts'

export interface MerchantFrame {
  readonly position: Position
  /** Text of a server-sent event (HTML, section 9.2) without its id, which the stream counts. */
  readonly text: string
}

/** Through `position` the account has had `id` frames. */
export interface MerchantPlace {
  readonly id: number
  readonly position: Position
}

/** Returns the place behind the account's newest durable frame. */
export function newestMerchantPlace(reads: Reads, { account }: { readonly account: AccountNumber }): MerchantPlace {
  const { state, history, durableSequence, lastSequence } = reads
  let id = state.webhooks.eventCounts.last(account)
  for (let sequence = durableSequence + 1; sequence <= lastSequence; sequence++)
    id -= shownPositions(history.record(sequence), account).length
  return { id, position: positionOf(durableSequence, EVENTS_PER_RECORD_MAX - 1) }
}

export interface MerchantPlaceBeforeInput {
  readonly account: AccountNumber
  readonly from: MerchantPlace
  /** The wanted place is the one behind this frame; at most `from.id`. */
  readonly id: number
}

/** Returns the place behind the frame `id`, or one on the way back to it: a bounded number of events is read. */
export function merchantPlaceBefore({ history }: Reads, { account, from, id }: MerchantPlaceBeforeInput): MerchantPlace {
  if (from.id === id) return from
  const { hits } = history.page({
    indexKeys: [eventIndexKeys(account)],
    keep: ({ event }) => event.account === account && isMerchantEvent(event),
    limit: EVENTS_PER_SLICE,
    below: from.position + 1,
  })
  assert(hits.length > 0, 'the log holds the frames that its state counts')
  let count = from.id
  let oldest = from.position
  for (const sequence of new Set(hits.map(({ position }) => sequenceOf(position)))) {
    for (const position of shownPositions(history.record(sequence), account).reverse()) {
      if (position > from.position) continue
      if (--count === id) return { id, position: position - 1 }
    }
    oldest = positionOf(sequence, 0) - 1
  }
  return { id: count, position: oldest }
}

export interface MerchantFramesInput {
  readonly account: AccountNumber
  readonly record: LogRecord
}

/** Returns the frames of a durable record for the merchant's account, in order. */
export function merchantFrames(reads: Reads, { account, record }: MerchantFramesInput): MerchantFrame[] {
  return framesOf(reads, account, record, -1, record.events.length)
}

/** The frames behind the position `after`, at most `limit`. */
function framesOf({ history }: Reads, account: AccountNumber, record: LogRecord, after: Position, limit: number): MerchantFrame[] {
  const frames: MerchantFrame[] = []
  for (const position of shownPositions(record, account)) {
    if (position <= after) continue
    if (frames.length === limit) break
    const found = merchantEventOf(record.events[eventIndexOf(position)] as StoredEvent, history)
    assert(found !== null, 'the merchant sees the event')
    const { id, type, created_at } = found
    const data = found instanceof DerivedEvent ? found.dataText : JSON.stringify(found.data)
    const body = `{"id":"${id}","type":"${type}","created_at":"${created_at}","data":${data}}`
    frames.push({ position, text: `event: ${type}\ndata: ${body}\n\n` })
  }
  return frames
}

export interface MerchantFramesAfterInput {
  readonly account: AccountNumber
  /** Position through which the client has all frames. */
  readonly after: Position
  /** Number of records that the slice looks at; 1 at first, then `span` of the slice before. */
  readonly span: number
}

export interface MerchantFramesSlice {
  /** Frames behind `after`, oldest first; a bounded number. */
  readonly frames: readonly MerchantFrame[]
  /** Position through which the client has all frames then. */
  readonly through: Position
  readonly span: number
  /** True when the log has no durable record behind `through`. */
  readonly isEnd: boolean
}

/** Events that a slice reads: about 1 ms. */
const EVENTS_PER_SLICE = 64
/** A window is the wider, the fewer events of the merchant were in the last one. */
const SPAN_GROWTH = 4
const SPAN_MAX = 2 ** 40

/** Returns the next frames of the log. The index is read newest first, so a slice looks at a window of records that holds few events. */
export function merchantFramesAfter(reads: Reads, { account, after, span }: MerchantFramesAfterInput): MerchantFramesSlice {
  const { history, durableSequence } = reads
  const first = sequenceOf(after + 1)
  if (first > durableSequence) return { frames: [], through: after, span, isEnd: true }
  const last = Math.min(durableSequence, first + span - 1)
  const { hits, next } = history.page({
    indexKeys: [eventIndexKeys(account)],
    keep: ({ event }) => event.account === account && isMerchantEvent(event),
    limit: EVENTS_PER_SLICE,
    from: after + 1,
    below: positionOf(last + 1, 0),
  })
  if (next !== null && last > first) return { frames: [], through: after, span: Math.max(1, Math.floor(span / SPAN_GROWTH)), isEnd: false }
  const frames: MerchantFrame[] = []
  for (const sequence of new Set(hits.map(({ position }) => sequenceOf(position)).reverse())) {
    frames.push(...framesOf(reads, account, history.record(sequence), after, EVENTS_PER_SLICE - frames.length))
  }
  const isWhole = frames.length < EVENTS_PER_SLICE
  const through = isWhole ? positionOf(last, EVENTS_PER_RECORD_MAX - 1) : (frames.at(-1) as MerchantFrame).position
  const isSparse = hits.length < EVENTS_PER_SLICE / SPAN_GROWTH
  return { frames, through, span: isSparse ? Math.min(SPAN_MAX, span * SPAN_GROWTH) : span, isEnd: isWhole && last === durableSequence }
}
