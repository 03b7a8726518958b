// Rows of live state by key. Rows are immutable: a change sets a new row, so a snapshot may hold on to the old one
// while it is written. A table belongs to a SnapshotTables from its first moment: no table is missing in the snapshot.
import { assert } from './assert.ts'

/** What the snapshot needs of a part of the state. */
export interface SnapshotSource {
  /** Prefix of its rows in the snapshot: released, so it never changes. */
  readonly name: string
  /** Rows that changed since the last call; null for a removed one. */
  takeChanges(): [key: string, row: object | null][]
  /** Every row, any order. */
  rows(): Iterable<[key: string, row: object]>
  restore(key: string, row: object): void
}

/** The part of live state that one noun owns: every table that is made for it is in the snapshot. */
export class SnapshotTables {
  readonly #sources: SnapshotSource[] = []

  get snapshotSources(): readonly SnapshotSource[] {
    return this.#sources
  }

  /** Tables call it as they are made; other sources of rows are added by their noun. */
  addSnapshotSource(source: SnapshotSource): void {
    this.#sources.push(source)
  }
}

export class Table<Row extends object> implements SnapshotSource {
  readonly name: string
  readonly #rows = new Map<string, Row>()
  readonly #changed = new Set<string>()
  readonly #index: (row: Row | undefined, before: Row | undefined) => void

  /** `index` keeps what else finds a row: called with the new row (undefined when removed) and the one before. */
  constructor(owner: SnapshotTables, name: string, index: (row: Row | undefined, before: Row | undefined) => void = () => {}) {
    this.name = name
    this.#index = index
    owner.addSnapshotSource(this)
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
