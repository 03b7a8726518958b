// The ownership of the log while this node has it: the log itself, the proofs for answers, and the heartbeats.
import { LogError } from '../log/log-error.ts'
import { OwnerHeartbeats } from '../log/postgres-heartbeats.ts'
import type { PostgresLog, PostgresLogOptions } from '../log/postgres-log.ts'
import type { OwnerRow } from '../log/postgres-owner.ts'
import type { AppendWatch } from './copied-log.ts'
import { OwnershipProof } from './ownership-proof.ts'

export interface OwnershipParts {
  readonly postgres: PostgresLogOptions
  /** Reads the owner row after the call. */
  readonly readOwner: () => Promise<OwnerRow>
  /** Called when another node owns the log. */
  readonly onLost: (error: LogError) => void
}

export class Ownership implements AppendWatch {
  readonly log: PostgresLog
  readonly proof: OwnershipProof
  readonly #parts: OwnershipParts
  readonly #heartbeats: OwnerHeartbeats
  #isReleased = false

  constructor(log: PostgresLog, parts: OwnershipParts) {
    this.log = log
    this.#parts = parts
    this.proof = new OwnershipProof(() => this.#check())
    const { postgres } = parts
    const onStale = (): void => parts.onLost(lost())
    this.#heartbeats = new OwnerHeartbeats({ postgres, epoch: log.epoch, onStale, onAlone: () => void log.distrust() }, log.durableSequence)
  }

  start(): void {
    this.#heartbeats.start()
  }

  onBegin(): void {
    this.proof.beginAppend()
  }

  onEnd(through: number | null): void {
    this.proof.endAppend(through !== null)
    if (through !== null) this.#heartbeats.confirm(through)
  }

  onAnswered(): void {
    this.proof.plan()
  }

  /** Releases the log after its last append, so that a follower takes it at once. */
  async release(): Promise<void> {
    // Answers that wait for a proof get it while this node can still prove the ownership.
    await this.proof.settled()
    this.#isReleased = true
    // The end of the heartbeats' connection delays no release.
    await Promise.all([this.#heartbeats.stop(), this.log.release()])
  }

  async close(): Promise<void> {
    await this.#heartbeats.stop()
    await this.log.close()
  }

  async #check(): Promise<void> {
    const { epoch } = await this.#parts.readOwner()
    if (epoch === this.log.epoch) return
    const error = lost()
    if (!this.#isReleased) this.#parts.onLost(error)
    throw error
  }
}

function lost(): LogError {
  return new LogError('stale_epoch', 'Another node owns the log now. Stop this process.')
}
