// The file in which LMDB keeps a store, seen from outside: where it is, and whether it is as long as its pages need.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { LmdbStore } from './lmdb-store.ts'

/** Path of the file in a store's folder. */
export function dataFileOf(storePath: string): string {
  return join(storePath, 'data.mdb')
}

/**
 * Null when the file is as long as its pages need, else what is wrong. LMDB itself does not check: a read beyond the end of
 * the file ends the process by SIGBUS.
 */
export function shortFile(path: string, store: LmdbStore): string | null {
  const { pageSize, lastPageNumber } = store.getStats() as { pageSize: number; lastPageNumber: number }
  const sizeBytes = statSync(dataFileOf(path)).size
  const neededBytes = (lastPageNumber + 1) * pageSize
  return sizeBytes < neededBytes ? `its file has ${sizeBytes} bytes where its pages need ${neededBytes}` : null
}
