// Answers with an error of the catalogue.
import { type ErrorCode, type ErrorExtras, errorValue } from '../../../engine/contract/errors.ts'
import { retryLine } from '../header-line.ts'
import { errorStatus } from '../outcome-status.ts'
import { headOf, jsonHead } from '../reply.ts'
import { type HttpRequest, targetOf } from '../request.ts'
import { RETRY_AFTER_S } from '../server-limits.ts'
import { unavailableAnswer } from '../unavailable-answer.ts'
import { answer } from './answer.ts'
import { forwardsInstead } from './forward.ts'

export function refuse(request: HttpRequest, code: ErrorCode, param?: string, extras?: ErrorExtras): void {
  if (code === 'unavailable' && (forwardsInstead(request) || answersOtherwise(request))) return
  const status = errorStatus(code)
  const first = request.requestId + retryLine(status, request.retryAfterS ?? RETRY_AFTER_S)
  answer(request, status, jsonHead(status), first, errorValue(code, param, extras))
}

function answersOtherwise(request: HttpRequest): boolean {
  const { server, endpoint, language, requestId } = request
  const found = unavailableAnswer(server, endpoint.route, targetOf(request), language)
  if (found === null) return false
  const { status, headers, body } = found
  answer(request, status, headOf(status, requestId, headers), retryLine(status, RETRY_AFTER_S), body)
  return true
}

/** Reports a bug, and answers 500 where nothing is answered yet. */
export function fail(request: HttpRequest, error: unknown): void {
  request.server.watch.failed(request, error)
  if (request.answer === null) refuse(request, 'internal_error')
}
