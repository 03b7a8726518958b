// A log as one append-only file, behind the port of the real ones: what LMDB costs is measured against it. It is not a log for money: it
// has no checksum of its own, no repair after a torn append, and no local copy for reads.
import { constants, fdatasync, fsync, type PathLike, writev } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { BatchesToAppend, BatchToAppend, DurableLog, StoredBatch } from '../../engine/actor/ports.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { FIRST_EPOCH, refusalOf } from '../../wal/log/append-rule.ts'
import { LogError } from '../../wal/log/log-error.ts'

/** Before each batch: its first sequence, its number of records and its size, as 32-bit integers. A size of 0 is the end. */
const FRAME_BYTES = 12
const PREALLOCATED_BYTES = 64 * 1024 * 1024

export interface PlainFileOptions {
  readonly path: PathLike
  /** `fdatasync`: after each write, by a second call. `dsync`: the file is open with O_DSYNC, and the write itself is durable. */
  readonly sync: 'fdatasync' | 'dsync'
  /** Writes zeros ahead, so that an append changes no metadata of the file. */
  readonly isPreallocated: boolean
}

type Done = (error: Error | null) => void

export class PlainFileLog implements DurableLog {
  readonly partition = 0
  readonly epoch = FIRST_EPOCH
  readonly largeRecordBytes = Number.POSITIVE_INFINITY
  readonly #file: FileHandle
  readonly #options: PlainFileOptions
  #at = 0
  #durableSequence = 0
  #failure: LogError | null = null
  #closed = false

  private constructor(file: FileHandle, options: PlainFileOptions) {
    this.#file = file
    this.#options = options
  }

  /** Creates the file. Fails when it exists. */
  static async create(options: PlainFileOptions): Promise<PlainFileLog> {
    const { O_RDWR, O_CREAT, O_EXCL, O_DSYNC } = constants
    const flags = O_RDWR | O_CREAT | O_EXCL | (options.sync === 'dsync' ? O_DSYNC : 0)
    const file = await open(options.path, flags, 0o600)
    if (options.isPreallocated) {
      await file.write(Buffer.alloc(PREALLOCATED_BYTES), 0, PREALLOCATED_BYTES, 0)
      await new Promise<void>((resolve, reject) => fsync(file.fd, (error) => (error === null ? resolve() : reject(error))))
    }
    return new PlainFileLog(file, options)
  }

  get durableSequence(): number {
    return this.#durableSequence
  }

  append([batch, ...others]: BatchesToAppend, done: Done): void {
    assert(others.length === 0, 'one batch a flush')
    const { partition, epoch } = this
    const refusal = refusalOf(batch, {
      partition,
      epoch,
      durableSequence: this.#durableSequence,
      closed: this.#closed,
      failure: this.#failure,
    })
    if (refusal !== null) {
      queueMicrotask(() => done(refusal))
      return
    }
    const frame = Buffer.allocUnsafe(FRAME_BYTES)
    frame.writeUInt32LE(batch.expectedSequence, 0)
    frame.writeUInt32LE(batch.recordCount, 4)
    frame.writeUInt32LE(batch.bytes.length, 8)
    const sizeBytes = FRAME_BYTES + batch.bytes.length
    const settle = (error: Error | null): void => this.#settle(batch, sizeBytes, error, done)
    writev(this.#file.fd, [frame, batch.bytes], this.#at, (error, written) => {
      if (error !== null || written !== sizeBytes) settle(error ?? new Error('a write was cut short'))
      else if (this.#options.sync === 'dsync') settle(null)
      else fdatasync(this.#file.fd, settle)
    })
  }

  async *read(fromSequence: number): AsyncGenerator<StoredBatch> {
    const frame = Buffer.alloc(FRAME_BYTES)
    for (let at = 0; at < this.#at; ) {
      await this.#file.read(frame, 0, FRAME_BYTES, at)
      const firstSequence = frame.readUInt32LE(0)
      const bytes = Buffer.alloc(frame.readUInt32LE(8))
      await this.#file.read(bytes, 0, bytes.length, at + FRAME_BYTES)
      if (firstSequence + frame.readUInt32LE(4) > fromSequence) yield { firstSequence, bytes }
      at += FRAME_BYTES + bytes.length
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#file.close()
  }

  #settle({ expectedSequence, recordCount }: BatchToAppend, sizeBytes: number, error: Error | null, done: Done): void {
    if (error !== null) {
      this.#failure = new LogError('append_failed', `The batch was not stored: ${error.message}.`, error)
      done(this.#failure)
      return
    }
    this.#at += sizeBytes
    this.#durableSequence = expectedSequence + recordCount - 1
    done(null)
  }
}
