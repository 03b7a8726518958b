// Ports of the engine: adapters are in wal/, sandbox-pool/ and http/. The engine reads the clock, draws randomness,
// waits and does I/O through these only.
import type { Environment } from '../kernel/environment.ts'
import type { HashKey } from '../kernel/index-key.ts'
import type { Position } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'

/** Milliseconds since the Unix epoch. The clock may jump either way; the engine's own time never decreases. */
export interface Clock {
  now(): TimeMs
}

/** Cryptographically strong in production, seeded in the simulator. */
export interface Random {
  fill(target: Uint8Array): void
}

/** Runs work later on the same thread. */
export interface Scheduler {
  /** Runs after the current burst of input, before the next one. */
  soon(run: () => void): void
  /** Runs once, at or after `timeMs`. Returns a function that cancels it. */
  at(timeMs: TimeMs, run: () => void): () => void
}

/** One encoded batch (see record-codec.ts) as it stands in the log. */
export interface StoredBatch {
  /** Sequence of its first record. */
  readonly firstSequence: number
  readonly bytes: Uint8Array
}

export interface BatchToAppend {
  readonly partition: number
  /** Raised by a takeover. An append of an older epoch fails, so two owners never both acknowledge. */
  readonly epoch: number
  /** Sequence of the batch's first record. The append fails unless it is the last stored sequence plus one. */
  readonly expectedSequence: number
  readonly recordCount: number
  readonly bytes: Uint8Array
}

/** Consecutive batches, oldest first. */
export type BatchesToAppend = readonly [BatchToAppend, ...BatchToAppend[]]

/** A log that is read from its start or from a sequence on. Recovery, verify and copy need only this. */
export interface LogReader {
  /** Sequence of the last record that is on disk, 0 when empty. */
  readonly durableSequence: number
  /** Yields batches in order, from the one that holds `fromSequence` on. */
  read(fromSequence: number): AsyncIterable<StoredBatch>
}

/**
 * The log that acknowledges. Appends are durable before `done(null)`; after `done(error)` nothing of the flush may
 * ever be shown. Its owner decides `partition` and `epoch` when it opens the log; the engine puts them on each batch.
 */
export interface DurableLog extends LogReader {
  readonly partition: number
  readonly epoch: number
  /** Size from which a record has a batch of its own, so that its reader copies no other. Infinity: a flush is one batch. */
  readonly largeRecordBytes: number
  /** Appends the batches of one flush, all or none; the caller waits for `done` before the next. Their bytes may be reused after `done`. */
  append(batches: BatchesToAppend, done: (error: Error | null) => void): void
  close(): Promise<void>
}

/**
 * The copy of the log on this machine, for pages of history and replays of idempotency keys. It holds every batch
 * that was acknowledged here, at least in memory; its disk may lag behind.
 */
export interface LocalLogReader {
  /** Sequence of the last record that this copy holds on disk, 0 when empty. Index and snapshot are stored up to here. */
  readonly durableSequence: number
  /**
   * Returns the acknowledged batch that holds `sequence`, or null. Synchronous, because a turn answers duplicate
   * keys.
   */
  batchAt(sequence: number): StoredBatch | null
}

/**
 * Index entries of consecutive records, three parallel columns: the 64-bit index key hash in two halves and the position.
 * `count` entries are in use.
 */
export interface IndexSegment {
  /** The last sequence whose entries are all in this segment or an earlier one. */
  readonly throughSequence: number
  readonly count: number
  readonly high: Uint32Array
  readonly low: Uint32Array
  readonly position: Float64Array
}

/** Gets fewer segments than SEGMENTS_WAITING_MAX, none after an error. */
export type LogIndexed = (error: Error | null, unstored: readonly IndexSegment[]) => void

export interface RecordsToIndex {
  readonly through: number
  /** The caller does not read the batches through this sequence, so the archive checks their checksums and their chain. */
  readonly checkThrough: number
}

/** A row of live state: `value` is JSON text, null removes the row. */
export interface SnapshotRow {
  readonly key: string
  readonly value: string | null
}

/** What changed since the last snapshot, as of one sequence. */
export interface SnapshotDelta {
  readonly sequence: number
  /** Time of that record; the engine's time starts from it. */
  readonly timeMs: TimeMs
  /** Hash of the batch that ends at `sequence`, in hex; the next batch continues the chain from it. */
  readonly batchHash: string
  readonly rows: readonly SnapshotRow[]
}

export interface LoadedSnapshot {
  readonly sequence: number
  readonly timeMs: TimeMs
  readonly batchHash: string
  /** All rows, in any order. */
  readonly rows: Iterable<SnapshotRow & { readonly value: string }>
}

