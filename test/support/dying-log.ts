// A log that dies in the middle of a write when the test says so: the flush is lost, without an answer.
import type { BatchesToAppend } from '../../engine/actor/ports.ts'
import { MemoryLog } from './memory-log.ts'

export class DyingLog extends MemoryLog {
  dies = false

  override append(batches: BatchesToAppend, done: (error: Error | null) => void): void {
    if (!this.dies) super.append(batches, done)
  }
}
