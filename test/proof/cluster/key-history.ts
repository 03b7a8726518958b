// What clients saw of one idempotency key: the request is executed once, and each later answer is its replay, byte for byte.
import { checkHistory, type Model, type Operation } from './linearizability.ts'

/** One request with the key. Without an answer `body` is null and `endMs` infinite. */
export interface KeyAttempt extends Operation {
  readonly node: string
  readonly body: string | null
  /** The server said that it had answered this before. */
  readonly isReplay: boolean
}

/** The stored answer; `unseen` when it was stored for a request whose answer was lost. */
type StoredAnswer = { readonly kind: 'none' } | { readonly kind: 'unseen' } | { readonly kind: 'seen'; readonly body: string }

const MODEL: Model<KeyAttempt, StoredAnswer> = {
  initial: { kind: 'none' },
  step: (stored, { body, isReplay }) => {
    if (body === null) return stored.kind === 'none' ? { kind: 'unseen' } : stored
    // A first answer may be a replay: a node that passes a request on sends it again when the owner's answer was lost.
    if (!isReplay && stored.kind !== 'none') return null
    return stored.kind === 'seen' && stored.body !== body ? null : { kind: 'seen', body }
  },
  textOf: (stored) => (stored.kind === 'seen' ? `seen ${stored.body}` : stored.kind),
}

/** Returns what no order explains, in words; null for a linearizable history. */
export function keyContradiction(key: string, attempts: readonly KeyAttempt[]): string | null {
  // An unanswered request may be executed at any time after it was sent, or never: the first of them stands for all.
  const unanswered = attempts.filter(({ body }) => body === null).sort((one, other) => one.startMs - other.startMs)
  const verdict = checkHistory(MODEL, [...unanswered.slice(0, 1), ...attempts.filter(({ body }) => body !== null)])
  if (verdict.kind === 'linearizable') return null
  if (verdict.kind === 'undecided') return `undecided: the key ${key} has ${attempts.length} requests in too many orders`
  const { node, isReplay, body } = verdict.stuck
  return `the key ${key} was executed twice or answered differently: ${node} answered ${isReplay ? 'with a replay' : 'as the first'}: ${body}`
}
