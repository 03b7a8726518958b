// Step: refuses a large body unread while its account pauses.
import { Fault } from '../body/validation.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'
import { LARGE_BODY_BYTES, LARGE_BODY_PAUSE_MS } from '../server-limits.ts'
import { giveBack } from './rate-limit.ts'

export function pause(request: HttpRequest): StepResult {
  const { principal, endpoint, server, isChunked, headers, startedMs } = request
  const isLarge = isChunked || Number(headers.contentLength) > LARGE_BODY_BYTES
  if (!isLarge || !('account' in principal)) return NEXT
  const pauseMs = server.largeBodyPauses.left(principal.account, endpoint.route.operationId, startedMs)
  if (pauseMs === 0) return NEXT
  // Unread, it costs next to nothing: a client that asks too often must not keep its bucket from filling.
  giveBack(request, 1)
  request.retryAfterS = Math.ceil(pauseMs / 1000)
  return new Fault('rate_limited')
}

/** Begins a pause: the engine refused a request of the account on this route. */
export function pauseLargeBodies({ principal, endpoint, server }: HttpRequest): void {
  if ('account' in principal)
    server.largeBodyPauses.begin(principal.account, endpoint.route.operationId, performance.now(), LARGE_BODY_PAUSE_MS)
}
