// One process for a data folder. The lock is a read transaction, held for life, in an LMDB store that stores
// nothing: its reader table is kept by the kernel's record locks. It must never wait: a taken folder is refused.
//
// Node has no flock, and the other ways are worse: a file with a process id is fooled by reused ids and by containers,
// where every server is process 1; a socket in the folder leaves a file behind after kill -9 that two starters may both
// take for stale, and its path has to be shorter than 108 bytes. LMDB's record locks end with the process whatever ends
// it, hold between containers that share the folder on one machine, and need no ids: who opens the store alone
// finds an empty table, and each process counts the table after it has entered itself, so of two at most one goes on.
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

  /** Takes the lock kept in the folder `path` or throws a DataFolderError that names the holder. */
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

/** Process ids in the reader table; those of dead processes are cleared first. Lines are `pid thread txnid` below a title. */
function holders(store: LmdbStore): string[] {
  store.readerCheck()
  const pids: string[] = []
  for (const line of store.readerList().split('\n')) {
    const pid = /^\s*(\d+)\s/.exec(line)?.[1]
    if (pid !== undefined) pids.push(pid)
  }
  return pids
}
