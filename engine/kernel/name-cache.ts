// A cache of short names and the numbers that they stand for: open addressing in one array, two ways a set, without objects. A look-up
// reads one or two cache lines. A Map reads its bucket, its entries, the key's text and the row, which is a cache miss each among
// 100 000 wallets: 0.4 µs here, 1.5 µs there. A name that is absent here may exist, so hash collisions only cost time.
import { NAME_CACHE_SETS } from './limits.ts'

const WAYS = 2
/** An entry: number + 1 (0: empty) and hash, 4 bytes each; a byte of space and length; the characters. */
const ENTRY_BYTES = 32
const ENTRY_WORDS = ENTRY_BYTES / 4
const HEAD_BYTES = 9
const NAME_LENGTH_MAX = ENTRY_BYTES - HEAD_BYTES
/** Bit of the second name space, beside the length. */
const SECOND_SPACE = 0x80

/** Names of two spaces may be equal and stand for different numbers. */
export type NameSpace = 0 | 1

export class NameCache {
  readonly #sets: number
  readonly #words: Int32Array
  readonly #bytes: Uint8Array
  /** The way that the next entry of a full set takes. */
  #nextWay = 0

  /** `sets` is a power of two. */
  constructor(sets: number = NAME_CACHE_SETS) {
    this.#sets = sets
    const memory = new ArrayBuffer(sets * WAYS * ENTRY_BYTES)
    this.#words = new Int32Array(memory)
    this.#bytes = new Uint8Array(memory)
  }

  /** Returns the number of the name; -1 when it is not cached. */
  get(space: NameSpace, name: string): number {
    const at = this.#find(space, name)
    return at < 0 ? -1 : (this.#words[at] as number) - 1
  }

  /** `number` is below 2^31 - 1. A name that is too long, or not of single bytes, is not cached. */
  set(space: NameSpace, name: string, number: number): void {
    if (name.length > NAME_LENGTH_MAX || !isOfBytes(name)) return
    const words = this.#words
    const hash = hashOf(space, name)
    let at = this.#setOf(hash)
    if (words[at] !== 0) {
      const isSecondEmpty = words[at + ENTRY_WORDS] === 0
      if (isSecondEmpty || this.#nextWay === 1) at += ENTRY_WORDS
      if (!isSecondEmpty) this.#nextWay ^= 1
    }
    words[at] = number + 1
    words[at + 1] = hash
    const bytes = this.#bytes
    const from = at * 4 + HEAD_BYTES
    bytes[from - 1] = lengthByte(space, name)
    for (let index = 0; index < name.length; index++) bytes[from + index] = name.charCodeAt(index)
  }

  /** Called before a name stands for anything else. */
  delete(space: NameSpace, name: string): void {
    const at = this.#find(space, name)
    if (at >= 0) this.#words[at] = 0
  }

  #setOf(hash: number): number {
    return (hash & (this.#sets - 1)) * WAYS * ENTRY_WORDS
  }

  /** Returns the index of the entry in the words; -1 when there is none. */
  #find(space: NameSpace, name: string): number {
    const words = this.#words
    const hash = hashOf(space, name)
    const at = this.#setOf(hash)
    for (let entry = at; entry < at + WAYS * ENTRY_WORDS; entry += ENTRY_WORDS) {
      if (words[entry + 1] === hash && words[entry] !== 0 && this.#holds(entry, space, name)) return entry
    }
    return -1
  }

  #holds(entry: number, space: NameSpace, name: string): boolean {
    const bytes = this.#bytes
    const from = entry * 4 + HEAD_BYTES
    if (name.length > NAME_LENGTH_MAX || bytes[from - 1] !== lengthByte(space, name)) return false
    for (let index = 0; index < name.length; index++) if (bytes[from + index] !== name.charCodeAt(index)) return false
    return true
  }
}

function lengthByte(space: NameSpace, { length }: string): number {
  return space === 0 ? length : length | SECOND_SPACE
}

function isOfBytes(name: string): boolean {
  for (let index = 0; index < name.length; index++) if (name.charCodeAt(index) > 0xff) return false
  return true
}

/** FNV-1a over the UTF-16 units, mixed once more because the lowest bits choose the set. */
function hashOf(space: NameSpace, name: string): number {
  let hash = 0x811c9dc5 ^ space
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
}
