// Verifies an archive against its log: the snapshot against a replay, the index for consistency. Read-only. No process may write
// to the archive meanwhile.
import { snapshotRows } from '../../engine/actor/snapshot.ts'
import { replayRecord } from '../../engine/actor/turn.ts'
import { newState } from '../../engine/domain/new-state.ts'
import type { LogRecord } from '../../engine/domain/record.ts'
import type { State } from '../../engine/domain/state.ts'
import { sequenceOf } from '../../engine/kernel/position.ts'
import { chunkKey, decodeChunk } from '../archive/index-chunk.ts'
import { type Manifest, type Run, readManifest } from '../archive/manifest.ts'
import { storedDigest } from '../archive/run-files.ts'
import { RowsDigest, readSnapshot } from '../archive/snapshot-rows.ts'
import type { ArchiveStore } from '../archive/store.ts'

export interface ArchiveReport {
  readonly indexedThrough: number
  readonly runs: number
  readonly entries: number
  readonly snapshotSequence: number
  readonly snapshotRows: number
  /** First error; null for a sound archive. */
  readonly fault: string | null
}

/** Verification of an archive: pass every record of the log, then read the report. */
export class ArchiveWalk {
  readonly #store: ArchiveStore
  readonly #manifest: Manifest | null
  readonly #state = newState()
  /** Digest and number of the replayed rows at the snapshot's sequence. */
  #replayed: { readonly digest: string; readonly rowCount: number } | null = null
  #replayFault: string | null = null

  constructor(store: ArchiveStore) {
    this.#store = store
    this.#manifest = readManifest(store)
  }

  onRecord(record: LogRecord): void {
    const snapshot = this.#manifest?.snapshot ?? null
    if (snapshot === null || record.sequence > snapshot.sequence || this.#replayFault !== null) return
    try {
      replayRecord(this.#state, record)
    } catch (error) {
      this.#replayFault = `sequence ${record.sequence} cannot be replayed: ${(error as Error).message}`
    }
    if (record.sequence === snapshot.sequence) this.#replayed = digestOf(this.#state)
  }

  report(logId: string, lastSequence: number): ArchiveReport {
    const manifest = this.#manifest
    if (manifest === null) return { indexedThrough: 0, runs: 0, entries: 0, snapshotSequence: 0, snapshotRows: 0, fault: null }
    const { indexedThrough, runs, snapshot } = manifest
    return {
      indexedThrough,
      runs: runs.length,
      entries: runs.reduce((sum, run) => sum + run.count, 0),
      snapshotSequence: snapshot?.sequence ?? 0,
      snapshotRows: snapshot?.rowCount ?? 0,
      fault: this.#fault(manifest, logId, lastSequence),
    }
  }

  #fault(manifest: Manifest, logId: string, lastSequence: number): string | null {
    if (manifest.logId !== logId) return 'it was derived from another log'
    if (manifest.indexedThrough > lastSequence) return `its index goes to sequence ${manifest.indexedThrough}, the log to ${lastSequence}`
    return this.#snapshotFault(manifest, lastSequence) ?? this.#indexFault(manifest)
  }

  #snapshotFault({ snapshot }: Manifest, lastSequence: number): string | null {
    if (snapshot === null) return null
    if (snapshot.sequence > lastSequence) return `its snapshot is of sequence ${snapshot.sequence}, the log goes to ${lastSequence}`
    if (this.#replayFault !== null) return this.#replayFault
    if (readSnapshot(this.#store, snapshot) === null) return 'the rows of its snapshot do not match their digest'
    if (this.#replayed?.digest !== snapshot.digest || this.#replayed.rowCount !== snapshot.rowCount) {
      return `its snapshot of sequence ${snapshot.sequence} (${snapshot.rowCount} rows) differs from the replay of the log (${this.#replayed?.rowCount ?? 0} rows)`
    }
    return null
  }

  #indexFault({ runs, indexedThrough }: Manifest): string | null {
    for (const run of runs) {
      const fault = this.#runFault(run, indexedThrough)
      if (fault !== null) return `run ${run.number} of its index ${fault}`
    }
    return null
  }

  /** Returns the first error of a run. Entries must ascend, have the listed count, and refer to indexed records. */
  #runFault(run: Run, indexedThrough: number): string | null {
    let count = 0
    let before = ''
    const range = { start: chunkKey(run.number, 0, 0, 0), end: chunkKey(run.number + 1, 0, 0, 0) }
    for (const { value } of this.#store.chunks.getRange(range)) {
      const chunk = decodeChunk(value)
      for (let at = 0; at < chunk.count; at++) {
        const position = chunk.position[at] as number
        const sorts = chunkKey(0, chunk.high[at] as number, chunk.low[at] as number, position).toString('latin1')
        if (sorts <= before) return 'is not in order'
        if (position < run.minPosition || sequenceOf(position) > indexedThrough) return `leads to sequence ${sequenceOf(position)}`
        before = sorts
      }
      count += chunk.count
    }
    if (count !== run.count) return `holds ${count} entries, not ${run.count}`
    return storedDigest(this.#store, run.number) === run.digest ? null : 'does not match its digest'
  }
}

function digestOf(state: State): { digest: string; rowCount: number } {
  const digest = new RowsDigest()
  let rowCount = 0
  for (const { key, value } of snapshotRows(state)) {
    digest.add(key, value)
    rowCount++
  }
  return { digest: digest.toString(), rowCount }
}
