// A note left by a clean stop: how the files were when they were closed. With it the next start may skip the check in a
// process of its own. That is safe: the note is taken away before anything is opened, so a start that fails all the same
// is followed by one that checks; and whatever has touched a file since then shows in its times, size or number.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFileOf } from '../lmdb-file.ts'
import { archivePathOf, logPathOf } from './folder.ts'

const NAME = 'clean-stop.json'

export function leaveCleanStop(dataDir: string): void {
  writeFileSync(join(dataDir, NAME), JSON.stringify(fingerprint(dataDir)), { mode: 0o600 })
}

/** True when the folder is as a clean stop left it. Takes the note away. */
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
