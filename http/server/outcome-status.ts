// Maps kinds of outcomes to HTTP statuses.
import { ERRORS, type ErrorCode } from '../../engine/contract/errors.ts'
import type { OutcomeKind } from '../../engine/contract/outcome-kind.ts'

const STATUS: Readonly<Record<OutcomeKind, number>> = {
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
}

export function statusOf(kind: OutcomeKind): number {
  return STATUS[kind]
}

/** Returns the HTTP status of an error code. */
export function errorStatus(code: ErrorCode): number {
  return STATUS[ERRORS[code].kind]
}
