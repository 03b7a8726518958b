// Hashes PINs slowly, and finds PINs that are too easy to guess.
import { TEST_WALLET_PIN } from '../../../engine/api.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import type { ScryptThreads } from '../../crypto/scrypt-threads.ts'
import { SlowHash } from '../../crypto/slow-hash.ts'

/** Base-2 logarithm of scrypt's N. 2^15 takes 97 ms and 32 MB; test wallets hold play money. */
const LOG2_COST: Readonly<Record<Environment, number>> = { live: 15, test: 10 }

export class PinHasher {
  readonly #hash: SlowHash

  constructor(pepper: Buffer, threads: ScryptThreads) {
    this.#hash = new SlowHash(pepper, threads)
  }

  /** Hash of a new PIN, for the state; null when too many hashes wait. `address` is the caller's: networks are served in turn. */
  hash(pin: string, environment: Environment, address = ''): Promise<string | null> {
    return this.#hash.hash(pin, { queue: environment, address, log2Cost: LOG2_COST[environment] })
  }

  /**
   * `stored` is empty for a wallet without a PIN of its own: a test wallet then has the documented PIN. Null when too many
   * hashes wait.
   */
  async matches(pin: string, stored: string, environment: Environment, address = ''): Promise<boolean | null> {
    if (stored === '') return environment === 'test' && pin === TEST_WALLET_PIN
    return this.#hash.matches(pin, stored, { queue: environment, address })
  }

  /** Keyed hash that tells two guesses apart, so that neither is kept. */
  peppered(pin: string): Buffer {
    return this.#hash.peppered(pin)
  }
}

/** Chosen so often that five tries find them. */
const COMMON = new Set(['1010', '1122', '1212', '101010', '112233', '121212', '123123'])

/** All digits alike, a run up or down (`1234`, `0987`), or one of the common ones. */
export function isWeakPin(pin: string): boolean {
  const digits = [...pin].map(Number)
  const steps = new Set(digits.slice(1).map((digit, index) => (digit - (digits[index] as number) + 10) % 10))
  const [step] = steps
  return (steps.size === 1 && (step === 0 || step === 1 || step === 9)) || COMMON.has(pin)
}
