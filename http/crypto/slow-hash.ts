// Slow keyed hashes of what people remember: PINs and passwords. Keyed, so that the log gives nothing to guess against
// without the master key; slow, so that with it each guess costs a tenth of a second.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { assert } from '../../engine/kernel/assert.ts'
import type { ScryptQueue, ScryptThreads } from './scrypt-threads.ts'

/** Where a hash waits for its thread. */
export interface HashOrder {
  readonly queue: ScryptQueue
  /** Of the caller: networks are served in turn. */
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

  /** What is kept of a new secret; null when too many hashes wait. `log2Cost` is the base-2 logarithm of scrypt's N. */
  async hash(secret: string, { queue, address, log2Cost }: HashOrder & { readonly log2Cost: number }): Promise<string | null> {
    const salt = randomBytes(SALT_BYTES)
    const key = await this.#threads.run(queue, { password: this.peppered(secret), salt, log2Cost }, address)
    return key === null ? null : `scrypt:v1:${log2Cost}:${salt.toString('base64url')}:${key.toString('base64url')}`
  }

  /** Null when too many hashes wait. */
  async matches(secret: string, stored: string, { queue, address }: HashOrder): Promise<boolean | null> {
    const [, log2Cost, salt, key] = STORED.exec(stored) ?? []
    assert(log2Cost !== undefined && salt !== undefined && key !== undefined, 'a stored hash has the form that this release knows')
    const job = { password: this.peppered(secret), salt: Buffer.from(salt, 'base64url'), log2Cost: Number(log2Cost) }
    const derived = await this.#threads.run(queue, job, address)
    return derived === null ? null : timingSafeEqual(derived, Buffer.from(key, 'base64url'))
  }

  /** The secret under the key that only this house has; also what tells two guesses apart without keeping either. */
  peppered(secret: string): Buffer {
    return createHmac('sha256', this.#pepper).update(secret).digest()
  }
}
