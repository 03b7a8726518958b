// Recovery: the image, then the log's tail on top of it. Replay applies events and never decides again. Every batch is
// checked: checksum, consecutive sequences, and the hash of the batch before it.
import type { NounRegistry } from '../domain/noun-registry.ts'
import { REGISTRY } from '../domain/registry.ts'
import type { State } from '../domain/state.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { History } from './history.ts'
import { LogFormatError } from './log-format-error.ts'
import type { Archive, LoadedSnapshot, LogReader } from './ports.ts'
import { GENESIS_HASH, hashBatch, readHeader, recordsOf } from './record-codec.ts'
import { restoreSnapshot } from './snapshot.ts'
import { replayRecord } from './turn.ts'

export interface Recovered {
  readonly lastSequence: number
  readonly timeMs: TimeMs
  /** Hash of the last batch: the next one carries it. */
  readonly batchHash: string
  /** The image that recovery started from, 0 when it started from nothing. */
  readonly imageSequence: number
  readonly imageTimeMs: TimeMs
  readonly replayedRecords: number
}

/**
 * Fills the state and the history's tail from archive and log. Reads from the batch that the image or the index ends in,
 * so that the image is checked against the log that it was taken from. Throws LogFormatError when the log is not whole, or
 * when the archive knows more than the log: then it was derived from another log, or the log lost its end.
 */
export async function recover(
  state: State,
  history: History,
  log: LogReader,
  archive: Archive,
  registry: NounRegistry = REGISTRY,
): Promise<Recovered> {
  const image = archive.loadImage()
  const imageSequence = image?.sequence ?? 0
  if (Math.max(imageSequence, history.indexedThrough) > log.durableSequence) throw archiveAhead(log.durableSequence)
  if (image !== null) restoreSnapshot(state, image)
  let timeMs = image?.timeMs ?? 0
  let lastSequence = Math.min(imageSequence, history.indexedThrough)
  let batchHash: string = GENESIS_HASH
  let replayedRecords = 0
  for await (const batch of checkedBatches(log, lastSequence, image)) {
    for (const record of batch.through > lastSequence ? recordsOf(batch.bytes, registry) : []) {
      timeMs = Math.max(timeMs, record.timeMs)
      if (record.sequence > imageSequence) {
        replayRecord(state, record, registry)
        replayedRecords++
      }
      if (record.sequence > history.indexedThrough) history.add(record, true)
    }
    lastSequence = batch.through
    batchHash = batch.hash
    history.durable(0)
    if (history.isFull) await new Promise<void>((resolve) => history.onceRoom(resolve))
  }
  if (lastSequence !== log.durableSequence) throw broken(lastSequence + 1)
  return { lastSequence, timeMs, batchHash, imageSequence, imageTimeMs: image?.timeMs ?? 0, replayedRecords }
}

interface CheckedBatch {
  readonly bytes: Buffer
  /** Sequence of its last record. */
  readonly through: number
  readonly hash: string
}

/** Batches from the one that holds `sequence` on, each continuing the one before it. */
async function* checkedBatches(log: LogReader, sequence: number, image: LoadedSnapshot | null): AsyncGenerator<CheckedBatch> {
  let before: { readonly through: number; readonly hash: string } | null = sequence === 0 ? { through: 0, hash: GENESIS_HASH } : null
  for await (const batch of log.read(sequence)) {
    const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength)
    const { firstSequence, recordCount, previousHash } = readHeader(bytes)
    if (firstSequence !== batch.firstSequence) throw broken(batch.firstSequence)
    const isNext = before === null ? firstSequence <= sequence : firstSequence === before.through + 1 && previousHash === before.hash
    if (!isNext) throw broken(firstSequence)
    before = { through: firstSequence + recordCount - 1, hash: hashBatch(bytes) }
    if (image !== null) checkImage(image, firstSequence, before.through, before.hash)
    yield { bytes, ...before }
  }
}

/** An image stands at the end of a batch, and knows its hash. */
function checkImage(image: LoadedSnapshot, firstSequence: number, through: number, hash: string): void {
  if (image.sequence < firstSequence || image.sequence > through) return
  if (image.sequence !== through || image.batchHash !== hash) throw broken(firstSequence)
}

function archiveAhead(durableSequence: number): LogFormatError {
  return new LogFormatError(
    'archive_ahead',
    `The archive knows records beyond the end of the log at sequence ${durableSequence}. It is derived from the log: delete it and start again, or, if the log should be longer, restore the data folder from a backup (npm run restore -- --help).`,
  )
}

function broken(sequence: number): LogFormatError {
  return new LogFormatError(
    'chain_broken',
    `The log is not whole: the batch at sequence ${sequence} does not continue the one before it. Restore the data folder from a backup (npm run restore -- --help).`,
  )
}