/**
 * What memory need not hold. It is derived from the log and rebuilt by replay when deleted. Written behind, off the
 * main thread.
 */
export interface Archive {
  /** Secret of the hashes of this index, made with it. */
  readonly hashKey: HashKey
  /** Every record up to this sequence is indexed on disk; 0 for an empty archive. */
  readonly indexedThrough: number
  /** Stores a full segment; `done(null)` when it is on disk and `find` sees it. Segments come in order. */
  addSegment(segment: IndexSegment, done: (error: Error | null) => void): void
  /**
   * Indexes the records of the local log after `indexedThrough` in a thread of its own. `done` gets the last segments, which are not
   * stored: the caller searches them and passes them by `addSegment`. It takes no segment meanwhile. Absent: the caller passes every segment.
   */
  readonly indexLog?: (records: RecordsToIndex, done: LogIndexed) => void
  /** Position of the stored snapshot, before it is loaded. An archive with `indexLog` has it. */
  readonly snapshotPoint?: { readonly sequence: number } | null
  /**
   * Returns at most `limit` positions under the index key below `below`, newest first. It may return false hits, so
   * compare the record.
   */
  find(high: number, low: number, below: Position, limit: number): Position[]
  /** Returns false only when the index key has no position. Takes a few nanoseconds for most absent index keys. */
  mayHave(high: number, low: number): boolean
  /**
   * Resolves when a look-up of an absent index key reads no disk any more, as far as memory allows, or when the archive has failed or is closed:
   * commands begin then. Absent: at once.
   */
  whenLoaded?(): Promise<void>
  /** Returns null when there is no snapshot, or when the archive was deleted or is damaged. */
  loadSnapshot(): LoadedSnapshot | null
  /** Applies the delta to the stored snapshot in one transaction. One at a time. */
  saveSnapshot(delta: SnapshotDelta, done: (error: Error | null) => void): void
  close(): Promise<void>
}

/** Runs merchants' code; the pool is in sandbox-pool/. Neither method ever rejects: every failure is a value. */
export interface Sandbox {
  run(request: SandboxRequest): Promise<SandboxResult>
  /** Compiles and loads the source without calling its function. A product is checked by this when it is saved. */
  checkSource(request: SourceCheckRequest): Promise<SourceCheck>
}

export type SandboxEntry = 'lookup' | 'onPaid'

/** Calls for customers of the environment, or a merchant's trial run. Each has its own threads and memory. */
export type SandboxPurpose = Environment | 'trial'

export interface SandboxRequest {
  readonly merchantId: string
  readonly purpose: SandboxPurpose
  readonly entry: SandboxEntry
  readonly source: string
  /** JSON text of the argument, at most 64 KB. */
  readonly argument: string
  /** Maximum wait of the caller, for a free sandbox and for the run; at most 10 s. */
  readonly timeoutMs: number
  /** Asked before the first outgoing fetch. False: nothing leaves, and the run ends as `unavailable` and not `started`. Absent: allowed. */
  readonly allowCall?: () => Promise<boolean>
}

/** Cause of a failed run: the code, its time limit, too many runs at once, or an internal error. */
export type SandboxFault = 'code' | 'timeout' | 'busy' | 'unavailable'

export interface SandboxFetch {
  readonly method: string
  readonly host: string
  /** HTTP status; null when there was no response. */
  readonly status: number | null
  readonly durationMs: number
}

/** What a run's record contains, for every result. */
export interface SandboxTrace {
  /** Duration for the caller, waiting included. */
  readonly durationMs: number
  readonly fetches: readonly SandboxFetch[]
  readonly logs: readonly string[]
}

export interface SandboxSuccess extends SandboxTrace {
  readonly ok: true
  /** JSON text of the function's return value, at most 64 KB and 32 levels deep. Its shape is not validated. */
  readonly value: string
}

export interface SandboxFailure extends SandboxTrace {
  readonly ok: false
  readonly fault: SandboxFault
  /** False when the merchant's code had no effect outside the sandbox, so it may run again. Always false with `busy`. */
  readonly started: boolean
  /** English text for the merchant's developers. */
  readonly error: string
}

export type SandboxResult = SandboxSuccess | SandboxFailure

export interface SourceCheckRequest {
  readonly merchantId: string
  readonly entry: SandboxEntry
  readonly source: string
}

export interface SourceRefusal {
  readonly ok: false
  readonly fault: SandboxFault
  /** English text without the line number. */
  readonly message: string
  /** Counted from 1; null when the error has no line. */
  readonly line: number | null
}

export type SourceCheck = { readonly ok: true } | SourceRefusal
