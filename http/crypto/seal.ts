// Secrets at rest: AES-256-GCM under a key derived from MASTER_KEY. A sealed value is in the log as `sealed:v1:…`.
// Only this file opens it, in the one field that a route names, when a response leaves.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { assert } from '../../engine/kernel/assert.ts'

export const MASTER_KEY_BYTES = 32

const PREFIX = 'sealed:v1:'
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals and opens values. Format: prefix, then base64url of nonce (12), ciphertext, tag (16). The field's name is
 * authenticated, so a value of one field does not open in another, and text of users does not open at all.
 */
export class Seal {
  readonly #key: Buffer

  /** The master key has other uses, so HKDF (RFC 5869) derives a key for this one. */
  constructor(masterKey: Uint8Array) {
    assert(masterKey.length === MASTER_KEY_BYTES, 'the master key has 32 bytes')
    this.#key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'cauri/seal/v1', 32))
  }

  seal(field: string, secret: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(field))
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return PREFIX + sealed.toString('base64url')
  }

  /** Throws when the value was not sealed for this field under this master key. */
  open(field: string, sealed: string): string {
    assert(sealed.startsWith(PREFIX), 'the value is sealed')
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url')
    assert(bytes.length >= NONCE_BYTES + TAG_BYTES, 'a sealed value holds nonce and tag')
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(field)).setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)), decipher.final()]).toString('utf8')
  }

  /**
   * Returns the stored body with its sealed field in clear. It parses the JSON and opens the top-level field only, so
   * a label that looks sealed stays unchanged. The same body gives the same bytes.
   */
  reveal(body: string, field: string): string {
    const parsed = JSON.parse(body) as Record<string, unknown>
    const sealed = parsed[field]
    assert(typeof sealed === 'string', `the stored body has ${field}`)
    parsed[field] = this.open(field, sealed)
    return JSON.stringify(parsed)
  }
}
