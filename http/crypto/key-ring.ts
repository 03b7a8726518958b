// The key ring: the text that a log keeps about its master key. Before the first rotation it is a fingerprint of the key, which is the
// only root key. Afterwards it also holds all root keys, sealed under the current master key (envelope encryption). The log is append-only:
// values in it stay encrypted under the root key of their time, so no root key is ever dropped.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { assert } from '../../engine/kernel/assert.ts'
import { ROOT_KEYS_MAX } from './crypto-limits.ts'
import { MASTER_KEY_BYTES, type RootKeys, Seal } from './seal.ts'

/** `v2:<fingerprint>:<sealed root keys>`. Without a rotation: the fingerprint alone. */
const ROTATED = /^v2:([0-9a-f]{64}):(.+)$/
const FIELD = 'key_ring'
const FINGERPRINT_LENGTH = 64

/** Returns the key ring of a log whose master key was never rotated. It reveals nothing about the key, and its HMAC input is unique to this use. */
export function newKeyRing(masterKey: Uint8Array): string {
  return createHmac('sha256', masterKey).update('cauri/master-key/check/v1').digest('hex')
}

/** Returns the root keys, oldest first; null when this is not the master key of the ring. Throws for a ring that is damaged. */
export function openKeyRing(ring: string, masterKey: Uint8Array): RootKeys | null {
  const [, fingerprint = ring, sealed] = ROTATED.exec(ring) ?? []
  const given = Buffer.from(fingerprint.padEnd(FINGERPRINT_LENGTH).slice(0, FINGERPRINT_LENGTH))
  const expected = Buffer.from(newKeyRing(masterKey))
  if (fingerprint.length > FINGERPRINT_LENGTH || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  if (sealed === undefined) return [masterKey]
  const stored = JSON.parse(new Seal(masterKey).open(FIELD, sealed)) as readonly string[]
  const [first, ...later] = stored.map((key) => Buffer.from(key, 'base64'))
  assert(first !== undefined, 'a key ring holds a root key')
  return [first, ...later]
}

/**
 * Returns the key ring after a rotation: the root keys of the ring and a new one, sealed under the new master key. The new root key is
 * random, so neither master key alone opens a value without the ring.
 */
export function rotatedKeyRing(roots: RootKeys, newMasterKey: Uint8Array): string {
  assert(roots.length < ROOT_KEYS_MAX, 'a key ring has room for a root key')
  const keys = [...roots, randomBytes(MASTER_KEY_BYTES)].map((key) => Buffer.from(key).toString('base64'))
  return `v2:${newKeyRing(newMasterKey)}:${new Seal(newMasterKey).seal(FIELD, JSON.stringify(keys))}`
}

/** Reads a master key in base64. Null unless it is exactly one key. */
export function masterKeyFrom(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64')
  return key.length === MASTER_KEY_BYTES && key.toString('base64').replaceAll('=', '') === text.replaceAll('=', '') ? key : null
}

/** Minimum distinct bytes of the 32 of a master key. A random key has fewer about once in 10^36. */
const DIFFERENT_BYTES_MIN = 8

/** Whether a key is a repeated pattern, which is guessable. */
export function isGuessable(key: Uint8Array): boolean {
  return new Set(key).size < DIFFERENT_BYTES_MIN
}
