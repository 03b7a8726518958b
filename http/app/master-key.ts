// The key that secrets at rest are sealed under. In development it is made on first use and kept in the data folder, for
// its owner alone; a fingerprint beside it tells a wrong key from the right one before anything is sealed or opened.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MASTER_KEY_BYTES } from '../crypto/seal.ts'

export const KEY_FILE = 'master.key'
const CHECK_FILE = 'master.check'
const OWNER_ONLY = 0o600

/** The key cannot be used with this data folder; the message says what to do. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError'
}

export interface MasterKeyParts {
  /** From the settings. */
  readonly masterKey: Buffer | null
  /** Locked by us. */
  readonly dataDir: string
  /** The folder holds records: a key that is not there cannot be replaced by a new one. */
  readonly hasRecords: boolean
}

/** Throws MasterKeyError, and what the system throws when the folder cannot be read. */
export function loadMasterKey({ masterKey, dataDir, hasRecords }: MasterKeyParts): Buffer {
  const key = masterKey ?? keyOfFolder(dataDir, hasRecords)
  const expected = readText(join(dataDir, CHECK_FILE))
  if (expected === null) createFile(join(dataDir, CHECK_FILE), `${fingerprint(key)}\n`)
  else if (!timingSafeEqual(Buffer.from(fingerprint(key)), Buffer.from(expected.padEnd(64).slice(0, 64)))) {
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

/** Cannot be told from the key's other uses, and nothing about the key can be told from it. */
function fingerprint(key: Buffer): string {
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

/** On disk, name and content, before anything depends on it. Never overwrites. */
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
