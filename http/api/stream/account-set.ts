// A set of account numbers below 2^32 as one bit each. Each payout asks it twice. In a Map with 15 000 streams the look-ups take 0.5 µs
// more, because its table is in no cache of the processor.
import type { AccountNumber } from '../../../engine/api.ts'

const FIRST_BYTES = 1024

export class AccountSet {
  #bits = new Uint8Array(FIRST_BYTES)

  has(account: AccountNumber): boolean {
    return (((this.#bits[account >>> 3] ?? 0) >>> (account & 7)) & 1) === 1
  }

  add(account: AccountNumber): void {
    const at = account >>> 3
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(2 * this.#bits.length, at + 1))
      grown.set(this.#bits)
      this.#bits = grown
    }
    this.#bits[at] = (this.#bits[at] as number) | (1 << (account & 7))
  }

  delete(account: AccountNumber): void {
    const at = account >>> 3
    if (at < this.#bits.length) this.#bits[at] = (this.#bits[at] as number) & ~(1 << (account & 7))
  }
}
