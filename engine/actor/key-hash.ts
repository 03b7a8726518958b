// The hash of the idempotency key that was used last. A turn looks its key up and then adds its entry, so it is hashed once.
import { RECORD_INDEX_KEYS } from '../domain/record-index-keys.ts'
import { type HashKey, IndexValue } from '../kernel/index-key.ts'

export class KeyHash {
  high = 0
  low = 0
  readonly #hashKey: HashKey
  readonly #value = new IndexValue()
  #scope = ''
  #key: string | null = null

  constructor(hashKey: HashKey) {
    this.#hashKey = hashKey
  }

  /** The text of the value is not made. */
  of(scope: string, key: string): this {
    if (key === this.#key && scope === this.#scope) return this
    const value = this.#value
    value.clear()
    value.addText(scope)
    value.addText(':')
    value.addText(key)
    const { high, low } = value.hash(this.#hashKey, RECORD_INDEX_KEYS.idempotency, 0)
    this.high = high
    this.low = low
    this.#scope = scope
    this.#key = key
    return this
  }
}
