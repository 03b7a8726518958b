// The hash of the idempotency key that was used last. A turn looks its key up and then adds its entry, so it is hashed once.
import { idempotencyIndexKey } from '../domain/record-index-keys.ts'
import { type HashKey, hashIndexKey } from '../kernel/index-key.ts'

export class KeyHash {
  high = 0
  low = 0
  readonly #hashKey: HashKey
  #scope = ''
  #key: string | null = null

  constructor(hashKey: HashKey) {
    this.#hashKey = hashKey
  }

  of(scope: string, key: string): this {
    if (key === this.#key && scope === this.#scope) return this
    const { kind, owner, value } = idempotencyIndexKey(scope, key)
    const { high, low } = hashIndexKey(this.#hashKey, kind, owner, value)
    this.high = high
    this.low = low
    this.#scope = scope
    this.#key = key
    return this
  }
}
