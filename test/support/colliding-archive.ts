// An archive in which the hashes of all index keys are equal: each look-up gets every position. What is found is what the reader of
// the index compared with the record itself.
import type { IndexSegment } from '../../engine/actor/ports.ts'
import type { Position } from '../../engine/kernel/position.ts'
import { MemoryArchive } from './memory-archive.ts'

export class CollidingArchive extends MemoryArchive {
  readonly #positions = new Set<Position>()

  override addSegment(segment: IndexSegment, done: (error: Error | null) => void): void {
    super.addSegment(segment, (error) => {
      for (let at = 0; at < segment.count; at++) this.#positions.add(segment.position[at] as Position)
      done(error)
    })
  }

  override find(_high: number, _low: number, below: Position, limit: number): Position[] {
    return [...this.#positions]
      .filter((position) => position < below)
      .sort((one, other) => other - one)
      .slice(0, limit)
  }

  override mayHave(): boolean {
    return true
  }
}
