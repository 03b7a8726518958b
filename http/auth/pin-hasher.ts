// PINs: which are too easy, how they are hashed and compared. A PIN has few digits, so its hash is keyed (without the
// master key the log gives nothing to guess against) and slow (with it, each guess costs a tenth of a second).
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { TEST_WALLET_PIN } from '../../engine/domain/wallet/decide.ts'
import { assert } from '../../engine/kernel/assert.ts'
import type { Environment } from '../../engine/kernel/environment.ts'
import type { ScryptThreads } from './scrypt-threads.ts'

/** Base-2 logarithm of scrypt's N. 2^15 takes 97 ms and 32 MB; test wallets hold play money. */
const LOG2_COST: Readonly<Record<Environment, number>> = { live: 15, test: 10 }

const SALT_BYTES = 16

/** `scrypt:v1:15:<salt>:<key>`, both base64url. */
const STORED = /^scrypt:v1:([0-9]{1,2}):([A-Za-z0-9_-]{22}):([A-Za-z0-9_-]{43})$/

export class PinHasher {
  readonly #pepper: Buffer
  readonly #threads: ScryptThreads

  constructor(pepper: Buffer, threads: ScryptThreads) {
    this.#pepper = pepper
    this.#threads = threads
  }

  /** What the state keeps of a new PIN; null when too many hashes wait. */
  async hash(pin: string, environment: Environment): Promise<string | null> {
    const salt = randomBytes(SALT_BYTES)
    const log2Cost = LOG2_COST[environment]
    const key = await this.#threads.run(environment, { password: this.peppered(pin), salt, log2Cost })
    return key === null ? null : `scrypt:v1:${log2Cost}:${salt.toString('base64url')}:${key.toString('base64url')}`
  }

  /**
   * `stored` is empty for a wallet without a PIN of its own: test wallets then have the one that everybody knows. Null
   * when too many hashes wait.
   */
  async matches(pin: string, stored: string, environment: Environment): Promise<boolean | null> {
    if (stored === '') return environment === 'test' && pin === TEST_WALLET_PIN
    const [, log2Cost, salt, key] = STORED.exec(stored) ?? []
    assert(log2Cost !== undefined && salt !== undefined && key !== undefined, 'a stored PIN has the form that this release knows')
    const job = { password: this.peppered(pin), salt: Buffer.from(salt, 'base64url'), log2Cost: Number(log2Cost) }
    const derived = await this.#threads.run(environment, job)
    return derived === null ? null : timingSafeEqual(derived, Buffer.from(key, 'base64url'))
  }

  /** The PIN under the key that only this house has; also what tells two guesses apart without keeping either. */
  peppered(pin: string): Buffer {
    return createHmac('sha256', this.#pepper).update(pin).digest()
  }
}

/** Chosen by so many people that five tries find them. */
const COMMON = new Set(['1010', '1122', '1212', '101010', '112233', '121212', '123123'])

/** All digits alike, a run up or down (`1234`, `0987`), or one of the common ones. */
export function isWeakPin(pin: string): boolean {
  const digits = [...pin].map(Number)
  const steps = new Set(digits.slice(1).map((digit, index) => (digit - (digits[index] as number) + 10) % 10))
  const [step] = steps
  return (steps.size === 1 && (step === 0 || step === 1 || step === 9)) || COMMON.has(pin)
}
