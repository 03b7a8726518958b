// Answers of the service as values or errors. What is not certainly an answer of the API is never taken for a success.
import { ApiError, apiError, ConnectionError, RedirectError, type Rejection } from './errors.ts'
import { retryAfterMs } from './retry-plan.ts'

export interface AnswerHead {
  readonly status: number
  readonly requestId: string | null
  readonly idempotencyKey: string | null
  /** True when the answer is a replay of the key's first answer: nothing was done again. */
  readonly isReplay: boolean
  readonly headers: Headers
}

export function headOf({ status, headers }: Response, idempotencyKey: string | null): AnswerHead {
  const isReplay = headers.get('idempotent-replayed') === 'true'
  return { status, headers, idempotencyKey, isReplay, requestId: headers.get('x-request-id') }
}

/** Thrown for a successful answer that is not what was asked for, as a page of another server. */
export class ForeignAnswer extends Error {
  readonly wanted: string

  constructor(wanted: string) {
    super(`the answer is no ${wanted}`)
    this.wanted = wanted
  }
}

export function jsonOf(text: string): unknown {
  const value = objectOf(text)
  if (value === null) throw new ForeignAnswer('JSON')
  return value
}

/** Returns the answer, whose body the caller reads. */
export function ofType(response: Response, type: string): Response {
  if (response.headers.get('content-type')?.startsWith(type) !== true) throw new ForeignAnswer(type)
  return response
}

/** Returns the error of an answer that is no success. A redirect is never followed: it would lead the secret to another host. */
export async function rejectionOf(response: Response, idempotencyKey: string | null): Promise<ApiError> {
  const { status, headers, url, type } = response
  const body = objectOf(await response.text()) ?? {}
  const { code, message, param } = body
  const rejection: Rejection = {
    status,
    code: typeof code === 'string' ? code : `http_${status}`,
    message: typeof message === 'string' ? message : `the service answered with HTTP ${status}`,
    param: typeof param === 'string' ? param : null,
    requestId: headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
    idempotencyKey,
    body,
  }
  // Browsers hide status and address of a redirect.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) return redirectOf(rejection, url, headers.get('location'))
  return apiError(rejection)
}

function redirectOf(rejection: Rejection, from: string, location: string | null): RedirectError {
  const to = location === null ? null : absolute(location, from)
  const where = to === null ? '' : ` to ${to}`
  const message = `${from} redirects${where}; redirects are not followed: set baseUrl to the address of the service itself`
  return new RedirectError({ ...rejection, message }, to)
}

function absolute(location: string, from: string): string {
  try {
    return new URL(location, from).href
  } catch {
    // Shown as it came.
    return location
  }
}

/** 500, 502 and 504 may come before or after the work: the same key makes the next attempt safe. */
const STATUSES_TO_RETRY: readonly number[] = [429, 500, 502, 503, 504]

export function isWorthRetrying(error: ApiError | ConnectionError): boolean {
  return error instanceof ConnectionError || STATUSES_TO_RETRY.includes(error.status)
}

export function retryWish(error: ApiError | ConnectionError): number | null {
  return error instanceof ApiError ? error.retryAfterMs : null
}

/** Returns null for a text that is no JSON object, as a proxy may send. */
function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    // A page of a proxy, or a broken-off text.
    return null
  }
}
