// Messages between the main thread and the archive's worker. Buffers are transferred, not copied.
import type { LogFormatError } from '../../engine/actor/log-format-error.ts'
import type { IndexSegment, SnapshotRow } from '../../engine/actor/ports.ts'
import type { Run } from './manifest.ts'
import type { SnapshotPoint } from './snapshot-rows.ts'

export interface WorkerStart {
  readonly path: string
}

/** A segment whose columns have as many entries as it has. */
export interface SegmentColumns {
  readonly throughSequence: number
  readonly high: Uint32Array
  readonly low: Uint32Array
  readonly position: Float64Array
}

export type ToWorker =
  | (SegmentColumns & { readonly type: 'segment' })
  | { readonly type: 'indexLog'; readonly logPath: string; readonly through: number; readonly checkThrough: number }
  | { readonly type: 'snapshotRows'; readonly rows: readonly SnapshotRow[] }
  | { readonly type: 'snapshotEnd'; readonly sequence: number; readonly timeMs: number; readonly batchHash: string }
  /** Discards the stored snapshot: the next delta starts from an empty one. */
  | { readonly type: 'snapshotForget' }
  /** The main thread does not read these merged runs any more. */
  | { readonly type: 'release'; readonly runs: readonly number[] }
  | { readonly type: 'close' }

export type FromWorker =
  | { readonly type: 'segmentStored'; readonly throughSequence: number; readonly run: Run | null; readonly filter: Uint32Array | null }
  | { readonly type: 'merged'; readonly inputs: readonly number[]; readonly output: Run; readonly filter: Uint32Array | null }
  | { readonly type: 'filter'; readonly run: number; readonly filter: Uint32Array }
  /** Follows the filters of all runs that were stored before. */
  | { readonly type: 'filtersSent' }
  | { readonly type: 'snapshotStored'; readonly point: SnapshotPoint }
  /** `fault`: the log is damaged. */
  | {
      readonly type: 'logIndexed'
      readonly fault: { readonly code: LogFormatError['code']; readonly message: string } | null
      readonly unstored: readonly SegmentColumns[]
    }
  | { readonly type: 'failed'; readonly message: string; readonly code: string }

/** Returns copies of the columns, because the other side searches the segment. */
export function columnsOf({ throughSequence, count, high, low, position }: IndexSegment): SegmentColumns {
  return { throughSequence, high: high.slice(0, count), low: low.slice(0, count), position: position.slice(0, count) }
}

/** Returns what a message transfers. */
export function buffersOf({ high, low, position }: SegmentColumns): ArrayBuffer[] {
  return [high.buffer, low.buffer, position.buffer] as ArrayBuffer[]
}
