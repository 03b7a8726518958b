// Secrets at rest: AES-256-GCM under a key derived from a root key. A sealed value is in the log as `sealed:v1:…` under the first root
// key, as `sealed:v2:<number>:…` under the root key of a rotation. Only this file opens it, in the one field that a route names, when a
// response leaves.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { assert } from '../../engine/kernel/assert.ts'

export const MASTER_KEY_BYTES = 32

/** Root keys, oldest first: the master key of the first start, then one of each rotation (key-ring.ts). */
export type RootKeys = readonly [Uint8Array, ...Uint8Array[]]

const FIRST_PREFIX = 'sealed:v1:'
/** The number is the index of the root key, from 1. */
const LATER_PREFIX = /^sealed:v2:([1-9][0-9]{0,2}):/
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals and opens values. Format: prefix, then base64url of nonce (12), ciphertext, tag (16). The field's name is
 * authenticated, so a value of one field does not open in another, and text of users does not open at all.
 */
export class Seal {
  /** By the index of their root key. */
  readonly #keys: readonly Buffer[]

  /** Takes the root keys, oldest first. They have other uses, so HKDF (RFC 5869) derives a key for this one. */
  constructor(...rootKeys: RootKeys) {
    this.#keys = rootKeys.map((root) => {
      assert(root.length === MASTER_KEY_BYTES, 'a root key has 32 bytes')
      return Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), 'cauri/seal/v1', 32))
    })
  }

  /** Seals under the newest root key. */
  seal(field: string, secret: string): string {
    return this.sealBytes(field, Buffer.from(secret, 'utf8'))
  }

  /** The same for bytes. */
  sealBytes(field: string, secret: Uint8Array): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#keys[this.#newest] as Buffer, nonce).setAAD(Buffer.from(field))
    const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
    return prefixOf(this.#newest) + sealed.toString('base64url')
  }

  /** Throws when the value was not sealed for this field under one of the root keys. */
  open(field: string, sealed: string): string {
    return this.openBytes(field, sealed).toString('utf8')
  }

  /** The same for bytes. */
  openBytes(field: string, sealed: string): Buffer {
    const index = rootIndexOf(sealed)
    assert(index !== null, 'the value is sealed')
    const key = this.#keys[index]
    assert(key !== undefined, 'the value is sealed under a root key that this process has: restart it after a rotation of the master key')
    const bytes = Buffer.from(sealed.slice(prefixOf(index).length), 'base64url')
    assert(bytes.length >= NONCE_BYTES + TAG_BYTES, 'a sealed value holds nonce and tag')
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(field)).setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)), decipher.final()])
  }

  /** Whether the value was sealed since the last rotation of the master key. */
  isNewest(sealed: string): boolean {
    return rootIndexOf(sealed) === this.#newest
  }

  /**
   * Returns the stored body with its sealed field in clear. It parses the JSON and opens the top-level field only, so
   * a label that looks sealed stays unchanged. The same body gives the same bytes.
   */
  reveal(body: string, field: string): string {
    const parsed = JSON.parse(body) as Record<string, unknown>
    const sealed = parsed[field]
    // A success that shows no secret: an operator that waits for its approval.
    if (sealed === undefined) return body
    assert(typeof sealed === 'string', `the stored ${field} is a text`)
    parsed[field] = this.open(field, sealed)
    return JSON.stringify(parsed)
  }

  get #newest(): number {
    return this.#keys.length - 1
  }
}

function prefixOf(index: number): string {
  return index === 0 ? FIRST_PREFIX : `sealed:v2:${index}:`
}

/** Returns the index of the root key that a value names; null for a value that is not sealed. */
function rootIndexOf(sealed: string): number | null {
  if (sealed.startsWith(FIRST_PREFIX)) return 0
  const index = LATER_PREFIX.exec(sealed)?.[1]
  return index === undefined ? null : Number(index)
}
