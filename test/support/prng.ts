// Seeded randomness for tests: the same seed gives the same run on every machine.
import type { Random } from '../../engine/actor/ports.ts'

/** xoshiro128** (Blackman and Vigna, public domain), seeded by splitmix32. */
export class Prng implements Random {
  readonly #state = new Uint32Array(4)

  constructor(seed: number) {
    let mixed = seed >>> 0
    for (let index = 0; index < 4; index++) {
      mixed = (mixed + 0x9e3779b9) >>> 0
      let word = mixed
      word = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
      this.#state[index] = word ^ (word >>> 15)
    }
  }

  /** 0 to 2^32 - 1. */
  word(): number {
    const state = this.#state
    const [a, b, c, d] = state as unknown as [number, number, number, number]
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    state[2] = c ^ a
    state[3] = d ^ b
    state[1] = b ^ (state[2] as number)
    state[0] = a ^ (state[3] as number)
    state[2] = (state[2] as number) ^ (b << 9)
    state[3] = rotate(state[3] as number, 11)
    return result
  }

  /** 0 up to but not including 1. */
  readonly next = (): number => this.word() / 2 ** 32

  /** An integer from 0 up to but not including `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  fill(target: Uint8Array): void {
    for (let index = 0; index < target.length; index++) target[index] = this.word()
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
