// Signing keys of access tokens: sealed in the data folder and rotated. The previous key still verifies its tokens.
// They are symmetric, because only this server verifies.
import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { Seal } from '../../crypto/seal.ts'

/** Rotation interval. It exceeds the lifetime of any token, so tokens of older keys have expired. */
export const KEY_AGE_MAX_MS = 30 * 24 * 3600 * 1000

export const KEYS_FILE = 'token-keys.sealed'

export interface TokenKey {
  /** Key id in the header of each token. */
  readonly kid: string
  readonly secret: Buffer
}

/** Source of signing keys: the current one, and one by its id. */
export interface SigningKeys {
  /** Returns the key for new tokens. */
  signing(): TokenKey
  /** Null for the name of an unknown key. */
  named(kid: string): TokenKey | null
}

const DERIVED_KID = /^m([0-9]{1,6})$/

/**
 * Keys of a cluster, derived from the master key and the time, so that all nodes have the same ones. They rotate
 * every KEY_AGE_MAX_MS. The previous and the next one are valid too, because clocks differ.
 */
export class DerivedTokenKeys implements SigningKeys {
  readonly #secret: Uint8Array
  readonly #now: () => TimeMs

  constructor(secret: Uint8Array, now: () => TimeMs) {
    this.#secret = secret
    this.#now = now
  }

  signing(): TokenKey {
    return this.#ofPeriod(this.#period())
  }

  named(kid: string): TokenKey | null {
    const period = Number(DERIVED_KID.exec(kid)?.[1] ?? Number.NaN)
    return Math.abs(period - this.#period()) <= 1 ? this.#ofPeriod(period) : null
  }

  #period(): number {
    return Math.floor(this.#now() / KEY_AGE_MAX_MS)
  }

  #ofPeriod(period: number): TokenKey {
    const kid = `m${period}`
    return { kid, secret: createHmac('sha256', this.#secret).update(kid).digest() }
  }
}

interface StoredKey {
  readonly kid: string
  /** Base64. */
  readonly secret: string
  readonly created_at_ms: TimeMs
}

/** The key file is unusable; the message names the remedy. */
export class TokenKeysError extends Error {
  override readonly name = 'TokenKeysError'
}

export interface TokenKeysParts {
  /** Data folder, locked by this process. */
  readonly dataDir: string
  readonly seal: Seal
  readonly now: () => TimeMs
}

const FIELD = 'token_keys'
const KEYS_KEPT = 2
const SECRET_BYTES = 32
const KID_BYTES = 9
const OWNER_ONLY = 0o600

export class TokenKeys implements SigningKeys {
  readonly #path: string
  readonly #seal: Seal
  readonly #now: () => TimeMs
  /** Newest first. */
  #keys: readonly StoredKey[]

  /** Loads the keys. Throws TokenKeysError, and system errors when the folder is unusable. */
  constructor({ dataDir, seal, now }: TokenKeysParts) {
    this.#path = join(dataDir, KEYS_FILE)
    this.#seal = seal
    this.#now = now
    this.#keys = this.#read()
    if (this.#keys.length === 0) this.#rotate()
  }

  /** Returns the key for new tokens; rotates it when it is too old. */
  signing(): TokenKey {
    const [newest] = this.#keys
    if (newest === undefined || this.#now() - newest.created_at_ms >= KEY_AGE_MAX_MS) this.#rotate()
    return tokenKey(this.#keys[0] as StoredKey)
  }

  /** Null for the name of an unknown key. */
  named(kid: string): TokenKey | null {
    const found = this.#keys.find((key) => key.kid === kid)
    return found === undefined ? null : tokenKey(found)
  }

  #rotate(): void {
    const key: StoredKey = {
      kid: randomBytes(KID_BYTES).toString('base64url'),
      secret: randomBytes(SECRET_BYTES).toString('base64'),
      created_at_ms: this.#now(),
    }
    const keys = [key, ...this.#keys].slice(0, KEYS_KEPT)
    replaceFile(this.#path, `${this.#seal.seal(FIELD, JSON.stringify(keys))}\n`)
    this.#keys = keys
  }

  #read(): readonly StoredKey[] {
    const text = readText(this.#path)
    if (text === null) return []
    try {
      const keys = JSON.parse(this.#seal.open(FIELD, text.trim())) as StoredKey[]
      // A rotation of the master key ends all tokens: their keys may be known to those who know the old master key.
      return this.#seal.isNewest(text.trim()) ? keys : []
    } catch (cause) {
      throw new TokenKeysError(`${this.#path} is damaged: restore it from a backup, or remove it (every wallet then signs in again).`, {
        cause,
      })
    }
  }
}

function tokenKey({ kid, secret }: StoredKey): TokenKey {
  return { kid, secret: Buffer.from(secret, 'base64') }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Replaces the file atomically and durably. A token must never be signed by a key that is not durable. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.draft`
  withFile(draft, 'w', (file) => {
    writeSync(file, text)
    fsyncSync(file)
  })
  renameSync(draft, path)
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
