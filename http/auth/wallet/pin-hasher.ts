// Hashes PINs slowly and detects weak PINs.
import { TEST_WALLET_PIN } from '../../../engine/api.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import type { ScryptThreads } from '../../crypto/scrypt-threads.ts'
import { type Peppers, SlowHash } from '../../crypto/slow-hash.ts'

/** Base-2 logarithm of scrypt's N. 2^15 takes 97 ms and 32 MB; test wallets hold play money. */
const LOG2_COST: Readonly<Record<Environment, number>> = { live: 15, test: 10 }

export class PinHasher {
  readonly #hash: SlowHash

  constructor(peppers: Peppers, threads: ScryptThreads) {
    this.#hash = new SlowHash(peppers, threads)
  }

  /** Returns the hash of a new PIN; null when too many hashes wait. `address` is the caller's, for the fair queue. */
  hash(pin: string, environment: Environment, address = ''): Promise<string | null> {
    return this.#hash.hash(pin, { queue: environment, address, log2Cost: LOG2_COST[environment] })
  }

  /** Compares a PIN. `stored` is empty for a test wallet with the documented PIN. Null when too many hashes wait. */
  async matches(pin: string, stored: string, environment: Environment, address = ''): Promise<boolean | null> {
    if (stored === '') return environment === 'test' && pin === TEST_WALLET_PIN
    return this.#hash.matches(pin, stored, { queue: environment, address })
  }

  /** Returns a keyed hash that identifies an attempt, so that the PIN is not kept. */
  peppered(pin: string): Buffer {
    return this.#hash.peppered(pin)
  }
}

/** Frequent PINs that five attempts would find. */
const COMMON = new Set(['1010', '1122', '1212', '101010', '112233', '121212', '123123'])

/** Returns whether a PIN is weak: equal digits, a run (`1234`, `0987`), or a frequent one. */
export function isWeakPin(pin: string): boolean {
  const digits = [...pin].map(Number)
  const steps = new Set(digits.slice(1).map((digit, index) => (digit - (digits[index] as number) + 10) % 10))
  const [step] = steps
  return (steps.size === 1 && (step === 0 || step === 1 || step === 9)) || COMMON.has(pin)
}
