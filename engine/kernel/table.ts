// Rows of live state by key. Rows are immutable: a change sets a new row, so a snapshot can keep the old one while it is
// written. The constructor registers each table with a SnapshotTables, so no table is missing in the snapshot.
import { assert } from './assert.ts'
import { type CapturedRow, ChangedRows } from './changed-rows.ts'
import { LargeMap } from './large-map.ts'
import type { RowCount, TableBound } from './quota.ts'

/** A part of the state that the snapshot stores. */
export interface SnapshotSource {
  /** Prefix of its rows in the snapshot. Snapshots of earlier releases contain it, so it never changes. */
  readonly name: string
  /** Returns the rows that changed since the last capture as JSON, as they are now, null for a removed row. Read it before the next. */
  capture(): IterableIterator<CapturedRow>
  /** Returns all rows, in any order. */
  rows(): Iterable<[key: string, row: object]>
  restore(key: string, row: object): void
  /** Called once after all rows of all sources are restored. */
  restored?(): void
}

/** The part of live state that one noun owns. The snapshot contains every table that is made for it. */
export class SnapshotTables {
  readonly #sources: SnapshotSource[] = []

  get snapshotSources(): readonly SnapshotSource[] {
    return this.#sources
  }

  /** Adds a source of rows. The constructor of `Table` calls it; a noun adds its other sources itself. */
  addSnapshotSource(source: SnapshotSource): void {
    this.#sources.push(source)
  }
}

export class Table<Row extends object> implements SnapshotSource {
  readonly name: string
  /** Grows with each change of a row. */
  changes = 0
  readonly #rows = new LargeMap<string, Row>()
  readonly #changed = new ChangedRows<string, Row>()
  readonly #index: (row: Row | undefined, before: Row | undefined) => void
  readonly #count: RowCount<Row> | null

  /**
   * `bound` is the quota that limits the table, or what limits it instead. `index` updates the secondary indexes. It gets
   * the new row (undefined when removed) and the row before.
   */
  constructor(
    owner: SnapshotTables,
    name: string,
    bound: TableBound<Row>,
    index: (row: Row | undefined, before: Row | undefined) => void = () => {},
  ) {
    this.name = name
    this.#index = index
    this.#count = 'useOf' in bound ? bound : null
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
    this.#changed.willChange(key, before)
    this.#rows.set(key, row)
    this.changes++
    if (this.#count !== null) recount(this.#count, row, before)
    this.#index(row, before)
  }

  delete(key: string): void {
    const before = this.#rows.get(key)
    assert(before !== undefined, `${this.name} has the row`)
    this.#changed.willChange(key, before)
    this.#rows.delete(key)
    this.changes++
    if (this.#count !== null) recount(this.#count, undefined, before)
    this.#index(undefined, before)
  }

  values(): IterableIterator<Row> {
    return this.#rows.values()
  }

  rows(): IterableIterator<[string, Row]> {
    return this.#rows.entries()
  }

  capture(): IterableIterator<CapturedRow> {
    return this.#changed.capture((key) => this.#rows.get(key))
  }

  restore(key: string, row: object): void {
    this.#rows.set(key, row as Row)
    this.changes++
    this.#index(row as Row, undefined)
  }

  /** Counts the restored rows. The environment of an account is known after its block is restored. */
  restored(): void {
    if (this.#count === null) return
    for (const row of this.#rows.values()) recount(this.#count, row, undefined)
  }
}

function recount<Row>(count: RowCount<Row>, row: Row | undefined, before: Row | undefined): void {
  const { useOf, partOf, holderOf, counts } = count
  const isCounted = row !== undefined && (counts === undefined || counts(row))
  const wasCounted = before !== undefined && (counts === undefined || counts(before))
  if (isCounted && wasCounted && holderOf(row) === holderOf(before) && useOf(row) === useOf(before)) return
  if (wasCounted) useOf(before).change(partOf(before), holderOf(before), -1)
  if (isCounted) useOf(row).change(partOf(row), holderOf(row), 1)
}
