// Kinds of outcomes as the log stores them: numbers of the released record format. They never change.
import type { OutcomeKind } from '../contract/outcome-kind.ts'
import { assert } from '../kernel/assert.ts'

/** Release 1.0.0 stored HTTP statuses; these numbers keep them. */
const NUMBERS = {
  ok: 200,
  created: 201,
  accepted: 202,
  done: 204,
  invalid: 400,
  unauthorized: 401,
  insufficient_funds: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  unprocessable: 422,
  locked: 423,
  rate_limited: 429,
  internal_error: 500,
  upstream_failed: 502,
  unavailable: 503,
  upstream_timeout: 504,
} as const satisfies Record<OutcomeKind, number>

const KINDS: ReadonlyMap<number, OutcomeKind> = new Map(
  Object.entries(NUMBERS).map(([kind, number]): [number, OutcomeKind] => [number, kind as OutcomeKind]),
)

export function storedKind(kind: OutcomeKind): number {
  return NUMBERS[kind]
}

export function kindOfStored(number: number): OutcomeKind {
  const kind = KINDS.get(number)
  assert(kind !== undefined, `the stored outcome ${number} is known to this release`)
  return kind
}
