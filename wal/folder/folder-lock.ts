// Lock that allows one process per data folder. It is a read transaction in an empty LMDB store, held until the process ends:
// the kernel's record locks keep the reader table. It must never wait: a locked folder is an error.
//
// Node has no flock. A file with a process id fails with reused ids and with containers, where every server is process 1. A
// socket leaves a file after kill -9 that two processes may both take for stale, and its path is limited to 108 bytes.
// LMDB's record locks end with the process in any case and hold between containers on one machine. Each process counts the
// reader table after it has entered itself, so of two processes at most one continues.
import { type LmdbStore, openLmdbStore } from '../lmdb-store.ts'
import { DataFolderError } from './folder-error.ts'

const LOCK_MAP_BYTES = 1024 * 1024

export class FolderLock {
  readonly #store: LmdbStore
  readonly #release: () => void

  private constructor(store: LmdbStore, release: () => void) {
    this.#store = store
    this.#release = release
  }

  /** Takes the lock in the folder `path`. Throws a DataFolderError that names the holder. */
  static async take(path: string, dataDir: string): Promise<FolderLock> {
    const store = openLmdbStore({ path, mapBytes: LOCK_MAP_BYTES })
    const before = holders(store)
    if (before.length > 0) return refuse(store, before, dataDir)
    const transaction = store.useReadTransaction()
    const after = holders(store)
    if (after.length > 1) {
      transaction.done()
      return refuse(store, after, dataDir)
    }
    return new FolderLock(store, () => transaction.done())
  }

  async release(): Promise<void> {
    this.#release()
    await this.#store.close()
  }
}

async function refuse(store: LmdbStore, pids: readonly string[], dataDir: string): Promise<never> {
  await store.close()
  const others = pids.filter((pid) => pid !== String(process.pid))
  const named = others.length > 0 ? `process ${others.join(', ')}` : 'one in another container'
  throw new DataFolderError(
    'in_use',
    `The data folder ${dataDir} is in use by another process (${named}): stop that one first, or set DATA_DIR to another folder.`,
  )
}

/** Returns the process ids of the reader table after clearing dead ones. Its lines are `pid thread txnid` below a title. */
function holders(store: LmdbStore): string[] {
  store.readerCheck()
  const pids: string[] = []
  for (const line of store.readerList().split('\n')) {
    const pid = /^\s*(\d+)\s/.exec(line)?.[1]
    if (pid !== undefined) pids.push(pid)
  }
  return pids
}
