// Queries for the frames of wallets' streams: those of a new record, and those in the log. A frame is derived from
// its record each time, so a replay has the same text.
import type { Hit, Page } from '../actor/history.ts'
import type { LogRecord } from '../domain/record.ts'
import { framesIndexKey } from '../domain/record-index-keys.ts'
import type { Frame } from '../domain/stream/stream-state.ts'
import type { Position } from '../kernel/position.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { OfAccount } from './account-queries.ts'
import { frameText } from './frame-text.ts'
import type { Reads } from './reads.ts'

/** Record of a frame that may not be durable yet. */
const RECORDS_PER_LOOK = 2

export interface FramesOfRecord {
  readonly record: LogRecord
  /** Frames of the record, all or some. */
  readonly frames: readonly Frame[]
}

/** Returns the texts of a durable record's frames, as server-sent events. */
export function frameTexts(reads: Reads, { record, frames }: FramesOfRecord): string[] {
  return frames.map((frame) => frameText(reads, record, frame))
}

/** Returns the id of the newest frame, durable or not; 0 before the first. */
export function newestFrameId({ state }: Reads, { account }: OfAccount): number {
  return state.frames.last(account)
}

/** Returns the id of the newest durable frame, 0 before the first. */
export function durableFrameId(reads: Reads, { account }: OfAccount): number {
  let below: Position | null = null
  for (;;) {
    const { hits, next }: Page = pageOf(reads, account, RECORDS_PER_LOOK, below)
    const hit = hits.find(({ record }) => record.sequence <= reads.durableSequence)
    if (hit !== undefined) return newestFirst(hit, account)[0]?.id ?? 0
    if (next === null) return 0
    below = next
  }
}

export interface FramesInput {
  readonly account: AccountNumber
  /** Frames newer than this id. */
  readonly afterId: number
  /** Frames older than this id; null for the newest. */
  readonly belowId: number | null
  /** Position where the previous slice ended; null for the first. */
  readonly below: Position | null
  /** Maximum of records that this slice reads. */
  readonly recordsMax: number
}

export interface TextFrame {
  readonly id: number
  /** Text of a server-sent event. */
  readonly text: string
}

export interface FrameSlice {
  /** Durable frames, newest first, without gaps. */
  readonly frames: readonly TextFrame[]
  /** Position where the next slice begins; null when there are no more frames after `afterId`. */
  readonly next: Position | null
}

export function frameSlice(reads: Reads, { account, afterId, belowId, below, recordsMax }: FramesInput): FrameSlice {
  const { hits, next } = pageOf(reads, account, recordsMax, below)
  const frames: TextFrame[] = []
  let lastId = belowId ?? Number.POSITIVE_INFINITY
  for (const hit of hits) {
    if (hit.record.sequence > reads.durableSequence) continue
    // An index of an earlier release has an entry for each frame of a record.
    for (const frame of newestFirst(hit, account, lastId)) {
      if (frame.id <= afterId) return { frames, next: null }
      frames.push({ id: frame.id, text: frameText(reads, hit.record, frame) })
      lastId = frame.id
    }
  }
  return { frames, next }
}

function pageOf({ history }: Reads, account: AccountNumber, limit: number, below: Position | null): Page {
  // The index of a hit counts within the record's frames.
  const keep = ({ record, eventIndex }: Hit): boolean => record.frames[eventIndex]?.account === account
  return history.page({ indexKeys: [framesIndexKey(account)], keep, limit, ...(below === null ? {} : { below }) })
}

/**
 * Returns the consecutive frames of the account from the hit's on, below `belowId`: the index holds only the first of
 * them.
 */
function newestFirst({ record: { frames }, eventIndex }: Hit, account: AccountNumber, belowId = Number.POSITIVE_INFINITY): Frame[] {
  let end = eventIndex
  for (let frame = frames[end]; frame?.account === account && frame.id < belowId; frame = frames[end]) end++
  return frames.slice(eventIndex, end).reverse()
}
