// Recovery: the image, then the log's tail on top of it. Replay applies events and never decides again. Every batch is
// checked: checksum, consecutive sequences, and the hash of the batch before it.
import type { State } from '../domain/state.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { History } from './history.ts'
import { restoreImage } from './image.ts'
import type { Archive, Log, StoredBatch } from './ports.ts'
import { decodeBatch, GENESIS_HASH, hashBatch, LogFormatError, readHeader } from './record-codec.ts'
import { replayRecord } from './turn.ts'

export interface Recovered {
  readonly lastSequence: number
  readonly timeMs: TimeMs
  /** Hash of the last batch: the next one carries it. */
  readonly batchHash: string
  /** The image that recovery started from, 0 when it started from nothing. */
  readonly imageSequence: number
  readonly replayedRecords: number
}

/** Fills the state and the history's tail from archive and log. Throws LogFormatError when the log is not whole. */
export async function recover(state: State, history: History, log: Log, archive: Archive): Promise<Recovered> {
  const image = archive.loadImage()
  if (image !== null) restoreImage(state, image)
  const imageSequence = image?.sequence ?? 0
  let timeMs = image?.timeMs ?? 0
  let lastSequence = Math.min(imageSequence, history.indexedThrough)
  let batchHash: string | null = lastSequence === imageSequence ? (image?.batchHash ?? GENESIS_HASH) : null
  let replayedRecords = 0
  for await (const batch of log.read(lastSequence + 1)) {
    const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength)
    checkLink(batch, bytes, lastSequence, batchHash)
    batchHash = hashBatch(bytes)
    for (const record of decodeBatch(bytes)) {
      lastSequence = record.sequence
      timeMs = Math.max(timeMs, record.timeMs)
      if (record.sequence > imageSequence) {
        replayRecord(state, record)
        replayedRecords++
      }
      if (record.sequence > history.indexedThrough) history.add(record, true)
    }
    if (lastSequence === imageSequence && batchHash !== image?.batchHash) throw broken(lastSequence)
    history.durable(1, 0)
    if (history.isFull) await new Promise<void>((resolve) => history.onceRoom(resolve))
  }
  return { lastSequence, timeMs, batchHash: batchHash ?? GENESIS_HASH, imageSequence, replayedRecords }
}

/** The batch continues exactly where the one before ended; the first one read may begin earlier. */
function checkLink(batch: StoredBatch, bytes: Buffer, lastSequence: number, batchHash: string | null): void {
  const header = readHeader(bytes)
  if (header.firstSequence !== batch.firstSequence) throw broken(batch.firstSequence)
  if (batchHash === null) return
  if (header.firstSequence !== lastSequence + 1 || header.previousHash !== batchHash) throw broken(header.firstSequence)
}

function broken(sequence: number): LogFormatError {
  return new LogFormatError(
    'chain_broken',
    `The log is not whole: the batch at sequence ${sequence} does not continue the one before it. Restore the data folder from a backup (npm run restore -- --help).`,
  )
}
