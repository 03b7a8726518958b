// Derives one key per use from the master key, so that uses are independent.
import { hkdfSync } from 'node:crypto'
import { assert } from '../../engine/kernel/assert.ts'
import { MASTER_KEY_BYTES } from './seal.ts'

/** Uses of derived keys. A released name never changes, because data under its key would be lost. */
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
  | 'operator-session'
  | 'stream-ticket'
  | 'recovery-code'
  | 'demo-password'

const KEY_BYTES = 32

/** Derives a key by HKDF-SHA-256 (RFC 5869). No salt is needed, because the master key is random. */
export function derivedKey(masterKey: Uint8Array, use: KeyUse): Buffer {
  assert(masterKey.length === MASTER_KEY_BYTES, 'the master key has 32 bytes')
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `cauri/${use}/v1`, KEY_BYTES))
}
