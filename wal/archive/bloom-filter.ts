// A split-block Bloom filter over 64-bit hashes: one cache line a probe, no branch within. (F. Putze, P. Sanders, J. Singler,
// "Cache-, Hash- and Space-Efficient Bloom Filters", 2007; block layout and salts as in Apache Parquet's specification.)
import { assert } from '../../engine/kernel/assert.ts'

const WORDS_PER_BLOCK = 8
const BITS_PER_BLOCK = 256
export const FILTER_BLOCK_BYTES = BITS_PER_BLOCK / 8
/** About 0.02 % of absent hashes pass a small filter and 0.1 % a large one: most filters are small, most memory is in the large. */
const BITS_PER_HASH_SMALL = 24
const BITS_PER_HASH_LARGE = 16
const SMALL_MAX_HASHES = 1_000_000
/** Maximum number of times that a filter can be folded. */
const FOLDS_MAX = 4
const TWO_TO_32 = 2 ** 32

/** 2^32 divided by the golden ratio. */
const GOLDEN = 0x9e3779b1
const SALT_0 = 0x47b6137b
const SALT_1 = 0x44974d91
const SALT_2 = 0x8824ad5b
const SALT_3 = 0xa2b7289d
const SALT_4 = 0x705495c7
const SALT_5 = 0x2df1424b
const SALT_6 = 0x9efc4947
const SALT_7 = 0x5c6bfb31

/** Bits of one hash, computed once for the filters of all runs. `low` selects the block, both halves select the bits in it. */
export class Probe {
  low = 0
  bit0 = 0
  bit1 = 0
  bit2 = 0
  bit3 = 0
  bit4 = 0
  bit5 = 0
  bit6 = 0
  bit7 = 0

  aim(high: number, low: number): this {
    const mixed = high ^ Math.imul(low, GOLDEN)
    this.low = low
    this.bit0 = Math.imul(mixed, SALT_0) >>> 27
    this.bit1 = Math.imul(mixed, SALT_1) >>> 27
    this.bit2 = Math.imul(mixed, SALT_2) >>> 27
    this.bit3 = Math.imul(mixed, SALT_3) >>> 27
    this.bit4 = Math.imul(mixed, SALT_4) >>> 27
    this.bit5 = Math.imul(mixed, SALT_5) >>> 27
    this.bit6 = Math.imul(mixed, SALT_6) >>> 27
    this.bit7 = Math.imul(mixed, SALT_7) >>> 27
    return this
  }
}

export class BloomFilter {
  readonly words: Uint32Array
  readonly #scale: number

  constructor(words: Uint32Array) {
    this.words = words
    this.#scale = scaleOf(words)
  }

  /** Returns an empty filter for this number of different hashes. */
  static sized(hashes: number): BloomFilter {
    const unit = 2 ** FOLDS_MAX
    return new BloomFilter(new Uint32Array(Math.ceil(blocksFor(hashes) / unit) * unit * WORDS_PER_BLOCK))
  }

  /** Returns the same filter in less space for a smaller number of hashes. The leading bits of a hash select the block, so two neighbours fold into one. */
  foldedFor(hashes: number): BloomFilter {
    const wanted = blocksFor(hashes)
    let words = this.words
    for (let folds = 0; folds < FOLDS_MAX && words.length / WORDS_PER_BLOCK >= 2 * wanted; folds++) words = folded(words)
    return words === this.words ? this : new BloomFilter(words)
  }

  get sizeBytes(): number {
    return this.words.byteLength
  }

  add(probe: Probe): void {
    const { words } = this
    const at = ((probe.low * this.#scale) >>> 0) * WORDS_PER_BLOCK
    words[at] = (words[at] as number) | (1 << probe.bit0)
    words[at + 1] = (words[at + 1] as number) | (1 << probe.bit1)
    words[at + 2] = (words[at + 2] as number) | (1 << probe.bit2)
    words[at + 3] = (words[at + 3] as number) | (1 << probe.bit3)
    words[at + 4] = (words[at + 4] as number) | (1 << probe.bit4)
    words[at + 5] = (words[at + 5] as number) | (1 << probe.bit5)
    words[at + 6] = (words[at + 6] as number) | (1 << probe.bit6)
    words[at + 7] = (words[at + 7] as number) | (1 << probe.bit7)
  }

  /** Returns false only if the hash was never added. */
  mayHold(probe: Probe): boolean {
    return isIn(this.words, ((probe.low * this.#scale) >>> 0) * WORDS_PER_BLOCK, probe)
  }
}

/**
 * Several filters that are asked together. The first word of each is read before any is tested, so that the processor waits for
 * memory once and not for each: 17 filters of 25 MB that are in no cache take 1.8 µs instead of 3.4.
 */
export class FilterSet {
  readonly #words: readonly Uint32Array[]
  readonly #scales: Float64Array
  readonly #first: Uint32Array

  constructor(filters: readonly BloomFilter[]) {
    this.#words = filters.map(({ words }) => words)
    this.#scales = Float64Array.from(this.#words, scaleOf)
    this.#first = new Uint32Array(filters.length)
  }

  /** Returns false only if the hash was never added to any of them. */
  mayHold(probe: Probe): boolean {
    const words = this.#words
    const scales = this.#scales
    const first = this.#first
    const { low, bit0 } = probe
    for (let at = 0; at < words.length; at++)
      first[at] = (words[at] as Uint32Array)[((low * (scales[at] as number)) >>> 0) * WORDS_PER_BLOCK] as number
    for (let at = 0; at < words.length; at++) {
      if ((((first[at] as number) >>> bit0) & 1) === 0) continue
      if (isIn(words[at] as Uint32Array, ((low * (scales[at] as number)) >>> 0) * WORDS_PER_BLOCK, probe)) return true
    }
    return false
  }
}

/** Whether the block at `at` has all bits of the probe. */
function isIn(words: Uint32Array, at: number, probe: Probe): boolean {
  const hit =
    ((words[at] as number) >>> probe.bit0) &
    ((words[at + 1] as number) >>> probe.bit1) &
    ((words[at + 2] as number) >>> probe.bit2) &
    ((words[at + 3] as number) >>> probe.bit3) &
    ((words[at + 4] as number) >>> probe.bit4) &
    ((words[at + 5] as number) >>> probe.bit5) &
    ((words[at + 6] as number) >>> probe.bit6) &
    ((words[at + 7] as number) >>> probe.bit7)
  return (hit & 1) === 1
}

/** Returns the factor that makes the low half of a hash the number of its block. */
function scaleOf(words: Uint32Array): number {
  return words.length / WORDS_PER_BLOCK / TWO_TO_32
}

function blocksFor(hashes: number): number {
  const bits = hashes * (hashes <= SMALL_MAX_HASHES ? BITS_PER_HASH_SMALL : BITS_PER_HASH_LARGE)
  return Math.max(1, Math.ceil(bits / BITS_PER_BLOCK))
}

function folded(words: Uint32Array): Uint32Array {
  assert(words.length % (2 * WORDS_PER_BLOCK) === 0, 'a filter that is folded has an even number of blocks')
  const half = new Uint32Array(words.length / 2)
  for (let index = 0; index < half.length; index++) {
    const at = Math.floor(index / WORDS_PER_BLOCK) * 2 * WORDS_PER_BLOCK + (index % WORDS_PER_BLOCK)
    half[index] = (words[at] as number) | (words[at + WORDS_PER_BLOCK] as number)
  }
  return half
}
