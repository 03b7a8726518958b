// The log of a golden file, to open an engine on: a data folder of the release that wrote it.
import type { BatchToAppend } from '../../engine/actor/ports.ts'
import { peekHeader } from '../../engine/actor/record-codec.ts'
import { FIRST_EPOCH } from '../../wal/log/append-rule.ts'
import { readGolden } from '../engine/golden-file.ts'
import { MemoryLog } from './memory-log.ts'

/** The batches of the golden file, as they are appended to a log. */
export function releasedBatches(name: string): BatchToAppend[] {
  return readGolden(name).batches.map((text) => {
    const bytes = Buffer.from(text, 'base64')
    const { firstSequence, recordCount } = peekHeader(bytes)
    return { partition: 0, epoch: FIRST_EPOCH, expectedSequence: firstSequence, recordCount, bytes }
  })
}

/** A memory log that holds them; what comes later goes through `soon`. */
export function releasedLog(name: string, soon: (run: () => void) => void): MemoryLog {
  let isFilled = false
  const log = new MemoryLog({ soon: (run) => (isFilled ? soon(run) : run()) })
  for (const batch of releasedBatches(name)) {
    log.append([batch], (error) => {
      if (error !== null) throw error
    })
  }
  isFilled = true
  return log
}
