// An engine that follows the memory log of a fixture: its copy of the log and its archive are its own, and the copy reaches its disk
// only when the test says so.
import assert from 'node:assert/strict'
import { Engine } from '../../engine/actor/engine.ts'
import type { BatchesToAppend, DurableLog, LocalLogReader, LogReader, StoredBatch } from '../../engine/actor/ports.ts'
import type { LogRecord } from '../../engine/domain/record.ts'
import { lastSequenceOf } from '../../wal/log-batches.ts'
import { START_MS, stateRows } from './engine-fixture.ts'
import { ManualLoop, WaitingWork } from './manual-loop.ts'
import { MemoryArchive } from './memory-archive.ts'
import { Prng } from './prng.ts'
import { turnUntil } from './turn-until.ts'

/** Holds each acknowledged batch in memory; `storeAll` moves its disk forward. */
export class WrittenBehindCopy implements LocalLogReader, LogReader {
  #batches: StoredBatch[] = []
  #storedCount = 0

  get durableSequence(): number {
    const last = this.#batches[this.#storedCount - 1]
    return last === undefined ? 0 : lastSequenceOf(last)
  }

  put(batch: StoredBatch): void {
    this.#batches.push({ ...batch, bytes: Uint8Array.from(batch.bytes) })
  }

  storeAll(): void {
    this.#storedCount = this.#batches.length
  }

  /** What was not on disk is gone. */
  crash(): void {
    this.#batches = this.#batches.slice(0, this.#storedCount)
  }

  batchAt(sequence: number): StoredBatch | null {
    return this.#batches.find((batch) => batch.firstSequence <= sequence && sequence <= lastSequenceOf(batch)) ?? null
  }

  async *read(fromSequence: number): AsyncGenerator<StoredBatch> {
    for (const batch of this.#batches) if (lastSequenceOf(batch) >= fromSequence) yield batch
  }
}

/** The log that acknowledges, as one of its owners sees it; what is acknowledged joins the copy of that owner. */
export class OwnedLog implements DurableLog {
  readonly partition = 0
  readonly epoch: number
  readonly #log: DurableLog
  readonly #copy: WrittenBehindCopy

  constructor(log: DurableLog, epoch: number, copy: WrittenBehindCopy) {
    this.#log = log
    this.epoch = epoch
    this.#copy = copy
  }

  get largeRecordBytes(): number {
    return this.#log.largeRecordBytes
  }

  get durableSequence(): number {
    return this.#log.durableSequence
  }

  append(batches: BatchesToAppend, done: (error: Error | null) => void): void {
    this.#log.append(batches, (error) => {
      if (error === null) for (const { expectedSequence, bytes } of batches) this.#copy.put({ firstSequence: expectedSequence, bytes })
      done(error)
    })
  }

  read(fromSequence: number): AsyncIterable<StoredBatch> {
    return this.#log.read(fromSequence)
  }

  close(): Promise<void> {
    return this.#log.close()
  }
}

export class Follower {
  readonly loop: ManualLoop
  readonly copy: WrittenBehindCopy
  readonly archiveThread = new WaitingWork()
  readonly archive: MemoryArchive
  readonly records: LogRecord[] = []
  readonly fatals: Error[] = []
  #engine: Engine | null = null

  private constructor(copy: WrittenBehindCopy, archive: MemoryArchive | null, nowMs: number) {
    this.loop = new ManualLoop(nowMs)
    this.copy = copy
    this.archive = archive ?? new MemoryArchive({ soon: this.archiveThread.put })
  }

  static async open(copy = new WrittenBehindCopy(), archive: MemoryArchive | null = null, nowMs = START_MS): Promise<Follower> {
    const follower = new Follower(copy, archive, nowMs)
    await follower.#start()
    return follower
  }

  async #start(): Promise<void> {
    const ports = {
      localLog: this.copy,
      archive: this.archive,
      clock: this.loop,
      random: new Prng(7),
      scheduler: this.loop,
      onFatal: (error: Error) => void this.fatals.push(error),
      onRecord: (record: LogRecord) => void this.records.push(record),
    }
    this.#engine = await turnUntil(Engine.follow(ports, this.copy), () => this.settle())
  }

  get engine(): Engine {
    assert.ok(this.#engine !== null)
    return this.#engine
  }

  /** Applies what the log has and the follower has not; answers how many batches. */
  async catchUp(log: LogReader): Promise<number> {
    let count = 0
    for await (const batch of log.read(this.engine.lastSequence + 1)) {
      if (lastSequenceOf(batch) <= this.engine.lastSequence) continue
      this.take(batch)
      count++
    }
    return count
  }

  take(batch: StoredBatch): void {
    this.copy.put(batch)
    this.engine.apply(batch)
    this.settle()
  }

  storeCopy(): void {
    this.copy.storeAll()
    this.engine.copied()
    this.settle()
  }

  settle(): void {
    do {
      this.loop.turn()
      this.archiveThread.runAll()
    } while (this.loop.soonCount + this.archiveThread.count > 0)
  }

  rows(): Map<string, string> {
    return stateRows(this.engine.state)
  }

  async close(): Promise<void> {
    await turnUntil(this.engine.close(), () => this.settle())
  }
}
