// Cursors of lists as callers see them: the place where the next page begins, encrypted and bound to its list. A place is
// a position in the log, which would otherwise tell the volume of the whole service.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export class CursorSeal {
  readonly #key: Uint8Array

  /** `key` has 32 bytes and no other use. */
  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** Returns base64url of nonce (12), ciphertext, tag (16). `list` is authenticated: the cursor opens for the same list alone. */
  seal(place: string, list: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(list))
    return Buffer.concat([nonce, cipher.update(place, 'latin1'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  }

  /** Returns null for a text that `seal` did not write for this list. */
  open(cursor: string, list: string): string | null {
    const bytes = Buffer.from(cursor, 'base64url')
    if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return null
    const tagAt = bytes.length - TAG_BYTES
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(list)).setAuthTag(bytes.subarray(tagAt))
    try {
      return decipher.update(bytes.subarray(NONCE_BYTES, tagAt), undefined, 'latin1') + decipher.final('latin1')
    } catch {
      // The tag does not fit: Node.js reports it by an error.
      return null
    }
  }
}
