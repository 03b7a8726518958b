// Changed blocks and rows: each is captured once, as it was at the capture, and again after its next change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ChangedBlocks } from '../../../engine/kernel/changed-blocks.ts'
import { type CapturedRow, ChangedRows } from '../../../engine/kernel/changed-rows.ts'

const BLOCKS = fc.array(fc.nat(3000), { maxLength: 30 })

test('the blocks of a capture are those that changed since the last one, each once, in the order of their first change', () => {
  fc.assert(
    fc.property(fc.array(BLOCKS, { maxLength: 6 }), (rounds) => {
      const blocks = new ChangedBlocks((block) => block)
      const captured = (): number[] => Array.from(blocks.capture(), ([block]) => block)
      for (const round of rounds) {
        for (const block of round) blocks.willChange(block)
        assert.deepEqual(captured(), [...new Set(round)])
      }
      assert.deepEqual(captured(), [])
    }),
  )
})

/** Changes before the first capture, then between two reads of it. Every fourth change removes a row. */
const CHANGES = fc.array(fc.nat(40), { maxLength: 60 })

test('a capture holds what was there when it began, whatever changes while it is read, and the next one holds those changes', () => {
  fc.assert(
    fc.property(CHANGES, CHANGES, fc.integer({ min: 1, max: 5 }), (first, later, perRead) => {
      const model = new Model()
      for (const key of first) model.change(key)
      const expected = model.expected()
      const rows = model.rows.capture((key) => model.current.get(key))
      const blocks = model.blocks.capture()
      const seen: CapturedRow[] = []
      const copies: [number, number][] = []
      const left = [...later]
      for (let done = false; !done; ) {
        for (const key of left.splice(0, perRead)) model.change(key)
        const row = rows.next()
        const block = blocks.next()
        if (row.done !== true) seen.push(row.value)
        if (block.done !== true) copies.push(block.value)
        done = row.done === true && block.done === true
      }
      assert.deepEqual(seen, expected.rows)
      assert.deepEqual(copies, expected.blocks)
      for (const key of left) model.change(key)
      const { rows: nextRows, blocks: nextBlocks } = model.expected()
      assert.deepEqual([...model.rows.capture((key) => model.current.get(key))], nextRows)
      assert.deepEqual([...model.blocks.capture()], nextBlocks)
    }),
  )
})

function jsonOf(row: object | undefined): string | null {
  return row === undefined ? null : JSON.stringify(row)
}

class Model {
  readonly rows = new ChangedRows<number, { readonly value: number }>()
  readonly current = new Map<number, { readonly value: number }>()
  readonly blocks = new ChangedBlocks((block) => this.#values[block] ?? 0)
  readonly #values: number[] = []
  #changed = new Set<number>()
  #value = 0

  change(key: number): void {
    this.#value++
    this.#changed.add(key)
    this.rows.willChange(key, this.current.get(key))
    if (this.#value % 4 === 0) this.current.delete(key)
    else this.current.set(key, { value: this.#value })
    this.blocks.willChange(key)
    this.#values[key] = this.#value
  }

  /** Returns what a capture must hold now. */
  expected(): { readonly rows: [string, string | null][]; readonly blocks: [number, number][] } {
    const keys = [...this.#changed]
    this.#changed = new Set()
    return {
      rows: keys.map((key) => [String(key), jsonOf(this.current.get(key))]),
      blocks: keys.map((key) => [key, this.#values[key] ?? 0]),
    }
  }
}
