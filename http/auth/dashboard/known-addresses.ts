// Addresses from which an account signed in with the right password since the start of the process. They decide the place of a sign-in in the
// queue of slow hashes, and nothing else: locks and counts know browsers alone.
import { KNOWN_ADDRESSES_MAX } from '../../server/server-limits.ts'

export class KnownAddresses {
  /** Used last at the end. */
  readonly #pairs = new Set<string>()

  add(userId: string, address: string): void {
    const pair = pairOf(userId, address)
    this.#pairs.delete(pair)
    this.#pairs.add(pair)
    const [oldest] = this.#pairs
    if (oldest !== undefined && this.#pairs.size > KNOWN_ADDRESSES_MAX) this.#pairs.delete(oldest)
  }

  has(userId: string, address: string): boolean {
    return this.#pairs.has(pairOf(userId, address))
  }
}

function pairOf(userId: string, address: string): string {
  return `${userId} ${address}`
}
