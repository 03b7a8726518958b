// Queries for the frames of wallets' streams: those of a new record, and those in the log. A frame is derived from
// its record each time, so a replay has the same text.
import type { Page } from '../actor/history.ts'
import type { Hit } from '../actor/index-hit.ts'
import type { LogRecord } from '../domain/record.ts'
import { framesIndexKeys } from '../domain/record-index-keys.ts'
import type { Frame } from '../domain/stream/stream-state.ts'
import { type Position, positionOf, sequenceOf } from '../kernel/position.ts'
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
    if (hit !== undefined) return newestFirst(hit.record, account)[0]?.id ?? 0
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
    for (const frame of newestFirst(hit.record, account, lastId)) {
      if (frame.id <= afterId) return { frames, next: null }
      frames.push({ id: frame.id, text: frameText(reads, hit.record, frame) })
      lastId = frame.id
    }
  }
  return { frames, next }
}

/** Returns a hit for each record with frames of the account. A record has several entries; the newest stands for it. */
function pageOf({ history }: Reads, account: AccountNumber, limit: number, below: Position | null): Page {
  let seen = -1
  const keep = ({ position, record }: Hit): boolean => {
    if (sequenceOf(position) === seen || !record.frames.some((frame) => frame.account === account)) return false
    seen = sequenceOf(position)
    return true
  }
  return history.page({
    indexKeys: [framesIndexKeys(account)],
    keep,
    limit,
    ...(below === null ? {} : { below: positionOf(sequenceOf(below), 0) }),
  })
}

/** Returns the frames of the account below `belowId`. */
function newestFirst({ frames }: LogRecord, account: AccountNumber, belowId = Number.POSITIVE_INFINITY): Frame[] {
  return frames.filter((frame) => frame.account === account && frame.id < belowId).reverse()
}
