// Opens LMDB stores (LMDB calls them environments) with the flags that durability needs. No other file names LMDB options. It
// must never open one with noSync, noMetaSync, useWritemap or overlappingSync.
import { type Key, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'

/** Calls that lmdb documents or takes and its types leave out. */
interface UntypedCalls {
  /** `append`: the key must be above all others, or the promise answers false. */
  put(key: Key, value: Uint8Array, options: { readonly append: true }): Promise<boolean>
  /** The callback form: nothing to await, nothing that rejects. */
  remove(key: Key, settled: () => void): void
}

export type LmdbStore = RootDatabase<Uint8Array, Key> & UntypedCalls

export interface LmdbStoreOptions {
  readonly path: string
  readonly mapBytes: number
  readonly readOnly?: true
  /** Bytes of a page, for a new store; absent: the system's. */
  readonly pageBytes?: number
  /** Named databases. */
  readonly databasesMax?: number
}

/** What lmdb takes and its types leave out. */
interface AllOptions extends RootDatabaseOptionsWithPath {
  noSubdir: boolean
  permissionsMode: number
  txnStartThreshold: number
}

/**
 * `overlappingSync: false` makes a commit one unit: its promise settles after fdatasync and the synchronous write of
 * the meta page, and a commit that failed is invisible for ever. With the default a batch whose fsync failed was
 * rejected, yet visible, and became durable with the next commit.
 *
 * `eventTurnBatching: false` with `txnStartThreshold: 1` starts a transaction at once when its second write is
 * queued, where the default waits for the next turn of the loop, behind all the input that has arrived.
 */
export function openLmdbStore(options: LmdbStoreOptions): LmdbStore {
  const { path, mapBytes, readOnly, pageBytes, databasesMax } = options
  const all: AllOptions = {
    path,
    // Else a path with a dot in its last part would be taken for a file.
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

/** The same bytes as a Buffer, not a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
