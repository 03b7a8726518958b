// Queries for the stream of a merchant: its events as server-sent events, those of a record and those of the log. The id of a
// frame is the position of its event, so it grows and survives restarts.
import { DerivedEvent, isMerchantEvent, merchantEventOf, recordedBeside } from '../domain/merchant-events.ts'
import type { LogRecord } from '../domain/record.ts'
import { POSITION_MAX, type Position, positionOf, sequenceOf } from '../kernel/position.ts'
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
export function merchantFrames({ history }: Reads, { account, record }: MerchantFramesInput): MerchantFrame[] {
  const beside = recordedBeside(record)
  const frames: MerchantFrame[] = []
  for (const [index, event] of record.events.entries()) {
    if (event.account !== account || !isMerchantEvent(event)) continue
    const found = merchantEventOf(event, history)
    if (found === null) continue
    const position = positionOf(record.sequence, index)
    if (found instanceof DerivedEvent && (beside.has(position) || beside.has(found.id))) continue
    const { id, type, created_at } = found
    const data = found instanceof DerivedEvent ? found.dataText : JSON.stringify(found.data)
    const body = `{"id":"${id}","type":"${type}","created_at":"${created_at}","data":${data}}`
    frames.push({ id: position, text: `id: ${position}\nevent: ${type}\ndata: ${body}\n\n` })
  }
  return frames
}

export interface MerchantFramesOfInput {
  readonly account: AccountNumber
  readonly sequence: number
}

/** Returns the frames of the record with this sequence. */
export function merchantFramesOf(reads: Reads, { account, sequence }: MerchantFramesOfInput): MerchantFrame[] {
  return merchantFrames(reads, { account, record: reads.history.record(sequence) })
}

export interface EventSequencesInput {
  readonly account: AccountNumber
  /** Id of the last frame that the client has. */
  readonly after: Position
  /** Position where the previous slice ended; null for the first. */
  readonly below: Position | null
}

export interface EventSequences {
  /** Sequences of durable records with events after `after`, newest first. */
  readonly sequences: readonly number[]
  /** Position where the next slice begins; null at the end. */
  readonly next: Position | null
}

const HITS_PER_SLICE = 64

export function eventSequences({ history, durableSequence }: Reads, { account, after, below }: EventSequencesInput): EventSequences {
  const { hits, next } = history.page({
    indexKeys: [eventIndexKeys(account)],
    keep: ({ event }) => event.account === account && isMerchantEvent(event),
    limit: HITS_PER_SLICE,
    below: below ?? POSITION_MAX,
  })
  const newer = hits.filter(({ position }) => position > after)
  const sequences = new Set(newer.map(({ position }) => sequenceOf(position)).filter((sequence) => sequence <= durableSequence))
  return { sequences: [...sequences], next: newer.length < hits.length ? null : next }
}
