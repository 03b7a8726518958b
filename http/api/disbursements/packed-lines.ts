// The lines of a large disbursement as its thread gives them back: judged in their form and packed a block at a time, so that few objects
// are alive at a time.
import type { BatchLine } from '../../../engine/contract/batch-line.ts'
import type { LinesSource } from './disbursement-intake.ts'

/** In the place of `items`: as many places, without values, and the blocks. */
export class PackedLines extends Array<never> {
  readonly blocks: readonly Uint8Array[]

  constructor(count: number, blocks: readonly Uint8Array[]) {
    super()
    this.length = count
    this.blocks = blocks
  }
}

export function packed(lines: readonly BatchLine[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(lines))
}

/** Returns the lines, a block at a time. */
export function linesOfBlocks({ blocks }: PackedLines): LinesSource {
  let next = 0
  return () => {
    const block = blocks[next++]
    return block === undefined ? [] : (JSON.parse(Buffer.from(block.buffer, block.byteOffset, block.byteLength).toString()) as BatchLine[])
  }
}
