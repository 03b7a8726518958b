// Step: refuses a body by its declared length, before it is read.
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { SEAL_BYTES } from '../../crypto/node-seal.ts'
import { bodyBytesMaxOf, isOpenRule } from '../body/body-limits.ts'
import { Fault } from '../body/validation.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'
import type { Principal } from '../route.ts'
import { PUBLIC_BODY_BYTES_MAX } from '../server-limits.ts'

export function size(request: HttpRequest): StepResult {
  return Number(request.headers.contentLength) > bodyBytesMax(request) ? new Fault(bodyTooLarge(request)) : NEXT
}

export function bodyTooLarge({ endpoint }: HttpRequest): ErrorCode {
  return endpoint.route.bodyTooLarge ?? 'payload_too_large'
}

/**
 * Returns the maximum size of the body. A public route takes a large body from callers with a session alone. Pages check the session
 * when the body is complete. The owner checks the session of a forwarded request, which may be newer than this node's state.
 */
export function bodyBytesMax(request: HttpRequest): number {
  const { route } = request.endpoint
  const maxBytes = bodyBytesMaxOf(route) + (request.origin.sender === null ? 0 : SEAL_BYTES)
  if (request.passing !== null) return maxBytes
  return maxBytes > PUBLIC_BODY_BYTES_MAX && isOpenRule(route.auth) && sessionOf(request) === null ? PUBLIC_BODY_BYTES_MAX : maxBytes
}

/** Returns the member whose session the request has; null without one. */
export function sessionOf({ server: { core }, headers, call }: HttpRequest): Principal | null {
  const caller = core?.authenticator.authenticate('session', headers, call) ?? ''
  return typeof caller === 'string' ? null : caller
}
