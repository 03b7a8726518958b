// The snapshot of live state: rows that changed since the last one, captured between two log batches, read and serialized
// in slices, and stored by the archive. Recovery starts from it and replays only later records.
import type { State } from '../domain/state.ts'
import type { CapturedRow } from '../kernel/changed-rows.ts'
import type { Environment } from '../kernel/environment.ts'
import { SNAPSHOT_CHARS_PER_ROW, SNAPSHOT_CHARS_PER_SLICE } from '../kernel/limits.ts'
import type { TimeMs } from '../kernel/time.ts'
import { ACCOUNTS_PER_BLOCK, type AccountBlock } from '../ledger/accounts.ts'
import type { LoadedSnapshot, Scheduler, SnapshotDelta, SnapshotRow } from './ports.ts'

const ACCOUNTS_ROW = 'accounts'
const COUNTS_ROW = 'counts:transactions'

/** The point of the log where a snapshot stands: the end of a batch. */
export interface SnapshotPoint {
  readonly sequence: number
  readonly timeMs: TimeMs
  readonly batchHash: string
}

/** Changed rows at one point, serialized while they are read. */
export interface CapturedSnapshot {
  readonly point: SnapshotPoint
  readonly changes: Iterator<SnapshotRow, undefined>
}

/**
 * Captures what changed since the last capture, in the same time for any number of rows: what changes before it is read is
 * copied first. Its changes must be read to their end before the next capture.
 */
export function captureSnapshot(state: State, point: SnapshotPoint): CapturedSnapshot {
  const blocks = state.accounts.captureBlocks()
  const sources = state.snapshotSources.map((source): CapturedSource => [source.name, source.capture()])
  return { point, changes: changesOf(blocks, sources, { ...state.transactionCounts }) }
}

type CapturedSource = readonly [name: string, rows: Iterable<CapturedRow>]

function* changesOf(
  blocks: Iterable<readonly [block: number, json: string]>,
  sources: readonly CapturedSource[],
  counts: Readonly<Record<Environment, number>>,
): Generator<SnapshotRow, undefined> {
  for (const [block, value] of blocks) yield { key: `${ACCOUNTS_ROW}:${block}`, value }
  for (const [name, rows] of sources) for (const [key, value] of rows) yield { key: `${name}:${key}`, value }
  yield { key: COUNTS_ROW, value: JSON.stringify(counts) }
}

/** Serializes in slices, so that no burst of turns waits longer than one slice. */
export function serializeSnapshot(captured: CapturedSnapshot, scheduler: Scheduler, done: (delta: SnapshotDelta) => void): void {
  const rows: SnapshotRow[] = []
  const { changes, point } = captured
  const slice = (): void => {
    for (let chars = 0; chars < SNAPSHOT_CHARS_PER_SLICE; ) {
      const { value: row } = changes.next()
      if (row === undefined) return done({ ...point, rows })
      rows.push(row)
      chars += SNAPSHOT_CHARS_PER_ROW + (row.value?.length ?? 0)
    }
    scheduler.soon(slice)
  }
  slice()
}

/** Puts the rows of the snapshot into an empty state. */
export function restoreSnapshot(state: State, snapshot: LoadedSnapshot): void {
  const sources = new Map(state.snapshotSources.map((source) => [source.name, source]))
  for (const { key, value } of snapshot.rows) {
    const colon = key.indexOf(':')
    const table = key.slice(0, colon)
    const row = JSON.parse(value) as object
    if (table === ACCOUNTS_ROW) state.accounts.restoreBlock(row as AccountBlock)
    else if (key === COUNTS_ROW) Object.assign(state.transactionCounts, row as Record<Environment, number>)
    else {
      const source = sources.get(table)
      if (source === undefined)
        throw new Error(`The snapshot holds rows of "${table}", unknown to this release: start the newer release that wrote it.`)
      source.restore(key.slice(colon + 1), row)
    }
  }
  for (const source of state.snapshotSources) source.restored?.()
}

/** Returns every row of the state as a snapshot holds it, for tests and `verify`. */
export function* snapshotRows(state: State): Generator<SnapshotRow & { readonly value: string }> {
  const blocks = Math.ceil(state.accounts.count / ACCOUNTS_PER_BLOCK)
  for (let block = 0; block < blocks; block++) {
    yield { key: `${ACCOUNTS_ROW}:${block}`, value: JSON.stringify(state.accounts.copyBlock(block)) }
  }
  for (const source of state.snapshotSources) {
    for (const [key, row] of source.rows()) yield { key: `${source.name}:${key}`, value: JSON.stringify(row) }
  }
  yield { key: COUNTS_ROW, value: JSON.stringify(state.transactionCounts) }
}
