// What the engine needs from outside, as interfaces: adapters live in wal/, sandbox-pool/ and http/. The engine
// never reads a clock, draws randomness, waits or does I/O but through these.
import type { Environment } from '../kernel/environment.ts'
import type { Position } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'

/** Milliseconds since the Unix epoch; may jump either way, the engine's own time never goes back. */
export interface Clock {
  now(): TimeMs
}

/** Cryptographically strong in production, seeded in the simulator. */
export interface Random {
  fill(target: Uint8Array): void
}

/** Runs work later on the same thread. */
export interface Scheduler {
  /** After the current burst of input, before the next one. */
  soon(run: () => void): void
  /** Once, at or after `timeMs`; answers a function that takes it back. */
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
  /** Raised by a takeover: an append of an older epoch fails, so two owners never both acknowledge. */
  readonly epoch: number
  /** Sequence of the batch's first record: one more than the last that is stored, or the append fails. */
  readonly expectedSequence: number
  readonly recordCount: number
  readonly bytes: Uint8Array
}

/** A log to be read from its start or from a sequence on: recovery, verify and copy need no more. */
export interface LogReader {
  /** Sequence of the last record that is on disk, 0 when empty. */
  readonly durableSequence: number
  /** Batches in order, from the one that holds `fromSequence` on. */
  read(fromSequence: number): AsyncIterable<StoredBatch>
}

/**
 * The log that acknowledges. Appends are durable before `done(null)`; after `done(error)` nothing of the batch may ever show.
 * Its owner decides `partition` and `epoch` when it opens the log; the engine puts them on each batch.
 */
export interface DurableLog extends LogReader {
  readonly partition: number
  readonly epoch: number
  /** Takes one batch; the caller waits for `done` before the next. `bytes` may be reused after `done`. */
  append(batch: BatchToAppend, done: (error: Error | null) => void): void
  close(): Promise<void>
}

/**
 * The copy of the log on this machine, for pages of history and for replays of idempotency keys. It holds every batch that
 * was acknowledged here, in memory at least: where it is written behind, its disk may lag.
 */
export interface LocalLogReader {
  /** Sequence of the last record that this copy holds on disk, 0 when empty. Index and snapshot are stored up to here. */
  readonly durableSequence: number
  /** The acknowledged batch that holds `sequence`, or null. Synchronous: a duplicate key is answered inside a turn. */
  batchAt(sequence: number): StoredBatch | null
}

/**
 * Index entries of consecutive records, three parallel columns: the 64-bit term hash in two halves and the position.
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

/** A row of live state: `value` is JSON text, null removes the row. */
export interface SnapshotRow {
  readonly key: string
  readonly value: string | null
}

/** What changed since the last image, all as of one sequence. */
export interface SnapshotDelta {
  readonly sequence: number
  /** Time of that record; the engine's time starts from it. */
  readonly timeMs: TimeMs
  /** Hash of the batch that ends at `sequence` (hex): the chain goes on from it. */
  readonly batchHash: string
  readonly rows: readonly SnapshotRow[]
}

export interface LoadedSnapshot {
  readonly sequence: number
  readonly timeMs: TimeMs
  readonly batchHash: string
  /** Every row, any order. */
  readonly rows: Iterable<SnapshotRow & { readonly value: string }>
}

/** What memory need not hold. Derived from the log: deleted, it is rebuilt by replay. Written behind, off the main thread. */
export interface Archive {
  /** Every record up to here is indexed on disk; starts at 0 for an empty archive. */
  readonly indexedThrough: number
  /** Takes a full segment over; `done(null)` when it is on disk and `find` sees it. Segments come in order. */
  addSegment(segment: IndexSegment, done: (error: Error | null) => void): void
  /** Positions filed under the term, newest first, all below `below`, at most `limit` of them. May hold false hits: compare the record. */
  find(high: number, low: number, below: Position, limit: number): Position[]
  /** False only when nothing is filed under the term. A few nanoseconds for nearly every absent term. */
  mayHave(high: number, low: number): boolean
  /** Null when there is none, or when the archive was deleted or is damaged. */
  loadImage(): LoadedSnapshot | null
  /** Applies the delta to the stored image in one transaction. One at a time. */
  saveImage(delta: SnapshotDelta, done: (error: Error | null) => void): void
  close(): Promise<void>
}

/** Runs merchants' code; the pool is in sandbox-pool/. Neither method ever rejects: every end is a value. */
export interface Sandbox {
  run(request: SandboxRequest): Promise<SandboxResult>
  /** Compiles and loads the source without calling its function: what is asked when a product is written. */
  checkSource(request: SourceCheckRequest): Promise<SourceCheck>
}

export type SandboxEntry = 'lookup' | 'onPaid'

/** Customers of the environment, or a merchant that tries its code out. Each has threads and memory of its own. */
export type SandboxPurpose = Environment | 'trial'

export interface SandboxRequest {
  readonly merchantId: string
  readonly purpose: SandboxPurpose
  readonly entry: SandboxEntry
  readonly source: string
  /** JSON text, at most 64 KB. */
  readonly argument: string
  /** How long the caller waits from now on, for a free sandbox and for the run; cut to 10 s. */
  readonly timeoutMs: number
}

/** Whose fault: the code's, its slowness, too many runs at once, or ours. */
export type SandboxFault = 'code' | 'timeout' | 'busy' | 'unavailable'

export interface SandboxFetch {
  readonly method: string
  readonly host: string
  /** Null when there was no answer. */
  readonly status: number | null
  readonly durationMs: number
}

/** What a run leaves behind for its record, however it ended. */
export interface SandboxTrace {
  /** For the caller: waiting included. */
  readonly durationMs: number
  readonly fetches: readonly SandboxFetch[]
  readonly logs: readonly string[]
}

export interface SandboxSuccess extends SandboxTrace {
  readonly ok: true
  /** JSON text of what the function returned, at most 64 KB and 32 deep; nobody has looked at its shape. */
  readonly value: string
}

export interface SandboxFailure extends SandboxTrace {
  readonly ok: false
  readonly fault: SandboxFault
  /** False: the merchant's code had no effect outside the sandbox, and it may be run again. Always false with `busy`. */
  readonly started: boolean
  /** English, for the merchant's developers. */
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
  /** English, without the line. */
  readonly message: string
  /** From 1; null when no line is to blame. */
  readonly line: number | null
}

export type SourceCheck = { readonly ok: true } | SourceRefusal
