// The check of the master key, which goes with a log from place to place: a server with another key is then refused at its start
// instead of failing to decrypt. After a rotation of the master key it also holds the older keys, sealed. It reveals nothing about a key.
import { join } from 'node:path'
import { readText, replaceFile } from '../folder/durable-file.ts'
import { KEY_CHECK_FILE } from '../folder/folder.ts'

/** Returns an empty text for a folder without the check. */
export function readKeyCheck(dataDir: string): string {
  return readText(join(dataDir, KEY_CHECK_FILE)) ?? ''
}

/** Writes the check durably; keeps one that is there. */
export function leaveKeyCheck(dataDir: string, keyCheck: string): void {
  if (keyCheck === '' || readKeyCheck(dataDir) !== '') return
  replaceFile(join(dataDir, KEY_CHECK_FILE), `${keyCheck}\n`)
}
