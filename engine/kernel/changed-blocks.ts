// Numbers of blocks that changed since the snapshot captured them last. A capture is read in slices while turns go on: a block that
// changes before it is read is copied first (copy-on-write). One byte a block: a posting marks two blocks that are nearly always marked
// already, and a Set takes 30 ns to find that out.
import { assert } from './assert.ts'

const FIRST_CAPACITY = 1024

const CHANGED = 1
/** Captured, and neither read nor copied yet. */
const CAPTURED = 2

export class ChangedBlocks<Copy> {
  readonly #copy: (block: number) => Copy
  #flags = new Uint8Array(FIRST_CAPACITY)
  #changed: number[] = []
  /** Blocks of the capture under way that were not read yet. */
  #unread = 0
  readonly #copied = new Map<number, Copy>()

  constructor(copy: (block: number) => Copy) {
    this.#copy = copy
  }

  /** Call it before each change of the block. */
  willChange(block: number): void {
    if (this.#flags[block] !== CHANGED) this.#mark(block)
  }

  /**
   * Returns the blocks as they are now, in the order of their first change, and forgets them. Read it to its end, in slices if
   * need be, before the next capture. It writes one byte a block and copies none.
   */
  capture(): IterableIterator<[block: number, copy: Copy]> {
    assert(this.#unread === 0, 'one capture of blocks at a time')
    const captured = this.#changed
    this.#changed = []
    for (const block of captured) this.#flags[block] = CAPTURED
    this.#unread = captured.length
    return this.#read(captured)
  }

  *#read(captured: readonly number[]): Generator<[number, Copy]> {
    for (const block of captured) {
      this.#unread--
      const copied = this.#copied.get(block)
      if (copied === undefined) {
        this.#flags[block] = 0
        yield [block, this.#copy(block)]
      } else {
        this.#copied.delete(block)
        yield [block, copied]
      }
    }
  }

  #mark(block: number): void {
    if (block >= this.#flags.length) this.#grow(block + 1)
    if (this.#flags[block] === CAPTURED) this.#copied.set(block, this.#copy(block))
    this.#flags[block] = CHANGED
    this.#changed.push(block)
  }

  #grow(count: number): void {
    const larger = new Uint8Array(Math.max(count, this.#flags.length * 2))
    larger.set(this.#flags)
    this.#flags = larger
  }
}

/** JSON of a column of integers. `join` takes 19 µs for 1024 of them, JSON.stringify of an array made of them 55 µs. */
export function jsonOfNumbers(column: Uint8Array | Float64Array): string {
  return `[${column.join(',')}]`
}
