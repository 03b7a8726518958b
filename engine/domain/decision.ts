// What a decide function gets and gives. Deciding reads the state and changes nothing; evolving changes and decides nothing.

import { ERRORS, type ErrorCode, type ErrorExtras, errorValue, type ReasonedCode } from '../contract/errors.ts'
import type { OutcomeKind } from '../contract/outcome-kind.ts'
import type { PlainReason } from '../contract/reasons.ts'
import type { KeptCurrencies } from '../kernel/currency.ts'
import type { Environment } from '../kernel/environment.ts'
import type { IndexKey } from '../kernel/index-key.ts'
import type { Position } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { ActingOperator } from './operator/operator-state.ts'
import type { PaidAmount } from './payout/paid-amount.ts'
import type { KeySpend, StoredEvent } from './record.ts'
import type { PlannedTransaction } from './rules/planned-transaction.ts'
import type { PlannedFrame } from './stream/stream-state.ts'

export type { PlannedTransaction }

/** Sequence, time and ids of the turn: the engine has no clock and no randomness of its own. */
export interface Context {
  readonly sequence: number
  readonly timeMs: TimeMs
  readonly idempotencyKey: string | null
  /** Operator of the command, for the audit trail; null for commands of others. */
  readonly operator: ActingOperator | null
  /** For the few decisions that need more than live state holds. Replay never asks. */
  readonly past: Past
  /** The currencies of new accounts. */
  readonly currencies: KeptCurrencies
  newId(): string
  /** Returns whether the merchant has paid the amount to the recipient within the last 72 hours, as far as RecentPayouts knows. */
  wasPaidRecently(paid: PaidAmount): boolean
}

/** What the log holds, as of this turn: records of the batch that is still gathering included. */
export interface Past {
  /** The event at a position that live state remembers. */
  eventAt(position: Position): StoredEvent
  /** Returns the newest event with the index key that `isIt` accepts. Index keys are hashes, so `isIt` compares the event. */
  latest(indexKey: IndexKey, isIt: (event: StoredEvent) => boolean): StoredEvent | null
  /** The same, with its place in the log. */
  newest(indexKey: IndexKey, isIt: (event: StoredEvent) => boolean): PlacedEvent | null
}

export interface PlacedEvent {
  readonly position: Position
  readonly event: StoredEvent
}

/** From here on the turn cannot fail: the events hold, the postings are covered. */
export interface Accepted<Code extends ErrorCode = never> {
  readonly environment: Environment
  readonly events: readonly StoredEvent[]
  readonly transactions: readonly PlannedTransaction[]
  readonly frames: readonly PlannedFrame[]
  /** Of payouts: the API key that pays, and what. Absent or null: no key does. */
  readonly spend?: KeySpend | null
  readonly kind: OutcomeKind
  /** JSON text of the answer, or the index of the event whose document it is. */
  readonly body: string | number
  /** Of a rejection that leaves events, such as the count of a wrong PIN. */
  readonly rejection?: Code
  /** Of a rejection: when to try again, where the decision knows. */
  readonly retryAfterS?: number
}

export type Refused<Code extends ErrorCode = ErrorCode> =
  | RefusedBy<Exclude<Code, ReasonedCode>>
  | ([Extract<Code, ReasonedCode>] extends [never] ? never : RefusedBy<Extract<Code, ReasonedCode>> & { readonly reason: PlainReason })

interface RefusedBy<Code extends ErrorCode> {
  readonly refusal: Code
  readonly param?: string
  /** The cause, for a code that names none. */
  readonly reason?: PlainReason
  /** When to try again, where the decision knows. */
  readonly retryAfterS?: number
}

/** `Code`: the rejections that the decider lists. One that it does not list does not compile. */
export type Decision<Code extends ErrorCode = ErrorCode> = Accepted<Code> | Refused<Code>

export function isRefused(decision: Decision): decision is Refused {
  return 'refusal' in decision
}

/** Returns the same events with a rejection as the outcome. `param`: the field at fault. */
export function rejectedBy<Code extends ErrorCode>(
  accepted: Accepted,
  code: Code,
  { param, ...extras }: ErrorExtras & { readonly param?: string } = {},
): Accepted<Code> {
  return { ...accepted, kind: ERRORS[code].kind, body: errorValue(code, param, extras), rejection: code }
}

/** Every event is written in its latest version; `account` is the one that its lists are indexed under. */
export function event(type: string, version: number, account: AccountNumber, payload: object): StoredEvent {
  return { type, version, account, text: JSON.stringify(payload), payload }
}
