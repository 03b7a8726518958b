// The envelope of a queued command, and its outcome.
import type { OutcomeKind } from '../contract/outcome-kind.ts'
import type { Command } from '../domain/command.ts'
import type { ActingOperator } from '../domain/operator/operator-state.ts'
import type { ByteWriter } from '../kernel/byte-writer.ts'
import type { AccountNumber } from '../ledger/transaction.ts'

export interface IdempotencyKey {
  readonly scope: string
  readonly key: string
  readonly fingerprint: string
  /** A sealed secret of the answer. A success stores it, and each replay returns it. */
  readonly sealed?: string
}

export interface Envelope {
  readonly command: Command
  /** The account whose mailbox the command joins. Commands of one mailbox run in order of arrival. */
  readonly mailbox: AccountNumber
  readonly idempotency: IdempotencyKey | null
  /**
   * The caller's request id. A stored rejection contains it, so that a replay has the same bytes; absent: rejections
   * have none.
   */
  readonly requestId?: string
  /** Language of a stored rejection, so that its replay has the bytes of the first answer. French when absent. */
  readonly language?: 'fr' | 'en'
  /** Operator who sent the command. */
  readonly operator?: ActingOperator
}

/** What the text of a body is made from. */
export interface BodySource {
  readonly text: string
  writeText(out: ByteWriter): void
}

/** The outcome of a command, sent once the records behind it are durable. */
export interface Outcome {
  /** Kind from the decision, or from the catalogue of errors. */
  readonly kind: OutcomeKind
  /** JSON text of the body. Where there are `lines` it is made when it is read. */
  readonly body: string
  /** Lines of a body that takes long to make and to send: the report of a batch. */
  readonly lines?: number
  /** True when the key had this result already. */
  readonly replayed: boolean
  /** Seconds after which a rejected command may be retried, where the rejection knows. */
  readonly retryAfterS?: number
  /** On a replay: the sealed secret of the first answer. */
  readonly sealed?: string
}

/** An outcome whose body is made when it is read. */
export interface WrittenOutcome extends Outcome {
  readonly source: BodySource
}

export function isWrittenOutcome(outcome: Outcome): outcome is WrittenOutcome {
  return 'source' in outcome
}

export interface Reply {
  settle(outcome: Outcome): void
}
