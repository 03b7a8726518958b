// Slow keyed hashes of PINs and passwords. Keyed: the log alone allows no guessing. Slow: with the master key each
// guess still costs a tenth of a second.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { assert } from '../../engine/kernel/assert.ts'
import type { ScryptQueue, ScryptThreads } from './scrypt-threads.ts'

/** Queue position of a hash. */
export interface HashOrder {
  readonly queue: ScryptQueue
  /** Address of the caller: networks are served in turn. */
  readonly address: string
}

const SALT_BYTES = 16

/** `scrypt:v1:15:<salt>:<key>`, both base64url. */
const STORED = /^scrypt:v1:([0-9]{1,2}):([A-Za-z0-9_-]{22}):([A-Za-z0-9_-]{43})$/

export class SlowHash {
  readonly #pepper: Buffer
  readonly #threads: ScryptThreads

  constructor(pepper: Buffer, threads: ScryptThreads) {
    this.#pepper = pepper
    this.#threads = threads
  }

  /**
   * Returns the stored form of a new secret; null when too many hashes wait. `log2Cost` is the base-2 logarithm of
   * scrypt's N.
   */
  async hash(secret: string, { queue, address, log2Cost }: HashOrder & { readonly log2Cost: number }): Promise<string | null> {
    const salt = randomBytes(SALT_BYTES)
    const key = await this.#threads.run(queue, { password: this.peppered(secret), salt, log2Cost }, address)
    return key === null ? null : `scrypt:v1:${log2Cost}:${salt.toString('base64url')}:${key.toString('base64url')}`
  }

  /** Compares a secret with its stored form; null when too many hashes wait. */
  async matches(secret: string, stored: string, { queue, address }: HashOrder): Promise<boolean | null> {
    const [, log2Cost, salt, key] = STORED.exec(stored) ?? []
    assert(log2Cost !== undefined && salt !== undefined && key !== undefined, 'a stored hash has the form that this release knows')
    const job = { password: this.peppered(secret), salt: Buffer.from(salt, 'base64url'), log2Cost: Number(log2Cost) }
    const derived = await this.#threads.run(queue, job, address)
    return derived === null ? null : timingSafeEqual(derived, Buffer.from(key, 'base64url'))
  }

  /** Returns the keyed hash (pepper) of the secret. It also identifies attempts without keeping them. */
  peppered(secret: string): Buffer {
    return createHmac('sha256', this.#pepper).update(secret).digest()
  }
}
