// Definitions of products as they were read last. A position never holds another, so what is kept here can only save time.
import type { Position } from '../../kernel/position.ts'
import { DEFINITIONS_CACHED_LENGTH_MAX } from './biller-limits.ts'

export class DefinitionCache<Definition extends object> {
  /** The one that was used longest ago comes first. */
  readonly #kept = new Map<Position, { readonly definition: Definition; readonly length: number }>()
  #length = 0

  /** Returns the definition at the position; `read` is called when it is not kept. */
  of(position: Position, read: () => Definition): Definition {
    const kept = this.#kept.get(position)
    if (kept !== undefined) {
      this.#kept.delete(position)
      this.#kept.set(position, kept)
      return kept.definition
    }
    const definition = read()
    const { length } = JSON.stringify(definition)
    this.#kept.set(position, { definition, length })
    this.#length += length
    this.#shrink()
    return definition
  }

  #shrink(): void {
    for (const [position, { length }] of this.#kept) {
      if (this.#length <= DEFINITIONS_CACHED_LENGTH_MAX) return
      this.#kept.delete(position)
      this.#length -= length
    }
  }
}
