// The lines of a large disbursement as its thread gives them back: judged in their form and packed a block at a time, so that few objects
// are alive at a time.
import type { BatchLine } from '../../../../engine/contract/batch-line.ts'
import type { LinesSource } from '../disbursement-intake.ts'

const blocksOf = new WeakMap<readonly unknown[], readonly Uint8Array[]>()

/** Returns what stands in the place of `items`: as many places, without values. The schema counts them. */
export function itemsOf(count: number, blocks: readonly Uint8Array[]): readonly unknown[] {
  const items = new Array<unknown>(count)
  blocksOf.set(items, blocks)
  return items
}

export function packed(lines: readonly BatchLine[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(lines))
}

/** Returns the lines, a block at a time; null for items that are not packed. */
export function linesOfBlocks(items: readonly unknown[]): LinesSource | null {
  const blocks = blocksOf.get(items)
  if (blocks === undefined) return null
  let next = 0
  return () => {
    const block = blocks[next++]
    return block === undefined ? [] : (JSON.parse(Buffer.from(block.buffer, block.byteOffset, block.byteLength).toString()) as BatchLine[])
  }
}
