// The last frames of a wallet, read from the log: nothing is kept in memory for it, so it survives a restart and costs
// nothing while nobody asks. Reads durable frames only.
import type { Engine } from '../../../engine/actor/engine.ts'
import type { Hit, Page } from '../../../engine/actor/history.ts'
import type { Frame } from '../../../engine/domain/stream/stream-state.ts'
import { framesTerm } from '../../../engine/domain/terms.ts'
import type { Position } from '../../../engine/kernel/position.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'
import { frameText } from './frame-text.ts'
import { FRAMES_READ_MAX, RECORDS_PER_SLICE } from './stream-limits.ts'

/** For the newest alone: the newest record may not be on disk yet. */
const RECORDS_PER_LOOK = 2

export type RingEngine = Pick<Engine, 'state' | 'history' | 'durableSequence'>

export interface RingFrame {
  readonly id: number
  readonly text: string
}

/** Id of the newest frame that is on disk, 0 before the first. */
export function latestDurableId(engine: RingEngine, account: AccountNumber): number {
  let below: Position | undefined
  for (;;) {
    const { hits, next } = pageOf(engine, account, RECORDS_PER_LOOK, below)
    const hit = hits.find(({ record }) => record.sequence <= engine.durableSequence)
    if (hit !== undefined) return newestFirst(hit, account)[0]?.id ?? 0
    if (next === null) return 0
    below = next
  }
}

/**
 * Frames newer than `afterId`, oldest first and none left out; in slices, so that a crowd of readers stalls nobody. Null
 * when there are more than one reading may bring.
 */
export async function framesAfter(engine: RingEngine, account: AccountNumber, afterId: number): Promise<RingFrame[] | null> {
  const frames: RingFrame[] = []
  let below: Position | undefined
  for (;;) {
    const { hits, next } = pageOf(engine, account, RECORDS_PER_SLICE, below)
    for (const hit of hits) {
      if (hit.record.sequence > engine.durableSequence) continue
      // An index of an earlier release leads to each frame of a record.
      for (const frame of newestFirst(hit, account, frames.at(-1)?.id)) {
        if (frame.id <= afterId) return frames.reverse()
        if (frames.length === FRAMES_READ_MAX) return null
        frames.push({ id: frame.id, text: frameText(engine, hit.record, frame) })
      }
    }
    if (next === null) return frames.reverse()
    below = next
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function pageOf({ history }: RingEngine, account: AccountNumber, limit: number, below: Position | undefined): Page {
  // The index of a hit counts within the record's frames.
  const keep = ({ record, eventIndex }: Hit): boolean => record.frames[eventIndex]?.account === account
  return history.page({ terms: [framesTerm(account)], keep, limit, ...(below === undefined ? {} : { below }) })
}

/** The frames of the account that stand together from the hit's on, below `belowId`: they are filed by the first of them. */
function newestFirst({ record: { frames }, eventIndex }: Hit, account: AccountNumber, belowId = Number.POSITIVE_INFINITY): Frame[] {
  let end = eventIndex
  for (let frame = frames[end]; frame?.account === account && frame.id < belowId; frame = frames[end]) end++
  return frames.slice(eventIndex, end).reverse()
}
