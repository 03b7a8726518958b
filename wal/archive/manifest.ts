// Manifest of the archive: the runs of the index, garbage runs and the stored snapshot. One small entry, written in the same
// transaction as the data that it describes.
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { HashKey } from '../../engine/kernel/index-key.ts'
import type { SnapshotPoint } from './snapshot-rows.ts'
import type { ArchiveStore } from './store.ts'

/** Raised when records get other index entries: an index of another version is rebuilt from the log. */
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
  /** CRC-32 over its chunks and its filter. */
  readonly digest: number
}

export interface Manifest {
  readonly version: number
  /** Log that the archive is derived from. */
  readonly logId: string
  /** Secret of the hashes of the index. */
  readonly hashKey: HashKey
  readonly indexedThrough: number
  readonly nextRun: number
  /** Oldest first. All positions of a run are below those of the next run. */
  readonly runs: readonly Run[]
  /** Numbers of merged or half-written runs, whose chunks must be deleted. */
  readonly rubbish: readonly number[]
  readonly snapshot: SnapshotPoint | null
}

export interface ManifestOptions {
  /** Log that the archive is derived from. An archive of another log is discarded. */
  readonly logId: string
  readonly onWarning: (message: string) => void
}

const KEY = 'manifest'
/** CRC-32 of the manifest's bytes. */
const CHECKSUM_KEY = 'manifest crc32'

export function emptyManifest(logId: string): Manifest {
  const words = randomBytes(8)
  const hashKey = [words.readInt32LE(0), words.readInt32LE(4)] as const
  return { version: ARCHIVE_VERSION, logId, hashKey, indexedThrough: 0, nextRun: 1, runs: [], rubbish: [], snapshot: null }
}

/** Returns null for a missing manifest or one of another version: the index is then rebuilt. */
export function readManifest(store: ArchiveStore): Manifest | null {
  const manifest = readAnyManifest(store)
  return manifest?.version === ARCHIVE_VERSION ? manifest : null
}

/** Returns an empty manifest with the snapshot, which does not depend on the index, of an earlier version; null when there is none. */
export function withSnapshotOnly(store: ArchiveStore, logId: string): Manifest | null {
  const manifest = readAnyManifest(store)
  const isEarlier = manifest !== null && manifest.version < ARCHIVE_VERSION
  return isEarlier && manifest.logId === logId ? { ...emptyManifest(logId), snapshot: manifest.snapshot } : null
}

/** Throws for a damaged manifest: its hash key alone decides which keys are found. */
function readAnyManifest(store: ArchiveStore): Manifest | null {
  const bytes = store.meta.get(KEY)
  if (bytes === undefined) return null
  const text = Buffer.from(bytes).toString('utf8')
  const checksum = store.meta.get(CHECKSUM_KEY)
  if (checksum === undefined || Buffer.from(checksum).toString('utf8') !== String(crc32(text))) throw new Error('its manifest is damaged')
  return JSON.parse(text) as Manifest
}

/** Writes the manifest. Call it within a transaction of the store. */
export function writeManifest(store: ArchiveStore, manifest: Manifest): void {
  const text = JSON.stringify(manifest)
  store.put(store.meta, KEY, Buffer.from(text))
  store.put(store.meta, CHECKSUM_KEY, Buffer.from(String(crc32(text))))
}

/** Returns the stored manifest, or starts over where the archive is new, of another log, or its index of another version. */
export function usableManifest(store: ArchiveStore, { logId, onWarning }: ManifestOptions): Manifest {
  const manifest = readManifest(store)
  if (manifest?.logId === logId) return manifest
  if (manifest !== null) onWarning('The archive belongs to another log: it is rebuilt from the log.')
  const earlier = withSnapshotOnly(store, logId)
  if (earlier !== null) onWarning('The index is of an earlier version: it is rebuilt from the log, which takes a while once.')
  return startOver(store, earlier ?? emptyManifest(logId))
}

/** Removes the index, and the snapshot unless the manifest names it. */
function startOver(store: ArchiveStore, manifest: Manifest): Manifest {
  store.transact(() => {
    for (const database of [store.chunks, store.filters]) store.clear(database)
    if (manifest.snapshot === null) store.clear(store.snapshot)
    writeManifest(store, manifest)
  })
  return manifest
}
