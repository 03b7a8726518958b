// Applies the log batches of another node to live state and history: continuous replay. Every batch is checked before
// any of it is applied.
import { knowsEvent } from '../domain/evolve.ts'
import type { NounRegistry } from '../domain/noun-registry.ts'
import type { LogRecord } from '../domain/record.ts'
import type { State } from '../domain/state.ts'
import type { History } from './history.ts'
import { LogFormatError } from './log-format-error.ts'
import type { StoredBatch } from './ports.ts'
import { decodeBatch, hashBatch, readHeader } from './record-codec.ts'
import { replayRecord } from './turn.ts'

/** The end of the log as the follower knows it. */
export interface LogEnd {
  /** Sequence of the last record, 0 when empty. */
  readonly through: number
  /** Hash of the last batch, hex. */
  readonly hash: string
}

export interface AppliedBatch extends LogEnd {
  readonly records: readonly LogRecord[]
}

/**
 * Applies the batch that continues the log at `end`. Throws LogFormatError when it does not continue, is damaged or
 * is newer.
 */
export function applyNext(registry: NounRegistry, state: State, history: History, batch: StoredBatch, end: LogEnd): AppliedBatch {
  const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength)
  const { firstSequence, recordCount, previousHash } = readHeader(bytes)
  if (firstSequence !== end.through + 1 || previousHash !== end.hash) throw discontinued(firstSequence, end.through)
  const records = decodeBatch(bytes, registry)
  for (const record of records) checkVersions(registry, record)
  for (const record of records) {
    replayRecord(state, record, registry)
    history.add(record, true)
  }
  return { through: firstSequence + recordCount - 1, hash: hashBatch(bytes), records }
}

/** Rejects events of a newer release, which this one cannot apply. */
function checkVersions(registry: NounRegistry, { sequence, events }: LogRecord): void {
  for (const { type, version } of events) {
    if (knowsEvent(registry, type, version)) continue
    throw new LogFormatError(
      'format_too_new',
      `Record ${sequence} of the log holds the event ${type} version ${version}, which this release does not know: start the newer release that wrote it.`,
    )
  }
}

function discontinued(firstSequence: number, through: number): LogFormatError {
  return new LogFormatError(
    'chain_broken',
    `The batch at sequence ${firstSequence} does not continue the log that this node has applied through sequence ${through}.`,
  )
}
