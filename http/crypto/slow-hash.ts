// Slow keyed hashes of PINs and passwords. Keyed: the log alone allows no guessing. Slow: with the master key each
// guess still costs a tenth of a second. A hash names its pepper, so hashes from before a rotation of the master key still match.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { assert } from '../../engine/kernel/assert.ts'
import type { ScryptQueue, ScryptThreads } from './scrypt-threads.ts'

/** Queue position of a hash. */
export interface HashOrder {
  readonly queue: ScryptQueue
  /** Address of the caller, or id of an account that knows it: networks and accounts are served in turn. */
  readonly address: string
}

const SALT_BYTES = 16

/** `scrypt:v1:15:<salt>:<key>` under the first pepper, `scrypt:v2:<index of the pepper>:15:<salt>:<key>` under a later one; base64url. */
const STORED = /^scrypt:(?:v1|v2:([1-9][0-9]{0,2})):([0-9]{1,2}):([A-Za-z0-9_-]{22}):([A-Za-z0-9_-]{43})$/

/** HMAC keys, oldest first: one of each root key. */
export type Peppers = readonly [Buffer, ...Buffer[]]

export class SlowHash {
  readonly #peppers: Peppers
  readonly #threads: ScryptThreads

  constructor(peppers: Peppers, threads: ScryptThreads) {
    this.#peppers = peppers
    this.#threads = threads
  }

  /**
   * Returns the stored form of a new secret; null when too many hashes wait. `log2Cost` is the base-2 logarithm of
   * scrypt's N.
   */
  async hash(secret: string, { queue, address, log2Cost }: HashOrder & { readonly log2Cost: number }): Promise<string | null> {
    const salt = randomBytes(SALT_BYTES)
    const key = await this.#threads.run(queue, { password: this.peppered(secret), salt, log2Cost }, address)
    const newest = this.#peppers.length - 1
    const version = newest === 0 ? 'v1' : `v2:${newest}`
    return key === null ? null : `scrypt:${version}:${log2Cost}:${salt.toString('base64url')}:${key.toString('base64url')}`
  }

  /** Compares a secret with its stored form; null when too many hashes wait. */
  async matches(secret: string, stored: string, { queue, address }: HashOrder): Promise<boolean | null> {
    const [, index = '0', log2Cost, salt, key] = STORED.exec(stored) ?? []
    assert(log2Cost !== undefined && salt !== undefined && key !== undefined, 'a stored hash has the form that this release knows')
    const pepper = this.#peppers[Number(index)]
    assert(pepper !== undefined, 'a stored hash has a pepper that this process has: restart it after a rotation of the master key')
    const job = { password: keyed(pepper, secret), salt: Buffer.from(salt, 'base64url'), log2Cost: Number(log2Cost) }
    const derived = await this.#threads.run(queue, job, address)
    return derived === null ? null : timingSafeEqual(derived, Buffer.from(key, 'base64url'))
  }

  /** Returns the hash of the secret, keyed by the newest pepper. It also identifies attempts without keeping them. */
  peppered(secret: string): Buffer {
    return keyed(this.#peppers.at(-1) as Buffer, secret)
  }
}

function keyed(pepper: Buffer, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest()
}
