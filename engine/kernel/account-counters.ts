// Numbers that count something for each account, from 1 on and without gaps: the ids of its stream, for one.
import { ChangedBlocks, jsonOfNumbers } from './changed-blocks.ts'
import type { CapturedRow } from './changed-rows.ts'
import { type SnapshotSource, SnapshotTables } from './table.ts'

const ACCOUNTS_PER_ROW = 1024

/** A number of each account, in columns: a snapshot has the rows of those that changed. */
export class AccountCounters extends SnapshotTables implements SnapshotSource {
  readonly name: string
  #last = new Float64Array(ACCOUNTS_PER_ROW * 4)
  readonly #changed = new ChangedBlocks((row) => this.#last.slice(row * ACCOUNTS_PER_ROW, (row + 1) * ACCOUNTS_PER_ROW))

  /** `name` is the prefix of its rows in the snapshot. */
  constructor(name: string) {
    super()
    this.name = name
    this.addSnapshotSource(this)
  }

  /** The account's number, 0 before the first. */
  last(account: number): number {
    return this.#last[account] ?? 0
  }

  set(account: number, id: number): void {
    if (account >= this.#last.length) this.#grow(account + 1)
    this.#changed.willChange(Math.floor(account / ACCOUNTS_PER_ROW))
    this.#last[account] = id
  }

  capture(): IterableIterator<CapturedRow> {
    return asRows(this.#changed.capture())
  }

  *rows(): IterableIterator<[string, object]> {
    for (let row = 0; row * ACCOUNTS_PER_ROW < this.#last.length; row++) {
      const ids = this.#last.subarray(row * ACCOUNTS_PER_ROW, (row + 1) * ACCOUNTS_PER_ROW)
      if (ids.some((id) => id > 0)) yield [String(row), this.#row(row)]
    }
  }

  restore(key: string, row: object): void {
    const from = Number(key) * ACCOUNTS_PER_ROW
    if (from + ACCOUNTS_PER_ROW > this.#last.length) this.#grow(from + ACCOUNTS_PER_ROW)
    this.#last.set(row as number[], from)
  }

  #row(row: number): number[] {
    return Array.from(this.#last.subarray(row * ACCOUNTS_PER_ROW, (row + 1) * ACCOUNTS_PER_ROW))
  }

  #grow(count: number): void {
    let capacity = this.#last.length
    while (capacity < count) capacity *= 2
    const larger = new Float64Array(capacity)
    larger.set(this.#last)
    this.#last = larger
  }
}

function* asRows(blocks: Iterable<[number, Float64Array]>): Generator<CapturedRow> {
  for (const [row, ids] of blocks) yield [String(row), jsonOfNumbers(ids)]
}
