// Recovery: loads the snapshot and replays the end of the log. Replay applies events and never decides again. It
// checks the checksum of each log batch, its sequences and the hash of the batch before it. Meanwhile the archive's thread indexes the
// records that its index lacks.
import type { NounRegistry } from '../domain/noun-registry.ts'
import { REGISTRY } from '../domain/registry.ts'
import type { State } from '../domain/state.ts'
import type { TimeMs } from '../kernel/time.ts'
import { BatchChain, brokenChain, type CheckedBatch } from './batch-chain.ts'
import type { History } from './history.ts'
import { LogFormatError } from './log-format-error.ts'
import type { Archive, LoadedSnapshot, LogReader } from './ports.ts'
import { decodeRecordAt, GENESIS_HASH, recordRange } from './record-codec.ts'
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
  // Begins before the snapshot is loaded, which takes as long as the replay of 150 000 records.
  const indexing = indexedMeanwhile(history, log.durableSequence)
  const snapshot = archive.loadSnapshot()
  const snapshotSequence = snapshot?.sequence ?? 0
  if (Math.max(snapshotSequence, history.indexedThrough) > log.durableSequence) throw archiveAhead(log.durableSequence)
  if (snapshot !== null) restoreSnapshot(state, snapshot)
  let timeMs = snapshot?.timeMs ?? 0
  const indexedThrough = indexing === null ? history.indexedThrough : log.durableSequence
  let lastSequence = Math.min(snapshotSequence, indexedThrough)
  let batchHash: string = GENESIS_HASH
  let replayedRecords = 0
  const take = new RecordTaker(state, history, registry, { snapshotSequence, indexedThrough })
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
  const indexError = await indexing
  if (indexError !== null) throw indexError
  if (lastSequence !== log.durableSequence) throw brokenChain(lastSequence + 1)
  return { lastSequence, timeMs, batchHash, snapshotSequence, snapshotTimeMs: snapshot?.timeMs ?? 0, replayedRecords }
}

/** Resolves when the archive's thread has indexed the log, with the error if there was one; null when the caller indexes it. */
function indexedMeanwhile(history: History, lastSequence: number): Promise<Error | null> | null {
  let settle: (error: Error | null) => void = () => {}
  const indexed = new Promise<Error | null>((resolve) => {
    settle = resolve
  })
  return history.indexInArchive(lastSequence, (error) => settle(error)) ? indexed : null
}

/** The last sequences in the snapshot, and in the index or in the work of the archive's thread. */
interface Done {
  readonly snapshotSequence: number
  readonly indexedThrough: number
}

/** Takes records into the state and the tail of the index, as far as they lack them. Decodes as few as possible. */
class RecordTaker {
  readonly #state: State
  readonly #history: History
  readonly #registry: NounRegistry
  readonly #done: Done
  readonly #scan: RecordScan

  constructor(state: State, history: History, registry: NounRegistry, done: Done) {
    this.#state = state
    this.#history = history
    this.#registry = registry
    this.#done = done
    this.#scan = new RecordScan(registry)
  }

  /** Returns the time of the record. */
  record(bytes: Buffer, sequence: number): TimeMs {
    const isApplied = sequence <= this.#done.snapshotSequence
    const isIndexed = sequence <= this.#done.indexedThrough
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

/** Yields batches from the one that holds `sequence` on. Checks that each continues the one before it. */
async function* checkedBatches(log: LogReader, sequence: number, snapshot: LoadedSnapshot | null): AsyncGenerator<CheckedBatch> {
  const chain = new BatchChain(sequence)
  for await (const batch of log.read(sequence)) {
    const checked = chain.next(batch)
    if (snapshot !== null) checkSnapshot(snapshot, checked)
    yield checked
  }
}

/** Checks that the snapshot stands at the end of a batch and has its hash. */
function checkSnapshot(snapshot: LoadedSnapshot, { firstSequence, through, hash }: CheckedBatch): void {
  if (snapshot.sequence < firstSequence || snapshot.sequence > through) return
  if (snapshot.sequence !== through || snapshot.batchHash !== hash) throw brokenChain(firstSequence)
}

function archiveAhead(durableSequence: number): LogFormatError {
  return new LogFormatError(
    'archive_ahead',
    `The archive knows records beyond the end of the log at sequence ${durableSequence}. It is derived from the log: delete it and start again, or, if the log should be longer, restore the data folder from a backup (npm run restore -- --help).`,
  )
}
