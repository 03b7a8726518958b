// The query for idempotency keys: the result that a key has already.
import type { Outcome } from '../actor/envelope.ts'
import { splitSealed } from '../domain/record.ts'
import type { Reads } from './reads.ts'

export interface KnownResultInput {
  readonly scope: string
  readonly key: string
  /** Of the request that asks. Null: the result is wanted whichever request it belongs to. */
  readonly fingerprint: string | null
}

/**
 * The result that the key has already, or the rejection `idempotency_key_reused` where it belongs to another request; null for
 * a new key. It may not be durable yet: what depends on it leaves by `whenDurable`.
 */
export function knownResult(reads: Reads, { scope, key, fingerprint }: KnownResultInput): Outcome | null {
  if (fingerprint !== null) return reads.known({ scope, key, fingerprint })
  const stored = reads.history.result(scope, key)
  if (stored === null) return null
  const { sealed, body } = splitSealed(stored.body)
  const outcome: Outcome = { kind: stored.entry.kind, body, replayed: true }
  return sealed === null ? outcome : { ...outcome, sealed }
}
