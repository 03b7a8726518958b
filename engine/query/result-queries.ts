// The query for the stored result of an idempotency key.
import type { Outcome } from '../actor/envelope.ts'
import { splitSealed } from '../domain/record.ts'
import type { Reads } from './reads.ts'

export interface KnownResultInput {
  readonly scope: string
  readonly key: string
  /** Fingerprint of the current request. Null: the result is returned for any request. */
  readonly fingerprint: string | null
}

/**
 * Returns the stored result of the key, or the rejection `idempotency_key_reused` when it belongs to another request;
 * null for a new key. It may not be durable yet: send what depends on it by `whenDurable`.
 */
export function knownResult(reads: Reads, { scope, key, fingerprint }: KnownResultInput): Outcome | null {
  if (fingerprint !== null) return reads.known({ scope, key, fingerprint })
  const stored = reads.history.result(scope, key)
  if (stored === null) return null
  const { sealed, body } = splitSealed(stored.body)
  const outcome: Outcome = { kind: stored.entry.kind, body, replayed: true }
  return sealed === null ? outcome : { ...outcome, sealed }
}
