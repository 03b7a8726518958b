// Kinds of outcomes of a command: success, or the reason of a rejection. HTTP maps each kind to a status; the log holds its name.

export const SUCCESS_KINDS = ['ok', 'created', 'accepted', 'done'] as const

/** Reasons of a rejection. Each code of the catalogue has one of these kinds. */
export const REJECTION_KINDS = [
  'invalid',
  'unauthorized',
  'insufficient_funds',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'too_large',
  'unsupported_type',
  'unprocessable',
  'locked',
  'rate_limited',
  'internal_error',
  'upstream_failed',
  'unavailable',
  'upstream_timeout',
] as const

export type SuccessKind = (typeof SUCCESS_KINDS)[number]

export type RejectionKind = (typeof REJECTION_KINDS)[number]

export type OutcomeKind = SuccessKind | RejectionKind

const SUCCESSES: ReadonlySet<OutcomeKind> = new Set(SUCCESS_KINDS)

export function isSuccess(kind: OutcomeKind): kind is SuccessKind {
  return SUCCESSES.has(kind)
}
