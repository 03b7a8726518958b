// Rotates the master key of a stopped server or cluster. The key ring is replaced in one step, so a crash leaves the old key or the new
// one in force, and the same command again finishes what is left.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createFile, moveFile, readText, replaceFile } from '../../wal/folder/durable-file.ts'
import { KEY_CHECK_FILE, lockFolder, logPathOf } from '../../wal/folder/folder.ts'
import { dataFileOf } from '../../wal/lmdb-file.ts'
import { LogError } from '../../wal/log/log-error.ts'
import { replaceKeyCheck } from '../../wal/log/postgres-key-check.ts'
import type { LogPlace } from '../../wal/tools/log-place.ts'
import { ROOT_KEYS_MAX } from '../crypto/crypto-limits.ts'
import { newKeyRing, openKeyRing, rotatedKeyRing } from '../crypto/key-ring.ts'
import { MASTER_KEY_BYTES } from '../crypto/seal.ts'
import { KEY_FILE, keptKey, NEXT_KEY_FILE } from './master-key.ts'

/** Steps in their order. The second is the rotation; the first and the last are those of a folder that keeps its key itself. */
export type RotationStep = 'next_key_kept' | 'ring_replaced' | 'key_replaced'

export interface Rotation {
  readonly place: LogPlace
  /** Null: the folder keeps its key itself. Then `to` is null too, and a new key is made. */
  readonly from: Buffer | null
  readonly to: Buffer | null
  /** Accepts a log in PostgreSQL without a synchronous standby. */
  readonly allowsUnsafe: boolean
  readonly onWarning: (message: string) => void
  /** Called after each step. */
  readonly onStep?: (step: RotationStep) => void
}

/** Resolves with false when the new key is in force already. Rejects with LogError or DataFolderError, whose messages name the remedy. */
export async function rotateMasterKey(rotation: Rotation): Promise<boolean> {
  const { place, from, to, allowsUnsafe, onWarning, onStep = () => {} } = rotation
  if (place.kind === 'folder') return rotateFolder(place.path, rotation)
  if (from === null || to === null) throw missingKeys()
  const options = { hosts: place.hosts, program: 'rotate-master-key', allowsUnsafe, onWarning }
  const isRotated = await replaceKeyCheck(options, (ring) => nextRing(ring, from, to))
  if (isRotated) onStep('ring_replaced')
  return isRotated
}

async function rotateFolder(dataDir: string, { from, to, onStep = () => {} }: Rotation): Promise<boolean> {
  if (!existsSync(dataFileOf(logPathOf(dataDir)))) throw new LogError('log_missing', `There is no log in ${dataDir}.`)
  const folder = await lockFolder(dataDir)
  try {
    const path = join(dataDir, KEY_CHECK_FILE)
    if (from !== null && to !== null) {
      const ring = nextRing(readText(path) ?? '', from, to)
      if (ring !== null) replaceFile(path, `${ring}\n`)
      if (ring !== null) onStep('ring_replaced')
      return ring !== null
    }
    const kept = from === null && to === null ? keptKey(dataDir) : null
    if (kept === null) throw missingKeys()
    const next = randomBytes(MASTER_KEY_BYTES)
    const ring = nextRing(readText(path) ?? '', kept, next)
    if (ring === null) return false
    createFile(join(dataDir, NEXT_KEY_FILE), `${next.toString('base64')}\n`)
    onStep('next_key_kept')
    replaceFile(path, `${ring}\n`)
    onStep('ring_replaced')
    moveFile(join(dataDir, NEXT_KEY_FILE), join(dataDir, KEY_FILE))
    onStep('key_replaced')
    return true
  } finally {
    await folder.unlock()
  }
}

/** Returns the key ring under the new key; null when it is there already. An empty ring is that of a log without a check. */
function nextRing(ring: string, from: Buffer, to: Buffer): string | null {
  if (from.equals(to)) throw new LogError('wrong_key', 'NEW_MASTER_KEY is MASTER_KEY: set a new one (openssl rand -base64 32).')
  const current = ring === '' ? newKeyRing(from) : ring
  const roots = openKeyRing(current, from)
  if (roots === null && openKeyRing(current, to) !== null) return null
  if (roots === null) throw new LogError('wrong_key', 'MASTER_KEY is not the key that the secrets of this log were sealed under.')
  if (roots.length >= ROOT_KEYS_MAX) {
    throw new LogError('wrong_key', `The master key of this log was rotated ${ROOT_KEYS_MAX - 1} times, which is the maximum.`)
  }
  return rotatedKeyRing(roots, to)
}

function missingKeys(): LogError {
  return new LogError(
    'wrong_key',
    'Set MASTER_KEY to the key in force and NEW_MASTER_KEY to a new one (openssl rand -base64 32). A data folder that keeps its key in master.key takes neither.',
  )
}
