// The archive's LMDB store and its databases. Two threads of one process open it: the worker, which alone writes,
// and the main thread, which reads.
import type { Database, Key } from 'lmdb'
import { ARCHIVE_MAP_BYTES } from '../limits.ts'
import { type LmdbStore, openLmdbStore } from '../lmdb-store.ts'
import { PAGE_BYTES } from './archive-page.ts'
import { WriteMark } from './write-mark.ts'

const DATABASES_MAX = 4

export interface ArchiveStore {
  readonly lmdb: LmdbStore
  readonly meta: Database<Uint8Array, string>
  readonly chunks: Database<Uint8Array, Uint8Array>
  readonly filters: Database<Uint8Array, Uint8Array>
  readonly snapshot: Database<string, string>
  /** Runs `write` in one transaction that is on disk when this returns. Blocks the thread, so only the worker calls it. */
  transact(write: () => void): void
  /** Writes an entry. Call it within `transact`. */
  put<Value, ItsKey extends Key>(database: Database<Value, ItsKey>, key: ItsKey, value: Value): void
  /** Removes an entry. Call it within `transact`. */
  remove<Value, ItsKey extends Key>(database: Database<Value, ItsKey>, key: ItsKey): void
  /** Removes all entries. Call it within `transact`. */
  clear<Value, ItsKey extends Key>(database: Database<Value, ItsKey>): void
  /** Makes committed changes visible to the next read. */
  refresh(): void
  close(): Promise<void>
}

export function openStore(path: string, readOnly?: true): ArchiveStore {
  const store = openLmdbStore({
    path,
    mapBytes: ARCHIVE_MAP_BYTES,
    pageBytes: PAGE_BYTES,
    databasesMax: DATABASES_MAX,
    ...(readOnly === true ? { readOnly } : {}),
  })
  if (readOnly === true && store.openDB({ name: 'meta', encoding: 'binary' }) === undefined) throw new Error('it holds no archive')
  const mark = new WriteMark(path)
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const
  return {
    lmdb: store,
    meta: store.openDB<Uint8Array, string>({ name: 'meta', encoding: 'binary' }),
    chunks: store.openDB<Uint8Array, Uint8Array>({ name: 'chunks', ...binary }),
    filters: store.openDB<Uint8Array, Uint8Array>({ name: 'filters', ...binary }),
    snapshot: store.openDB<string, string>({ name: 'image', encoding: 'string' }),
    transact: (write) => {
      mark.during(() => store.transactionSync(write))
    },
    // Inside a transaction lmdb runs these synchronously and throws failures; the returned promise is already settled.
    put: (database, key, value) => void database.put(key, value),
    remove: (database, key) => void database.remove(key),
    clear: (database) => database.clearSync(),
    refresh: () => store.resetReadTxn(),
    close: () => {
      mark.close()
      return store.close()
    },
  }
}
