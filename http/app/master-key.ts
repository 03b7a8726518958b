// Master key of the secrets at rest. In development it is generated on first use and stored in the data folder,
// readable by its owner only. A fingerprint detects a wrong key before anything is sealed or opened.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { KEY_CHECK_FILE } from '../../wal/folder/folder.ts'
import { MASTER_KEY_BYTES } from '../crypto/seal.ts'

export const KEY_FILE = 'master.key'
const OWNER_ONLY = 0o600

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
}

/** Loads or creates the key. Throws MasterKeyError, and system errors when the folder is unreadable. */
export function loadMasterKey({ masterKey, dataDir, hasRecords }: MasterKeyParts): Buffer {
  const key = masterKey ?? keyOfFolder(dataDir, hasRecords)
  const expected = readText(join(dataDir, KEY_CHECK_FILE))
  if (expected === null) createFile(join(dataDir, KEY_CHECK_FILE), `${masterKeyCheck(key)}\n`)
  else if (!timingSafeEqual(Buffer.from(masterKeyCheck(key)), Buffer.from(expected.padEnd(64).slice(0, 64)))) {
    throw new MasterKeyError(`MASTER_KEY is not the key that the secrets in ${dataDir} were sealed under: set the one from before.`)
  }
  return key
}

function keyOfFolder(dataDir: string, hasRecords: boolean): Buffer {
  const path = join(dataDir, KEY_FILE)
  const text = readText(path)
  if (text !== null) {
    const key = Buffer.from(text, 'base64')
    if (key.length === MASTER_KEY_BYTES) return key
    throw new MasterKeyError(`${path} is damaged: restore it from a backup, or set MASTER_KEY.`)
  }
  if (hasRecords) throw new MasterKeyError(`${path} is missing: restore it from a backup, or set MASTER_KEY to the key from before.`)
  const key = randomBytes(MASTER_KEY_BYTES)
  createFile(path, `${key.toString('base64')}\n`)
  return key
}

/** Returns the key's fingerprint, for data folders and for the log in PostgreSQL. It reveals nothing about the key, and its HMAC input is unique to this use. */
export function masterKeyCheck(key: Uint8Array): string {
  return createHmac('sha256', key).update('cauri/master-key/check/v1').digest('hex')
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Creates the file durably, name and content. Never overwrites. */
function createFile(path: string, text: string): void {
  withFile(path, 'wx', (file) => {
    writeSync(file, text)
    fsyncSync(file)
  })
  withFile(dirname(path), 'r', fsyncSync)
}

function withFile(path: string, flags: string, use: (file: number) => void): void {
  const file = openSync(path, flags, OWNER_ONLY)
  try {
    use(file)
  } finally {
    closeSync(file)
  }
}
