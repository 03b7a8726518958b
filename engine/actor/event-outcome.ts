// Outcomes whose body is an event of their record: its text is made when the answer leaves, not in the turn.
import type { ErrorCode } from '../contract/errors.ts'
import type { OutcomeKind } from '../contract/outcome-kind.ts'
import type { Accepted } from '../domain/decision.ts'
import { isWritten, type StoredEvent, textOf } from '../domain/record.ts'
import type { BodySource, IdempotencyKey, Outcome, WrittenOutcome } from './envelope.ts'

/** Returns the outcome whose body is an event that the log keeps shorter than it reads, or one that writes its text; null for any other. */
export function outcomeOfEvent(decision: Accepted<ErrorCode>, idempotency: IdempotencyKey | null): Outcome | null {
  const { body, events, kind, transactions, retryAfterS } = decision
  const event = typeof body === 'string' ? undefined : events[body]
  if (event === undefined || retryAfterS !== undefined) return null
  if (event.packed === undefined || event.packed === '') {
    // A sealed secret is stored in front of the text.
    if (!isWritten(event) || idempotency?.sealed !== undefined) return null
    return new EventOutcome(kind, event)
  }
  return new LongOutcome(kind, event, Math.max(1, events.length, transactions.length))
}

/**
 * A body of many lines: made as the answer leaves, because 500 lines take 0.5 ms and other answers of the commit go before. A class: V8
 * puts each accessor of an object literal into old space, where it held a batch's whole record until the next full collection.
 */
class LongOutcome implements Outcome {
  readonly kind: OutcomeKind
  readonly lines: number
  readonly replayed = false
  readonly #event: StoredEvent

  constructor(kind: OutcomeKind, event: StoredEvent, lines: number) {
    this.kind = kind
    this.#event = event
    this.lines = lines
  }

  get body(): string {
    return textOf(this.#event)
  }
}

class EventOutcome implements WrittenOutcome {
  readonly kind: OutcomeKind
  readonly source: BodySource
  readonly replayed = false

  constructor(kind: OutcomeKind, source: BodySource) {
    this.kind = kind
    this.source = source
  }

  get body(): string {
    return this.source.text
  }
}
