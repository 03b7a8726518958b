// The snapshot of live state: rows that changed since the last one, captured between two log batches, serialized in
// slices and stored by the archive. Recovery starts from it and replays only later records.
import type { State } from '../domain/state.ts'
import type { Environment } from '../kernel/environment.ts'
import { SNAPSHOT_ROWS_PER_BLOCK, SNAPSHOT_ROWS_PER_SLICE } from '../kernel/limits.ts'
import type { TimeMs } from '../kernel/time.ts'
import { ACCOUNTS_PER_BLOCK, type AccountBlock } from '../ledger/accounts.ts'
import type { LoadedSnapshot, Scheduler, SnapshotDelta, SnapshotRow } from './ports.ts'

const ACCOUNTS_ROW = 'accounts'
const ACCOUNTS_PREFIX = `${ACCOUNTS_ROW}:`
const COUNTS_ROW = 'counts:transactions'

/** The point of the log where a snapshot stands: the end of a batch. */
export interface SnapshotPoint {
  readonly sequence: number
  readonly timeMs: TimeMs
  readonly batchHash: string
}

/** Changed rows at one point, not serialized yet. Rows are immutable; account blocks are copies. */
export interface CapturedSnapshot {
  readonly point: SnapshotPoint
  readonly changes: readonly (readonly [key: string, row: object | null])[]
}

/** Captures what changed since the last capture. Costs a copy of the changed account blocks (24 KB each). */
export function captureSnapshot(state: State, point: SnapshotPoint): CapturedSnapshot {
  const changes: [string, object | null][] = []
  for (const block of state.accounts.takeDirtyBlocks()) changes.push([`${ACCOUNTS_ROW}:${block}`, state.accounts.copyBlock(block)])
  for (const source of state.snapshotSources) {
    for (const [key, row] of source.takeChanges()) changes.push([`${source.name}:${key}`, row])
  }
  changes.push([COUNTS_ROW, { ...state.transactionCounts }])
  return { point, changes }
}

/** Serializes in slices, so that no burst of turns waits longer than one slice. */
export function serializeSnapshot(captured: CapturedSnapshot, scheduler: Scheduler, done: (delta: SnapshotDelta) => void): void {
  const rows: SnapshotRow[] = []
  const { changes, point } = captured
  let next = 0
  const slice = (): void => {
    for (let work = 0; next < changes.length && work < SNAPSHOT_ROWS_PER_SLICE; next++) {
      const change = changes[next] as [string, object | null]
      rows.push(snapshotRow(change))
      work += change[0].startsWith(ACCOUNTS_PREFIX) ? SNAPSHOT_ROWS_PER_BLOCK : 1
    }
    if (next < changes.length) scheduler.soon(slice)
    else done({ ...point, rows })
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

function snapshotRow([key, row]: readonly [string, object | null]): SnapshotRow {
  return { key, value: row === null ? null : JSON.stringify(row) }
}
