// Rows of live state by key. Rows are immutable: a change sets a new row, so an image may hold on to the old one
// while it is written.
import { assert } from './assert.ts'

/** What the image needs of a part of the state. */
export interface ImageSource {
  /** Prefix of its rows in the image. */
  readonly name: string
  /** Rows that changed since the last call; null for a removed one. */
  takeChanges(): [key: string, row: object | null][]
  /** Every row, any order. */
  rows(): Iterable<[key: string, row: object]>
  restore(key: string, row: object): void
}

export class Table<Row extends object> implements ImageSource {
  readonly name: string
  readonly #rows = new Map<string, Row>()
  readonly #changed = new Set<string>()
  readonly #index: (row: Row | undefined, before: Row | undefined) => void

  /** `index` keeps what else finds a row: called with the new row (undefined when removed) and the one before. */
  constructor(name: string, index: (row: Row | undefined, before: Row | undefined) => void = () => {}) {
    this.name = name
    this.#index = index
  }

  get size(): number {
    return this.#rows.size
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  set(key: string, row: Row): void {
    const before = this.#rows.get(key)
    this.#rows.set(key, row)
    this.#changed.add(key)
    this.#index(row, before)
  }

  delete(key: string): void {
    const before = this.#rows.get(key)
    assert(before !== undefined, `${this.name} has the row`)
    this.#rows.delete(key)
    this.#changed.add(key)
    this.#index(undefined, before)
  }

  values(): IterableIterator<Row> {
    return this.#rows.values()
  }

  rows(): IterableIterator<[string, Row]> {
    return this.#rows.entries()
  }

  takeChanges(): [string, Row | null][] {
    const changes = Array.from(this.#changed, (key): [string, Row | null] => [key, this.#rows.get(key) ?? null])
    this.#changed.clear()
    return changes
  }

  restore(key: string, row: object): void {
    this.#rows.set(key, row as Row)
    this.#index(row as Row, undefined)
  }
}
