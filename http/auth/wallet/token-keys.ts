// The keys that access tokens are signed with: kept sealed in the data folder, replaced after a while, the one before
// still good for what it signed. Symmetric, because only this server checks these tokens.
import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import type { Seal } from '../../crypto/seal.ts'

/** Longer than any token lives by far: a key that was replaced twice signed nothing that is still good. */
export const KEY_AGE_MAX_MS = 30 * 24 * 3600 * 1000

export const KEYS_FILE = 'token-keys.sealed'

export interface TokenKey {
  /** In the head of each token. */
  readonly kid: string
  readonly secret: Buffer
}

/** Where access tokens find the key that they are signed with, and the key of a token. */
export interface SigningKeys {
  /** The key for new tokens. */
  signing(): TokenKey
  /** Null for the name of an unknown key. */
  named(kid: string): TokenKey | null
}

const DERIVED_KID = /^m([0-9]{1,6})$/

/**
 * The keys of a cluster: derived from the master key and the time, so that every node has the same ones and none has to be sent. A new
 * one each KEY_AGE_MAX_MS; the one before and the next (clocks differ) are good too.
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

/** What is in the file cannot be used; the message says what to do. */
export class TokenKeysError extends Error {
  override readonly name = 'TokenKeysError'
}

export interface TokenKeysParts {
  /** Locked by us. */
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

  /** Throws TokenKeysError, and what the system throws when the folder cannot be used. */
  constructor({ dataDir, seal, now }: TokenKeysParts) {
    this.#path = join(dataDir, KEYS_FILE)
    this.#seal = seal
    this.#now = now
    this.#keys = this.#read()
    if (this.#keys.length === 0) this.#rotate()
  }

  /** The key for new tokens; makes the next one when it is old. */
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
      return JSON.parse(this.#seal.open(FIELD, text.trim())) as StoredKey[]
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

/** Atomic: the file has the old content or the new one. A token must never be signed by a key that is not durable. */
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
