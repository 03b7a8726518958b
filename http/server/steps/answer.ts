// Begins the answer of a request: its own steps run from here on.
import { assert } from '../../../engine/kernel/assert.ts'
import { challengeLine, errorInLanguage, isErrorBody, withRequestId } from '../refusal.ts'
import { newAnswer, type Payload } from '../reply.ts'
import { advance, type HttpRequest } from '../request.ts'
import { NO_SOURCE } from '../request-source.ts'

/** Statuses of rejections that a key stores, with the id and the language of its first request. */
const STORED_STATUSES: ReadonlySet<number> = new Set([402, 409])

/** Answers with head and body of this node; `first` stands between the head and the lines of the request. Without effect when the client has left. */
export function answer(request: HttpRequest, status: number, head: string, first: string, payload: Payload): void {
  if (request.isEnded) return
  const { endpoint, isReplay } = request
  const own = first + request.lines
  const lines = status === 401 ? own + challengeLine(endpoint.route.auth) : own
  const whole = isReplay && STORED_STATUSES.has(status) ? payload : withRequestId(status, payload, request.requestId)
  const { echoedKey } = request
  if (!isErrorBody(status, whole)) return startAnswer(request, status, head, lines, echoedKey, whole)
  const spoken = errorInLanguage(whole, request.language)
  startAnswer(request, status, head, lines + spoken.lines, echoedKey, spoken.body)
}

/** Answers with a head that is complete. */
export function startAnswer(request: HttpRequest, status: number, head: string, lines: string, echoedKey: string, payload: Payload): void {
  assert(request.answer === null, 'a request is answered once')
  const answer = newAnswer()
  answer.status = status
  answer.head = head
  answer.lines = lines
  answer.echoedKey = echoedKey
  answer.payload = payload
  answer.withoutBody = request.endpoint.withoutBody
  answer.closeConnection = request.closesConnection
  request.answer = answer
  request.source = NO_SOURCE
  request.steps = request.answerSteps
  request.at = 0
  advance(request)
}
