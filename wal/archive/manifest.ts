// Manifest of the archive: the runs of the index, garbage runs and the stored snapshot. One small entry, written in the same
// transaction as the data that it describes.
import type { SnapshotPoint } from './snapshot-rows.ts'
import type { ArchiveStore } from './store.ts'

export const ARCHIVE_VERSION = 1

/** One sorted run of entries. */
export interface Run {
  /** Prefix of the keys of its chunks and filter parts. Never reused. */
  readonly number: number
  readonly count: number
  /** Number of different hashes; an upper bound while a merged run is written. */
  readonly hashes: number
  /** Lowest position in the run: searches for older positions skip it. */
  readonly minPosition: number
}

export interface Manifest {
  readonly version: number
  /** Log that the archive is derived from. */
  readonly logId: string
  readonly indexedThrough: number
  readonly nextRun: number
  /** Oldest first. All positions of a run are below those of the next run. */
  readonly runs: readonly Run[]
  /** Numbers of merged or half-written runs, whose chunks must be deleted. */
  readonly rubbish: readonly number[]
  /** The snapshot. Stored under this name since 1.0.0. */
  readonly image: SnapshotPoint | null
}

const KEY = 'manifest'

export function emptyManifest(logId: string): Manifest {
  return { version: ARCHIVE_VERSION, logId, indexedThrough: 0, nextRun: 1, runs: [], rubbish: [], image: null }
}

/** Returns null for a missing manifest or one of another version: the archive is then rebuilt. */
export function readManifest(store: ArchiveStore): Manifest | null {
  const bytes = store.meta.get(KEY)
  if (bytes === undefined) return null
  const manifest = JSON.parse(Buffer.from(bytes).toString('utf8')) as Manifest
  return manifest.version === ARCHIVE_VERSION ? manifest : null
}

/** Writes the manifest. Call it within a transaction of the store. */
export function writeManifest(store: ArchiveStore, manifest: Manifest): void {
  store.put(store.meta, KEY, Buffer.from(JSON.stringify(manifest)))
}
