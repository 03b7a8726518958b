// Applies confirmed batches of other owners to the engine of this node, after its local copy took them.
import type { StoredBatch } from '../../engine/actor/ports.ts'
import { readHeader } from '../../engine/actor/record-codec.ts'
import { LogError } from '../log/log-error.ts'
import type { PostgresBatch } from '../log/postgres-batches.ts'
import type { LogSink } from '../log/postgres-follower.ts'
import type { LocalCopy } from './local-copy.ts'

/** The following engine. */
export interface FollowingEngine {
  readonly lastSequence: number
  readonly batchHash: string
  readonly history: { readonly isFull: boolean; onceRoom(run: () => void): void }
  apply(batch: StoredBatch): void
}

export class ReplicaSink implements LogSink {
  readonly #engine: FollowingEngine
  readonly #copy: LocalCopy
  readonly #onApplied: (sequence: number) => void

  constructor(engine: FollowingEngine, copy: LocalCopy, onApplied: (sequence: number) => void) {
    this.#engine = engine
    this.#copy = copy
    this.#onApplied = onApplied
  }

  get lastSequence(): number {
    return this.#engine.lastSequence
  }

  get batchHash(): string {
    return this.#engine.batchHash
  }

  room(): Promise<void> | null {
    const { history } = this.#engine
    return this.#copy.room() ?? (history.isFull ? new Promise((resolve) => history.onceRoom(resolve)) : null)
  }

  /** Throws LogFormatError and LogError for a batch of another log, which must not reach the copy's disk. */
  take(batch: PostgresBatch): void {
    checkContinues(batch, this.#engine)
    this.#copy.put(batch)
    this.#engine.apply(batch)
    this.#onApplied(this.#engine.lastSequence)
  }
}

function checkContinues({ bytes }: PostgresBatch, { lastSequence, batchHash }: FollowingEngine): void {
  const { firstSequence, previousHash } = readHeader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (firstSequence === lastSequence + 1 && previousHash === batchHash) return
  throw new LogError(
    'log_contradiction',
    `The batch at sequence ${firstSequence} in PostgreSQL does not continue the log that this node has applied through ${lastSequence}.`,
  )
}
