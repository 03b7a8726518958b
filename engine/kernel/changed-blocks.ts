// Numbers of blocks that changed since the snapshot took them last. One byte each: a posting marks two blocks that are nearly always
// marked already, and a Set takes 30 ns to find that out.

const FIRST_CAPACITY = 1024

export class ChangedBlocks {
  #isChanged = new Uint8Array(FIRST_CAPACITY)
  #changed: number[] = []

  add(block: number): void {
    if (this.#isChanged[block] === 1) return
    if (block >= this.#isChanged.length) this.#grow(block + 1)
    this.#isChanged[block] = 1
    this.#changed.push(block)
  }

  /** Returns the blocks in the order of their first change, and forgets them. */
  take(): number[] {
    const changed = this.#changed
    this.#changed = []
    for (const block of changed) this.#isChanged[block] = 0
    return changed
  }

  #grow(count: number): void {
    const larger = new Uint8Array(Math.max(count, this.#isChanged.length * 2))
    larger.set(this.#isChanged)
    this.#isChanged = larger
  }
}
