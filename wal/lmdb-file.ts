// The data file of an LMDB store: its path, and a check that it is as long as its pages need.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { LmdbStore } from './lmdb-store.ts'

/** Returns the path of the data file in a store's folder. */
export function dataFileOf(storePath: string): string {
  return join(storePath, 'data.mdb')
}

/**
 * Returns null if the file is as long as its pages need, else an error text. LMDB does not check it: a read beyond the end of
 * the file ends the process by SIGBUS.
 */
export function shortFile(path: string, store: LmdbStore): string | null {
  const sizeBytes = statSync(dataFileOf(path)).size
  const neededBytes = usedBytes(store)
  return sizeBytes < neededBytes ? `its file has ${sizeBytes} bytes where its pages need ${neededBytes}` : null
}

/** Returns the end of the last page of the store in its data file. Takes 15 µs. */
export function usedBytes(store: LmdbStore): number {
  const { pageSize, lastPageNumber } = store.getStats() as { pageSize: number; lastPageNumber: number }
  return (lastPageNumber + 1) * pageSize
}
