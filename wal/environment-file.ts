// What can be said about an environment's file from outside: LMDB itself does not notice that its end is missing until
// a read beyond it ends the process.
import { statSync } from 'node:fs'
import type { Environment } from './environment.ts'
import { dataFileOf } from './folder.ts'

/** Null when the file is as long as its pages need, else what is wrong. */
export function shortFile(path: string, environment: Environment): string | null {
  const { pageSize, lastPageNumber } = environment.getStats() as { pageSize: number; lastPageNumber: number }
  const sizeBytes = statSync(dataFileOf(path)).size
  const neededBytes = (lastPageNumber + 1) * pageSize
  return sizeBytes < neededBytes ? `its file has ${sizeBytes} bytes where its pages need ${neededBytes}` : null
}
