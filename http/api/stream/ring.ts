// The last frames of a wallet, read from the log in slices: memory keeps none, so they survive a restart. Durable frames alone.
import type { AccountNumber, EngineApi, FrameSlice, TextFrame } from '../../../engine/api.ts'
import { FRAMES_READ_MAX, RECORDS_PER_SLICE } from './stream-limits.ts'

/**
 * Frames newer than `afterId`, oldest first and none left out. Other requests run between two slices. Null when there are more
 * than FRAMES_READ_MAX.
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
    await new Promise((resolve) => setImmediate(resolve))
  }
}
