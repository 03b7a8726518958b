// One key for each use, out of the master key: what is sealed, hashed or signed for one use means nothing for another.
import { hkdfSync } from 'node:crypto'
import { assert } from '../../engine/kernel/assert.ts'
import { MASTER_KEY_BYTES } from './seal.ts'

/** What keys are derived for. A released name never changes: everything that was made under it would be lost. */
export type KeyUse =
  | 'pin-pepper'
  | 'otp'
  | 'sender-address'
  | 'checkout-code'
  | 'webhook-secret'
  | 'password-pepper'
  | 'password-count'
  | 'csrf'
  | 'idempotency-scope'
  | 'device-cookie'
  | 'access-token'
  | 'cluster-check'

const KEY_BYTES = 32

/** HKDF-SHA-256 (RFC 5869), without salt: the master key is random already. */
export function derivedKey(masterKey: Uint8Array, use: KeyUse): Buffer {
  assert(masterKey.length === MASTER_KEY_BYTES, 'the master key has 32 bytes')
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `cauri/${use}/v1`, KEY_BYTES))
}
