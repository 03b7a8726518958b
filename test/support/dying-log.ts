// A log that dies in the middle of a write when the test says so: the batch is lost, without an answer.
import type { BatchToAppend } from '../../engine/actor/ports.ts'
import { MemoryLog } from '../../wal/log/memory-log.ts'

export class DyingLog extends MemoryLog {
  dies = false

  override append(batch: BatchToAppend, done: (error: Error | null) => void): void {
    if (!this.dies) super.append(batch, done)
  }
}
