// Bytes of the log at a sequence.
import { assert } from '../kernel/assert.ts'
import type { LocalLogReader } from './ports.ts'

/** Returns the log batch that holds the sequence, which the log must hold. */
export function bytesWith(log: LocalLogReader, sequence: number): Buffer {
  const batch = log.batchAt(sequence)
  assert(batch !== null, `the log holds sequence ${sequence}`)
  return Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength)
}
