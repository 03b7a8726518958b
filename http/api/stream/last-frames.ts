// Reads the last durable frames of a wallet from the log, in slices. They survive a restart because memory holds none.
import type { AccountNumber, EngineApi, FrameSlice, TextFrame } from '../../../engine/api.ts'
import { fairWork } from '../../server/fair-work.ts'
import { FRAMES_READ_MAX, RECORDS_PER_SLICE, REPLAY_SLICE_COST } from './stream-limits.ts'

/**
 * Returns all frames newer than `afterId`, oldest first. Other requests run between two slices. Returns null for more than
 * FRAMES_READ_MAX frames.
 */
export async function framesAfter(
  engine: Pick<EngineApi, 'query'>,
  account: AccountNumber,
  afterId: number,
): Promise<readonly TextFrame[] | null> {
  const frames: TextFrame[] = []
  for (let below: number | null = null; ; ) {
    const belowId = frames.at(-1)?.id ?? null
    const slice: FrameSlice = engine.query('frames.after', { account, afterId, belowId, below, recordsMax: RECORDS_PER_SLICE })
    if (frames.length + slice.frames.length > FRAMES_READ_MAX) return null
    frames.push(...slice.frames)
    if (slice.next === null) return frames.reverse()
    below = slice.next
    await fairWork.turn(account, REPLAY_SLICE_COST)
  }
}
