// Index keys: the 64-bit hash of a kind, an owner and a value. Hashes can collide, so a look-up compares each hit with the
// record itself.

export interface IndexKey {
  /** List or look-up that the key belongs to. */
  readonly kind: number
  /** Account number, or 0 when the value alone identifies the entries. */
  readonly owner: number
  /** Id, tag, reference…; empty for the key of a whole list. */
  readonly value: string
  /** True: an entry leads to all events of its record up to its own, and readers drop those that do not belong to the list. */
  readonly isRun?: true
}

/** Two unsigned 32-bit halves. The object is reused: read it before the next call. */
export interface IndexKeyHash {
  high: number
  low: number
}

const shared: IndexKeyHash = { high: 0, low: 0 }

/** Secret of one index: two 32-bit words. Without it a merchant could choose keys with equal hashes, whose records every look-up reads. */
export type HashKey = readonly [number, number]

const FINAL_STEPS = 3
const OWN_WORDS = 3
const FIRST_WORDS = 64

/** Kind, owner, the UTF-16 units of the value two in a word, then the rest with the length. */
let words = new Int32Array(FIRST_WORDS)

/**
 * Returns the keyed hash of an index key: HalfSipHash-1-3 with 64 bits (Aumasson, Bernstein). Each hit is compared with the record all
 * the same.
 */
export function hashIndexKey(hashKey: HashKey, kind: number, owner: number, value: string): IndexKeyHash {
  const { length } = value
  const count = OWN_WORDS + (length >>> 1)
  if (count > words.length) words = new Int32Array(2 * count)
  words[0] = kind
  words[1] = owner
  for (let word = 2, at = 0; at + 1 < length; word++, at += 2) words[word] = value.charCodeAt(at) | (value.charCodeAt(at + 1) << 16)
  words[count - 1] = (length & 1 ? value.charCodeAt(length - 1) : 0) | (length << 16)
  return hashWords(hashKey, words, count)
}

/** The value of an index key that is made of bytes of the log. Its hash is that of the same text, which is not made. */
export class IndexValue {
  #words = new Int32Array(FIRST_WORDS)
  #length = 0

  clear(): void {
    this.#length = 0
  }

  add(unit: number): void {
    const word = 2 + (this.#length >>> 1)
    if (word + 1 >= this.#words.length) this.#grow()
    // A hash has left the length in the upper half.
    if (this.#length++ & 1) this.#words[word] = ((this.#words[word] as number) & 0xffff) | (unit << 16)
    else this.#words[word] = unit
  }

  addText(text: string): void {
    for (let at = 0; at < text.length; at++) this.add(text.charCodeAt(at))
  }

  /** Equals `hashIndexKey` of the text. */
  hash(hashKey: HashKey, kind: number, owner: number): IndexKeyHash {
    const length = this.#length
    const last = 2 + (length >>> 1)
    const rest = length & 1 ? (this.#words[last] as number) & 0xffff : 0
    this.#words[0] = kind
    this.#words[1] = owner
    this.#words[last] = rest | (length << 16)
    return hashWords(hashKey, this.#words, last + 1)
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#words.length)
    larger.set(this.#words)
    this.#words = larger
  }
}

/** One loop over local variables: the words, then twice three steps without one. */
function hashWords(key: HashKey, all: Int32Array, count: number): IndexKeyHash {
  const key0 = key[0]
  const key1 = key[1]
  let v0 = key0
  let v1 = key1 ^ 0xee
  let v2 = 0x6c796765 ^ key0
  let v3 = 0x74656462 ^ key1
  for (let from = 0, to = count; ; from = to, to += FINAL_STEPS) {
    for (let step = from; step < to; step++) {
      const word = step < count ? (all[step] as number) : 0
      v3 ^= word
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
      v0 ^= word
    }
    if (to === count) v2 ^= 0xee
    else if (to === count + FINAL_STEPS) {
      shared.low = (v1 ^ v3) >>> 0
      v1 ^= 0xdd
    } else break
  }
  shared.high = (v1 ^ v3) >>> 0
  return shared
}
