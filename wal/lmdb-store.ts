// Opens LMDB stores with the flags that durability needs. No other file sets LMDB options. It must never open a store with
// noSync, noMetaSync, useWritemap or overlappingSync.
import { ABORT, type Key, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'

/** Calls of lmdb that its types omit. */
interface UntypedCalls {
  /** With `append` the key must be above all others, or the promise resolves with false. */
  put(key: Key, value: Uint8Array, options: { readonly append: true }): Promise<boolean>
  /** Callback form: it makes no promise that could reject. */
  remove(key: Key, settled: () => void): void
}

export type LmdbStore = RootDatabase<Uint8Array, Key> & UntypedCalls

export interface LmdbStoreOptions {
  readonly path: string
  readonly mapBytes: number
  readonly readOnly?: true
  /** Page size of a new store. Default: the system's. */
  readonly pageBytes?: number
  /** Maximum number of named databases. */
  readonly databasesMax?: number
}

/** Options of lmdb that its types omit. */
interface AllOptions extends RootDatabaseOptionsWithPath {
  noSubdir: boolean
  permissionsMode: number
  txnStartThreshold: number
}

/**
 * `overlappingSync: false` makes a commit one unit: its promise settles after fdatasync and the synchronous write of
 * the meta page, and a failed commit is never visible. With the default, a batch whose fsync failed was rejected and still
 * visible, and it became durable with the next commit.
 *
 * `eventTurnBatching: false` with `txnStartThreshold: 1` starts a transaction when its second write is queued. The default
 * waits for the next turn of the event loop, after all pending input.
 */
export function openLmdbStore(options: LmdbStoreOptions): LmdbStore {
  const { path, mapBytes, readOnly, pageBytes, databasesMax } = options
  const all: AllOptions = {
    path,
    // Otherwise lmdb takes a path with a dot in its last part for a file.
    noSubdir: false,
    mapSize: mapBytes,
    encoding: 'binary',
    compression: false,
    overlappingSync: false,
    eventTurnBatching: false,
    txnStartThreshold: 1,
    commitDelay: 0,
    noMemInit: false,
    permissionsMode: 0o600,
    maxDbs: databasesMax ?? 1,
    ...(readOnly === true ? { readOnly } : {}),
    ...(pageBytes === undefined ? {} : { pageSize: pageBytes }),
  }
  return open<Uint8Array, Key>(all) as LmdbStore
}

/**
 * Runs a write, reads it back by `isWritten`, and takes it back; the data file is unchanged. LMDB reads its list of free pages only for a
 * write. A damaged one throws here, or ends the process.
 */
export function tryWrite(store: LmdbStore, write: () => void, isWritten: () => boolean): void {
  store.transactionSync(() => {
    write()
    // In such a transaction lmdb reports a failed write as done. Then nothing can be read.
    if (!isWritten()) throw new Error('a write on trial cannot be read back')
    return ABORT
  })
}

/** Returns the same bytes as a Buffer without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
