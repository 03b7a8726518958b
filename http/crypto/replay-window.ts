// Sliding window of the message numbers of one sender (RFC 4303, section 3.4.3). Each number passes once, in any order
// within the window; older numbers do not pass.

/** Numbers of the window. More requests of one node are never under way at the same time. */
export const WINDOW_NUMBERS = 65_536
const BITS = 32

export class ReplayWindow {
  readonly #bits = new Uint32Array(WINDOW_NUMBERS / BITS)
  #highest = 0

  /** Returns true for a number from 1 that comes for the first time and is inside the window. */
  take(number: number): boolean {
    if (!Number.isSafeInteger(number) || number < 1 || number <= this.#highest - WINDOW_NUMBERS) return false
    if (number > this.#highest) this.#advance(number)
    const at = Math.floor((number % WINDOW_NUMBERS) / BITS)
    const bit = 2 ** (number % BITS)
    const before = this.#bits[at] ?? 0
    if (((before >>> (number % BITS)) & 1) === 1) return false
    this.#bits[at] = before + bit
    return true
  }

  /** Clears the places of the numbers that enter the window. */
  #advance(number: number): void {
    if (number - this.#highest >= WINDOW_NUMBERS) this.#bits.fill(0)
    else for (let next = this.#highest + 1; next <= number; next++) this.#clear(next)
    this.#highest = number
  }

  #clear(number: number): void {
    const at = Math.floor((number % WINDOW_NUMBERS) / BITS)
    this.#bits[at] = ((this.#bits[at] ?? 0) & ~(1 << (number % BITS))) >>> 0
  }
}
