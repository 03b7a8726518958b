// Checks before an append, shared by all logs.
import type { BatchesToAppend, BatchToAppend } from '../../engine/actor/ports.ts'
import { LogError } from './log-error.ts'

/** Epoch of a log's first owner. Each takeover raises it. */
export const FIRST_EPOCH = 1

export interface AppendState {
  readonly partition: number
  readonly epoch: number
  readonly durableSequence: number
  readonly closed: boolean
  /** First failure. The log accepts no batch after it. */
  readonly failure: LogError | null
}

/** Returns null if the batch may be appended, else the error. */
export function refusalOf(batch: BatchToAppend, log: AppendState): LogError | null {
  if (log.closed) return new LogError('log_closed', 'The log is closed.')
  if (log.failure !== null) return new LogError(log.failure.code, `The log failed before: ${log.failure.message}`, log.failure)
  if (batch.partition !== log.partition) {
    return new LogError(
      'wrong_partition',
      `A batch of partition ${batch.partition} does not belong into the log of partition ${log.partition}.`,
    )
  }
  if (batch.epoch < log.epoch) {
    return new LogError(
      'stale_epoch',
      `The log has a newer owner: its epoch is ${log.epoch}, the batch's is ${batch.epoch}. Stop this process.`,
    )
  }
  if (batch.expectedSequence !== log.durableSequence + 1) {
    return new LogError('out_of_order', `The log ends at sequence ${log.durableSequence}, the batch starts at ${batch.expectedSequence}.`)
  }
  return null
}

/** Sequence of the last record of all batches. */
export function throughOf(batches: BatchesToAppend): number {
  const last = batches[batches.length - 1] as BatchToAppend
  return last.expectedSequence + last.recordCount - 1
}
