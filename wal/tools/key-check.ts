// The check of the master key, which goes with a log from place to place: a server with another key is then refused at its start
// instead of failing to decrypt. It reveals nothing about the key.
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_CHECK_FILE } from '../folder/folder.ts'

/** Returns an empty text for a folder without the check. */
export function readKeyCheck(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, KEY_CHECK_FILE), 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Writes the check durably; keeps one that is there. */
export function leaveKeyCheck(dataDir: string, keyCheck: string): void {
  if (keyCheck === '' || readKeyCheck(dataDir) !== '') return
  const file = openSync(join(dataDir, KEY_CHECK_FILE), 'w', 0o600)
  try {
    writeSync(file, `${keyCheck}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
