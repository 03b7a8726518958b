// Keys of rows that changed since the snapshot captured them last. A capture is read in slices while turns go on: of a row that changes
// before it is read, the row before the change is kept (copy-on-write). Rows are immutable, so that is a reference.
import { assert } from './assert.ts'

/** A captured row. The key is text, the row JSON, null if it was removed. */
export type CapturedRow = readonly [key: string, json: string | null]

export class ChangedRows<Key extends string | number, Row extends object> {
  #changed = new Set<Key>()
  /** Keys of the capture under way that were not read yet. */
  #unread = new Set<Key>()
  readonly #before = new Map<Key, Row | null>()

  /** Call it before each change with the row as it is. */
  willChange(key: Key, row: Row | undefined): void {
    if (this.#unread.size > 0 && this.#unread.has(key) && !this.#before.has(key)) this.#before.set(key, row ?? null)
    this.#changed.add(key)
  }

  /** The same for a row that changes in place: a capture that has not read it yet keeps a copy. */
  willMutate(key: Key, row: Row): void {
    if (this.#unread.size > 0 && this.#unread.has(key) && !this.#before.has(key)) this.#before.set(key, { ...row })
    this.#changed.add(key)
  }

  /**
   * Returns the changed rows as JSON, as they are now, with null for a removed row, and forgets the changes. Read it to its
   * end, in slices if need be, before the next capture. It takes the same time for any number of rows.
   */
  capture(rowOf: (key: Key) => Row | undefined): IterableIterator<CapturedRow> {
    assert(this.#unread.size === 0, 'one capture of rows at a time')
    this.#unread = this.#changed
    this.#changed = new Set()
    return this.#read(rowOf)
  }

  *#read(rowOf: (key: Key) => Row | undefined): Generator<CapturedRow> {
    for (const key of this.#unread) {
      const before = this.#before.get(key)
      this.#unread.delete(key)
      this.#before.delete(key)
      const row = before === undefined ? (rowOf(key) ?? null) : before
      yield [String(key), row === null ? null : JSON.stringify(row)]
    }
  }
}
