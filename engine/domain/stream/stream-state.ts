// How many stream frames each wallet has had: the ids of its realtime stream count from 1 and never repeat.
import { ChangedBlocks, jsonOfNumbers } from '../../kernel/changed-blocks.ts'
import type { CapturedRow } from '../../kernel/changed-rows.ts'
import { type SnapshotSource, SnapshotTables } from '../../kernel/table.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'

/** What a wallet's stream may carry; the names are those of the API. Each noun adds its own (declaration merging). */
export interface FrameTypes {
  readonly 'payment.received': true
  readonly 'payment.sent': true
  readonly 'balance.updated': true
}

export type FrameType = keyof FrameTypes

/** A frame that a decision wants sent; what it shows is derived from the record when it is read. */
export interface PlannedFrame {
  readonly account: AccountNumber
  readonly type: FrameType
  /** The event of the record that it is about. */
  readonly eventIndex: number
}

export interface Frame extends PlannedFrame {
  /** Grows by one with each frame of the account. */
  readonly id: number
}

const ACCOUNTS_PER_ROW = 1024

declare module '../state.ts' {
  interface State {
    readonly frames: FrameCounters
  }
}

export class FrameCounters extends SnapshotTables implements SnapshotSource {
  readonly name = 'frames'
  #last = new Float64Array(ACCOUNTS_PER_ROW * 4)
  readonly #changed = new ChangedBlocks((row) => this.#last.slice(row * ACCOUNTS_PER_ROW, (row + 1) * ACCOUNTS_PER_ROW))

  constructor() {
    super()
    this.addSnapshotSource(this)
  }

  /** Id of the account's newest frame, 0 before the first. */
  last(account: AccountNumber): number {
    return this.#last[account] ?? 0
  }

  set(account: AccountNumber, id: number): void {
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
