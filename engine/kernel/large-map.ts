// A map for more entries than one Map of V8 holds (2^24): further entries go to further Maps. Below MAP_ENTRIES_MAX it is one Map.
import { MAP_ENTRIES_MAX } from './limits.ts'

export class LargeMap<Key, Value extends object> {
  readonly #entriesMax: number
  /** A key is in one of them. Never empty. */
  readonly #parts: Map<Key, Value>[] = [new Map()]

  constructor(entriesMax: number = MAP_ENTRIES_MAX) {
    this.#entriesMax = entriesMax
  }

  get size(): number {
    let size = 0
    for (const part of this.#parts) size += part.size
    return size
  }

  get(key: Key): Value | undefined {
    const parts = this.#parts
    for (let at = 0; at < parts.length; at++) {
      const value = (parts[at] as Map<Key, Value>).get(key)
      if (value !== undefined) return value
    }
    return undefined
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined
  }

  set(key: Key, value: Value): void {
    const part = this.#parts.length === 1 ? this.#parts[0] : this.#parts.find((one) => one.has(key))
    if (part === undefined || (part.size >= this.#entriesMax && !part.has(key))) this.#withRoom().set(key, value)
    else part.set(key, value)
  }

  delete(key: Key): void {
    for (const part of this.#parts) if (part.delete(key)) return
  }

  /** Returns all entries: those of one Map in the order of insertion. */
  entries(): IterableIterator<[Key, Value]> {
    const [first] = this.#parts
    return first !== undefined && this.#parts.length === 1 ? first.entries() : this.#allEntries()
  }

  *values(): Generator<Value> {
    for (const part of this.#parts) yield* part.values()
  }

  *#allEntries(): Generator<[Key, Value]> {
    for (const part of this.#parts) yield* part.entries()
  }

  /** Entries that were removed have left room in earlier parts. */
  #withRoom(): Map<Key, Value> {
    const found = this.#parts.find(({ size }) => size < this.#entriesMax)
    if (found !== undefined) return found
    const part = new Map<Key, Value>()
    this.#parts.push(part)
    return part
  }
}
