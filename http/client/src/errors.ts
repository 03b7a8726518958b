// Errors of the client, as classes by the `code` of the API's ErrorBody.
import type { ErrorCode } from './types.ts'

/** Any error that the client throws, except a wrong argument and the caller's own abort. */
export class CauriError extends Error {
  override readonly name: string = 'CauriError'
}

/** No answer came: connection refused or lost, or out of time. The request may have been processed: repeat it with its key. */
export class ConnectionError extends CauriError {
  override readonly name = 'ConnectionError'
  readonly isTimeout: boolean
  /** Key that the request was sent with; null for a request without one. */
  readonly idempotencyKey: string | null

  constructor(
    message: string,
    { cause, isTimeout, idempotencyKey }: { cause: unknown; isTimeout: boolean; idempotencyKey: string | null },
  ) {
    super(message, { cause })
    this.isTimeout = isTimeout
    this.idempotencyKey = idempotencyKey
  }
}

/** What an answer says beside its message. */
export interface Rejection {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly requestId: string | null
  readonly retryAfterMs: number | null
  readonly idempotencyKey: string | null
  /** The whole body, parsed. */
  readonly body: Readonly<Record<string, unknown>>
}

/** The API rejected the request. */
export class ApiError extends CauriError {
  override readonly name: string = 'ApiError'
  /** Stable; see `x-errors` of the OpenAPI document. `http_502` and the like: the answer was no ErrorBody, as that of a proxy. */
  readonly code: ErrorCode
  readonly status: number
  /** Field at fault, as a dotted path, or null. */
  readonly param: string | null
  /** Id of the request in the logs of the service. */
  readonly requestId: string | null
  /** Wait that the service asks for, or null. */
  readonly retryAfterMs: number | null
  /** Key that the request was sent with; null for a request without one. */
  readonly idempotencyKey: string | null
  readonly body: Readonly<Record<string, unknown>>

  constructor(rejection: Rejection) {
    super(rejection.message)
    // Codes of later servers are beyond the type.
    this.code = rejection.code as ErrorCode
    this.status = rejection.status
    this.param = rejection.param
    this.requestId = rejection.requestId
    this.retryAfterMs = rejection.retryAfterMs
    this.idempotencyKey = rejection.idempotencyKey
    this.body = rejection.body
  }

  /** True for one of the codes. */
  is(...codes: readonly ErrorCode[]): boolean {
    return codes.includes(this.code)
  }
}

/** 400, 405, 413, 415, 422: the request itself is wrong. `param` names the field. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError'
}

/** `idempotency_key_reused`: the key was used for another request. */
export class IdempotencyKeyReusedError extends InvalidRequestError {
  override readonly name = 'IdempotencyKeyReusedError'
}

/** 401: the key pair is missing, wrong or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: the key pair may not do this. */
export class PermissionError extends ApiError {
  override readonly name: string = 'PermissionError'
}

/** `merchant_suspended`, `live_not_activated`: the account may not move money now. */
export class AccountNotActiveError extends PermissionError {
  override readonly name = 'AccountNotActiveError'
}

/** 404: there is no such record in this environment. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError'
}

/** `recipient_not_found`: no wallet has this tag or phone. */
export class RecipientNotFoundError extends NotFoundError {
  override readonly name = 'RecipientNotFoundError'
}

/** 409: the state of the record does not allow this. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError'
}

/** `insufficient_balance` (402) and `funds_paid_out` (409): there is not enough money. */
export class InsufficientBalanceError extends ApiError {
  override readonly name = 'InsufficientBalanceError'
}

/** `rate_limited`: still over the limit after the retries, or `retryAfterMs` is longer than the client waits. */
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError'
}

/** 5xx: a failure of the service. The same key may be sent again. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError'
}

/** `unavailable`: the service starts, stops or cannot write, still so after the retries. */
export class UnavailableError extends ServerError {
  override readonly name = 'UnavailableError'
}

type ErrorClass = new (rejection: Rejection) => ApiError

/** Codes with a class of their own. */
const CLASS_BY_CODE: Readonly<Partial<Record<ErrorCode, ErrorClass>>> = {
  idempotency_key_reused: IdempotencyKeyReusedError,
  merchant_suspended: AccountNotActiveError,
  live_not_activated: AccountNotActiveError,
  recipient_not_found: RecipientNotFoundError,
  insufficient_balance: InsufficientBalanceError,
  funds_paid_out: InsufficientBalanceError,
  rate_limited: RateLimitedError,
  unavailable: UnavailableError,
}

const CLASS_BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: InsufficientBalanceError,
  403: PermissionError,
  404: NotFoundError,
  405: InvalidRequestError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitedError,
  503: UnavailableError,
}

/** Returns the error of the class that its code, or else its status, asks for. */
export function apiError(rejection: Rejection): ApiError {
  const { code, status } = rejection
  const byCode = Object.hasOwn(CLASS_BY_CODE, code) ? CLASS_BY_CODE[code as ErrorCode] : undefined
  const Found = byCode ?? CLASS_BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Found(rejection)
}

/** Returns the same error with another message. `body` keeps the message of the service. */
export function withMessage(error: IdempotencyKeyReusedError, message: string): IdempotencyKeyReusedError {
  return new IdempotencyKeyReusedError({ ...error, message })
}

/** 3xx: the address is not that of the service. The redirect was not followed, and the keys were sent to no other address. */
export class RedirectError extends ApiError {
  override readonly name = 'RedirectError'
  /** Where the redirect leads, or null when it does not say. */
  readonly location: string | null

  constructor(rejection: Rejection, location: string | null) {
    super(rejection)
    this.location = location
  }
}

/** A webhook is not what the service sent, or not sent now. */
export class WebhookSignatureError extends CauriError {
  override readonly name = 'WebhookSignatureError'
  /**
   * `malformed`: not such a header. `expired`: signed too long ago, or in the future. `forged`: signed with another secret, or
   * modified. `unreadable`: signed, but its body is no event. `too_large`, `broken_off`: the body was not read to its end.
   */
  readonly reason: 'malformed' | 'expired' | 'forged' | 'unreadable' | 'too_large' | 'broken_off'

  constructor(reason: WebhookSignatureError['reason'], message: string) {
    super(message)
    this.reason = reason
  }

  /** HTTP status to answer with. */
  get status(): 400 | 401 | 413 {
    if (this.reason === 'too_large') return 413
    return this.reason === 'unreadable' || this.reason === 'broken_off' ? 400 : 401
  }
}
