// A command on its way in and its outcome on its way out.
import type { OutcomeKind } from '../contract/outcome-kind.ts'
import type { Command } from '../domain/command.ts'
import type { AccountNumber } from '../ledger/transaction.ts'

export interface IdempotencyKey {
  readonly scope: string
  readonly key: string
  readonly fingerprint: string
  /** A secret that belongs to the answer, sealed: stored beside a 2xx outcome, and given back with each replay of it. */
  readonly sealed?: string
}

export interface Envelope {
  readonly command: Command
  /** The account whose turn it is: commands of one mailbox run in the order of their arrival. */
  readonly mailbox: AccountNumber
  readonly idempotency: IdempotencyKey | null
  /** Of the caller. A refusal that a key keeps has it, so that a replay has the same bytes; absent: refusals have none. */
  readonly requestId?: string
}

/** What the caller is told, once everything behind it is durable. */
export interface Outcome {
  /** From the decision or the catalogue of errors. */
  readonly kind: OutcomeKind
  /** JSON text. */
  readonly body: string
  /** The key had this result already. */
  readonly replayed: boolean
  /** Seconds after which a rejected command may be tried again, where the rejection knows. */
  readonly retryAfterS?: number
  /** Of a replay: what was sealed for its first answer. */
  readonly sealed?: string
}

export interface Reply {
  settle(outcome: Outcome): void
}
