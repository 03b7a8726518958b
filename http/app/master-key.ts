// Master key of the secrets at rest. In development it is generated on first use and stored in the data folder,
// readable by its owner only. A fingerprint detects a wrong key before anything is sealed or opened.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createFile, moveFile, readText, replaceFile } from '../../wal/folder/durable-file.ts'
import { KEY_CHECK_FILE } from '../../wal/folder/folder.ts'
import { newKeyRing, openKeyRing } from '../crypto/key-ring.ts'
import { MASTER_KEY_BYTES, type RootKeys } from '../crypto/seal.ts'

export const KEY_FILE = 'master.key'
/** The key that a rotation is about to make the one of the folder. */
export const NEXT_KEY_FILE = 'master.key.next'

/** The key does not fit the data folder; the message names the remedy. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError'
}

export interface MasterKeyParts {
  /** From the settings. */
  readonly masterKey: Buffer | null
  /** Data folder, locked by this process. */
  readonly dataDir: string
  /** True when the folder holds records. A missing key must then not be replaced. */
  readonly hasRecords: boolean
  /** Key ring of the cluster, which the folder's follows; null without a cluster. */
  readonly clusterRing?: string | null
}

/** Loads or creates the key and returns the root keys. Throws MasterKeyError, and system errors when the folder is unreadable. */
export function loadRootKeys({ masterKey, dataDir, hasRecords, clusterRing = null }: MasterKeyParts): RootKeys {
  const key = masterKey ?? keyOfFolder(dataDir, hasRecords)
  const path = join(dataDir, KEY_CHECK_FILE)
  const own = readText(path)
  const ring = clusterRing ?? own ?? newKeyRing(key)
  const roots = openKeyRing(ring, key)
  if (roots === null) {
    throw new MasterKeyError(
      `MASTER_KEY is not the key that the secrets in ${dataDir} were sealed under: set the one from before, or the new one after a rotation.`,
    )
  }
  if (own === null) createFile(path, `${ring}\n`)
  else if (own !== ring) replaceFile(path, `${ring}\n`)
  return roots
}

function keyOfFolder(dataDir: string, hasRecords: boolean): Buffer {
  const kept = keptKey(dataDir)
  if (kept !== null) return kept
  const path = join(dataDir, KEY_FILE)
  if (hasRecords) throw new MasterKeyError(`${path} is missing: restore it from a backup, or set MASTER_KEY to the key from before.`)
  const key = randomBytes(MASTER_KEY_BYTES)
  createFile(path, `${key.toString('base64')}\n`)
  return key
}

/** Returns the key in the folder, after it has finished a rotation that was interrupted; null without one. Throws MasterKeyError. */
export function keptKey(dataDir: string): Buffer | null {
  const path = join(dataDir, KEY_FILE)
  const next = readText(join(dataDir, NEXT_KEY_FILE))
  if (next !== null) settleNextKey(dataDir, Buffer.from(next, 'base64'))
  const text = readText(path)
  if (text === null) return null
  const key = Buffer.from(text, 'base64')
  if (key.length === MASTER_KEY_BYTES) return key
  throw new MasterKeyError(`${path} is damaged: restore it from a backup, or set MASTER_KEY.`)
}

/** The key ring decides which key is the one of the folder: a rotation replaces the ring in one step, between its two steps with the key. */
function settleNextKey(dataDir: string, next: Buffer): void {
  const ring = readText(join(dataDir, KEY_CHECK_FILE))
  const path = join(dataDir, NEXT_KEY_FILE)
  if (ring !== null && openKeyRing(ring, next) !== null) moveFile(path, join(dataDir, KEY_FILE))
  else rmSync(path)
}
