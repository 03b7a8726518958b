// Recovery: loads the snapshot and replays the end of the log. Replay applies events and never decides again. It
// checks the checksum of each log batch, its sequences and the hash of the batch before it.
import type { NounRegistry } from '../domain/noun-registry.ts'
import { REGISTRY } from '../domain/registry.ts'
import type { State } from '../domain/state.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { History } from './history.ts'
import { LogFormatError } from './log-format-error.ts'
import type { Archive, LoadedSnapshot, LogReader } from './ports.ts'
import { decodeRecordAt, GENESIS_HASH, hashBatch, readHeader, recordRange } from './record-codec.ts'
import { RecordScan } from './record-scan.ts'
import { restoreSnapshot } from './snapshot.ts'
import { replayRecord } from './turn.ts'

export interface Recovered {
  readonly lastSequence: number
  readonly timeMs: TimeMs
  /** Hash of the last batch; the next batch contains it. */
  readonly batchHash: string
  /** Sequence of the snapshot that recovery started from, 0 without one. */
  readonly snapshotSequence: number
  readonly snapshotTimeMs: TimeMs
  readonly replayedRecords: number
}

/**
 * Fills the state and the tail of the index from archive and log. Reads from the log batch in which the snapshot or
 * the index ends, so that the snapshot is checked against its log. Throws LogFormatError when the log is damaged, or
 * when the archive is ahead of the log: it belongs to another log, or the log lost its end.
 */
export async function recover(
  state: State,
  history: History,
  log: LogReader,
  archive: Archive,
  registry: NounRegistry = REGISTRY,
): Promise<Recovered> {
  const snapshot = archive.loadSnapshot()
  const snapshotSequence = snapshot?.sequence ?? 0
  if (Math.max(snapshotSequence, history.indexedThrough) > log.durableSequence) throw archiveAhead(log.durableSequence)
  if (snapshot !== null) restoreSnapshot(state, snapshot)
  let timeMs = snapshot?.timeMs ?? 0
  let lastSequence = Math.min(snapshotSequence, history.indexedThrough)
  let batchHash: string = GENESIS_HASH
  let replayedRecords = 0
  const take = new RecordTaker(state, history, registry, snapshotSequence)
  for await (const batch of checkedBatches(log, lastSequence, snapshot)) {
    for (let sequence = Math.max(lastSequence + 1, batch.firstSequence); sequence <= batch.through; sequence++) {
      timeMs = Math.max(timeMs, take.record(batch.bytes, sequence))
    }
    replayedRecords += Math.max(0, batch.through - Math.max(lastSequence, snapshotSequence))
    lastSequence = batch.through
    batchHash = batch.hash
    history.durable(0)
    if (history.isFull) await new Promise<void>((resolve) => history.onceRoom(resolve))
  }
  if (lastSequence !== log.durableSequence) throw broken(lastSequence + 1)
  return { lastSequence, timeMs, batchHash, snapshotSequence, snapshotTimeMs: snapshot?.timeMs ?? 0, replayedRecords }
}

/** Takes records into the state and the tail of the index, as far as they lack them. Decodes as few as possible. */
class RecordTaker {
  readonly #state: State
  readonly #history: History
  readonly #registry: NounRegistry
  readonly #snapshotSequence: number
  readonly #scan: RecordScan

  constructor(state: State, history: History, registry: NounRegistry, snapshotSequence: number) {
    this.#state = state
    this.#history = history
    this.#registry = registry
    this.#snapshotSequence = snapshotSequence
    this.#scan = new RecordScan(registry)
  }

  /** Returns the time of the record. */
  record(bytes: Buffer, sequence: number): TimeMs {
    const isApplied = sequence <= this.#snapshotSequence
    const isIndexed = sequence <= this.#history.indexedThrough
    if (isIndexed && !isApplied) {
      const timeMs = this.#scan.replay(this.#state, bytes, recordRange(bytes, sequence).from)
      if (timeMs !== null) return timeMs
    }
    const record = decodeRecordAt(bytes, sequence, this.#registry)
    if (!isApplied) replayRecord(this.#state, record, this.#registry)
    if (!isIndexed) this.#history.add(record, true)
    return record.timeMs
  }
}

interface CheckedBatch {
  readonly bytes: Buffer
  readonly firstSequence: number
  /** Sequence of its last record. */
  readonly through: number
  readonly hash: string
}

/** Yields batches from the one that holds `sequence` on. Checks that each continues the one before it. */
async function* checkedBatches(log: LogReader, sequence: number, snapshot: LoadedSnapshot | null): AsyncGenerator<CheckedBatch> {
  let before: { readonly through: number; readonly hash: string } | null = sequence === 0 ? { through: 0, hash: GENESIS_HASH } : null
  for await (const batch of log.read(sequence)) {
    const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength)
    const { firstSequence, recordCount, previousHash } = readHeader(bytes)
    if (firstSequence !== batch.firstSequence) throw broken(batch.firstSequence)
    const isNext = before === null ? firstSequence <= sequence : firstSequence === before.through + 1 && previousHash === before.hash
    if (!isNext) throw broken(firstSequence)
    before = { through: firstSequence + recordCount - 1, hash: hashBatch(bytes) }
    if (snapshot !== null) checkSnapshot(snapshot, firstSequence, before.through, before.hash)
    yield { bytes, firstSequence, ...before }
  }
}

/** Checks that the snapshot stands at the end of a batch and has its hash. */
function checkSnapshot(snapshot: LoadedSnapshot, firstSequence: number, through: number, hash: string): void {
  if (snapshot.sequence < firstSequence || snapshot.sequence > through) return
  if (snapshot.sequence !== through || snapshot.batchHash !== hash) throw broken(firstSequence)
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
