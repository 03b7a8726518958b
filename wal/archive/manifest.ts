// The archive's table of contents: which runs make up the index, what is rubbish, which image is stored. One small entry,
// rewritten in the same transaction as whatever it tells of.
import type { SnapshotPoint } from './snapshot-rows.ts'
import type { ArchiveStore } from './store.ts'

export const ARCHIVE_VERSION = 1

/** One sorted run of entries. */
export interface Run {
  /** Prefix of its chunks and of the parts of its filter; never used twice. */
  readonly number: number
  readonly count: number
  /** How many different hashes they have; of a merged run, at most so many until it is written. */
  readonly hashes: number
  /** Nothing in it is below: older pages skip it. */
  readonly minPosition: number
}

export interface Manifest {
  readonly version: number
  /** The log that all of this is derived from. */
  readonly logId: string
  readonly indexedThrough: number
  readonly nextRun: number
  /** Oldest first; each run's positions are all below the next one's. */
  readonly runs: readonly Run[]
  /** Numbers of runs that were merged into others, or were being written: their chunks are to be deleted. */
  readonly rubbish: readonly number[]
  readonly image: SnapshotPoint | null
}

const KEY = 'manifest'

export function emptyManifest(logId: string): Manifest {
  return { version: ARCHIVE_VERSION, logId, indexedThrough: 0, nextRun: 1, runs: [], rubbish: [], image: null }
}

/** Null when there is none, or one of another version: the archive is then built anew. */
export function readManifest(store: ArchiveStore): Manifest | null {
  const bytes = store.meta.get(KEY)
  if (bytes === undefined) return null
  const manifest = JSON.parse(Buffer.from(bytes).toString('utf8')) as Manifest
  return manifest.version === ARCHIVE_VERSION ? manifest : null
}

/** Within a transaction of the store. */
export function writeManifest(store: ArchiveStore, manifest: Manifest): void {
  store.put(store.meta, KEY, Buffer.from(JSON.stringify(manifest)))
}
