// Marker file of a clean stop: times, sizes and inodes of the files at their close. With it the next start skips the check in
// a child process. The marker is removed before any file is opened, so a start after a failed start checks again. Any later
// change of a file shows in its times, size or inode.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFileOf } from '../lmdb-file.ts'
import { archivePathOf, logPathOf } from './folder.ts'

const NAME = 'clean-stop.json'

export function leaveCleanStop(dataDir: string): void {
  writeFileSync(join(dataDir, NAME), JSON.stringify(fingerprint(dataDir)), { mode: 0o600 })
}

/** Returns true if the folder is unchanged since a clean stop. Removes the marker. */
export function takeCleanStop(dataDir: string): boolean {
  const path = join(dataDir, NAME)
  let note: string
  try {
    note = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  rmSync(path)
  return note === JSON.stringify(fingerprint(dataDir))
}

function fingerprint(dataDir: string): string[] {
  return [logPathOf(dataDir), archivePathOf(dataDir)].map((path) => {
    const stats = statSync(dataFileOf(path), { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? 'missing' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join('/')
  })
}
