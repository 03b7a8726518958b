// Derives one key per use from a root key, so that uses are independent.
import { hkdfSync } from 'node:crypto'
import { assert } from '../../engine/kernel/assert.ts'
import { MASTER_KEY_BYTES, type RootKeys } from './seal.ts'

/**
 * Uses of derived keys, and the root key of each. A released name never changes, because data under its key would be lost.
 *
 * - `first`: the value is shown to people or systems that keep it; a rotation does not change it.
 * - `newest`: a rotation ends what was made under the key before: tokens, cookies, codes, counts, keys of requests without an account.
 * - `each`: stored hashes name their root key; new ones are made under the newest.
 */
const ROOT_OF = {
  'pin-pepper': 'each',
  otp: 'newest',
  'sender-address': 'newest',
  'checkout-code': 'newest',
  'webhook-secret': 'first',
  'password-pepper': 'each',
  'password-count': 'newest',
  csrf: 'newest',
  'idempotency-scope': 'newest',
  'device-cookie': 'newest',
  'access-token': 'newest',
  'operator-session': 'newest',
  'stream-ticket': 'newest',
  'list-cursor': 'newest',
  'login-step': 'newest',
  'recovery-code': 'each',
  'demo-password': 'first',
} as const satisfies Readonly<Record<string, 'first' | 'newest' | 'each'>>

type KeyUse = keyof typeof ROOT_OF
type UseOfEach = { [Use in KeyUse]: (typeof ROOT_OF)[Use] extends 'each' ? Use : never }[KeyUse]
type UseOfOne = Exclude<KeyUse, UseOfEach>

const KEY_BYTES = 32

/** Returns the key of a use of one root key. */
export function derivedKey(roots: RootKeys, use: UseOfOne): Buffer {
  return derived(ROOT_OF[use] === 'first' ? roots[0] : (roots.at(-1) as Uint8Array), use)
}

/** Returns the keys of a use, one of each root key, oldest first. */
export function derivedKeys(roots: RootKeys, use: UseOfEach): readonly [Buffer, ...Buffer[]] {
  const [first, ...later] = roots
  return [derived(first, use), ...later.map((root) => derived(root, use))]
}

/** HKDF-SHA-256 (RFC 5869). No salt is needed, because root keys are random. */
function derived(root: Uint8Array, use: KeyUse): Buffer {
  assert(root.length === MASTER_KEY_BYTES, 'a root key has 32 bytes')
  return Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), `cauri/${use}/v1`, KEY_BYTES))
}
