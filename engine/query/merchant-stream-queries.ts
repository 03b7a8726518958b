// Queries for the stream of a merchant: its events as server-sent events, those of a record and those of the log. The id of a
// frame is the position of its event, so it grows and survives restarts.
import { DerivedEvent, isMerchantEvent, merchantEventOf, recordedBeside } from '../domain/merchant-events.ts'
import type { LogRecord } from '../domain/record.ts'
import { EVENTS_PER_RECORD_MAX, type Position, positionOf, sequenceOf } from '../kernel/position.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Reads } from './reads.ts'
import { eventIndexKeys } from './webhook-event-queries.ts'

export interface MerchantFrame {
  readonly id: Position
  /** Text of a server-sent event (HTML, section 9.2). */
  readonly text: string
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
  const beside = recordedBeside(record)
  const frames: MerchantFrame[] = []
  for (let index = 0; index < record.events.length && frames.length < limit; index++) {
    const event = record.events[index] as (typeof record.events)[number]
    const position = positionOf(record.sequence, index)
    if (position <= after || event.account !== account || !isMerchantEvent(event)) continue
    const found = merchantEventOf(event, history)
    if (found === null) continue
    if (found instanceof DerivedEvent && beside.has(position)) continue
    const { id, type, created_at } = found
    const data = found instanceof DerivedEvent ? found.dataText : JSON.stringify(found.data)
    const body = `{"id":"${id}","type":"${type}","created_at":"${created_at}","data":${data}}`
    frames.push({ id: position, text: `id: ${position}\nevent: ${type}\ndata: ${body}\n\n` })
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
  const through = isWhole ? positionOf(last, EVENTS_PER_RECORD_MAX - 1) : (frames.at(-1) as MerchantFrame).id
  const isSparse = hits.length < EVENTS_PER_SLICE / SPAN_GROWTH
  return { frames, through, span: isSparse ? Math.min(SPAN_MAX, span * SPAN_GROWTH) : span, isEnd: isWhole && last === durableSequence }
}
