// Encodes the records of a flush as batches of the log; record-codec.ts describes their bytes and reads them.
import type { LogRecord } from '../domain/record.ts'
import { assert } from '../kernel/assert.ts'
import { ByteWriter } from '../kernel/byte-writer.ts'
import { CRC_OFFSET, checksum, FORMAT_VERSION, HEADER_BYTES, hashBatch, MAGIC } from './record-codec.ts'
import { writeRecord } from './record-writer.ts'

const FIRST_BUFFER_BYTES = 256 * 1024

export interface EncodedBatch {
  readonly bytes: Buffer
  /** SHA-256 of the bytes, in hex; the next batch contains it. */
  readonly hash: string
  readonly firstSequence: number
  readonly recordCount: number
}

/** Encodes records into its own buffer, which it reuses after `reset`. */
export class BatchEncoder {
  readonly #payload = new ByteWriter(FIRST_BUFFER_BYTES)
  /** Of the records. They keep their length after `reset`: growing them again is garbage for each flush. */
  readonly #offsets: number[] = []
  readonly #timesMs: number[] = []
  #recordCount = 0
  #firstSequence = 0

  get recordCount(): number {
    return this.#recordCount
  }

  /** Bytes of payload in the buffer. */
  get sizeBytes(): number {
    return this.#payload.size
  }

  add(record: LogRecord): void {
    const at = this.#recordCount++
    if (at === 0) this.#firstSequence = record.sequence
    assert(record.sequence === this.#firstSequence + at, 'records of a batch are consecutive')
    this.#offsets[at] = this.#payload.size
    this.#timesMs[at] = record.timeMs
    writeRecord(this.#payload, record)
  }

  /** Returns a copy of all records as one batch with its checksum and the hash of the batch before. */
  finish(previousHash: string): EncodedBatch {
    return this.#batch(0, this.recordCount, previousHash)
  }

  /** Returns copies of all records as batches, oldest first. A record of `largeRecordBytes` or more has one of its own. */
  finishAll(previousHash: string, largeRecordBytes: number): readonly [EncodedBatch, ...EncodedBatch[]] {
    const batches: EncodedBatch[] = []
    for (let from = 0, hash = previousHash; from < this.recordCount; from += (batches.at(-1) as EncodedBatch).recordCount) {
      batches.push(this.#batch(from, this.#endOfBatch(from, largeRecordBytes), hash))
      hash = (batches.at(-1) as EncodedBatch).hash
    }
    const [first, ...others] = batches
    assert(first !== undefined, 'a flush has records')
    return [first, ...others]
  }

  reset(): void {
    this.#payload.clear()
    this.#recordCount = 0
  }

  /** Offset in the payload of the record at `index`, or the payload's end. */
  #offsetOf(index: number): number {
    return index < this.#recordCount ? (this.#offsets[index] as number) : this.#payload.size
  }

  #sizeOf(index: number): number {
    return this.#offsetOf(index + 1) - this.#offsetOf(index)
  }

  #endOfBatch(from: number, largeRecordBytes: number): number {
    let to = from + 1
    if (this.#sizeOf(from) >= largeRecordBytes) return to
    while (to < this.recordCount && this.#sizeOf(to) < largeRecordBytes) to++
    return to
  }

  #batch(from: number, to: number, previousHash: string): EncodedBatch {
    const recordCount = to - from
    assert(recordCount > 0, 'a batch has records')
    const startBytes = this.#offsetOf(from)
    const sizeBytes = this.#offsetOf(to) - startBytes
    const payloadStart = HEADER_BYTES + recordCount * 4
    const bytes = Buffer.allocUnsafe(payloadStart + sizeBytes)
    const firstSequence = this.#firstSequence + from
    bytes.writeUInt32LE(MAGIC, 0)
    bytes.writeUInt32LE(FORMAT_VERSION, 4)
    bytes.writeDoubleLE(firstSequence, 8)
    bytes.writeDoubleLE(this.#timesMs[from] as number, 16)
    bytes.writeUInt32LE(recordCount, 24)
    bytes.writeUInt32LE(sizeBytes, 28)
    bytes.write(previousHash, 32, 'hex')
    for (let index = 0; index < recordCount; index++) {
      bytes.writeUInt32LE(this.#offsetOf(from + index) - startBytes, HEADER_BYTES + index * 4)
    }
    this.#payload.bytes.copy(bytes, payloadStart, startBytes, startBytes + sizeBytes)
    bytes.writeUInt32LE(checksum(bytes), CRC_OFFSET)
    return { bytes, hash: hashBatch(bytes), firstSequence, recordCount }
  }
}
