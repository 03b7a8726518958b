// Answers of a handler over HTTP: the outcome of its command, a text of its own, a stream.
import { isWrittenOutcome, type Outcome } from '../../../engine/api.ts'
import { isSuccess } from '../../../engine/contract/outcome-kind.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { fairWork } from '../fair-work.ts'
import { retryLine } from '../header-line.ts'
import { statusOf } from '../outcome-status.ts'
import { headOf, jsonHead, wholeHead } from '../reply.ts'
import { coreOf, type HttpRequest } from '../request.ts'
import type { Header, OpenStream, StreamListener } from '../route.ts'
import { StreamSocket } from '../stream-socket.ts'
import { answer } from './answer.ts'
import { end, finished } from './end.ts'
import { pauseLargeBodies } from './pause.ts'
import { giveBackSpent } from './rate-limit.ts'
import { refuse } from './refuse.ts'
import { workOwner } from './turn.ts'

const REPLAYED = '\r\nIdempotent-Replayed: true'

/** Receives the engine's outcome, once it is durable. A long one leaves behind the others of its commit, in the caller's turn. */
export function settle(request: HttpRequest, outcome: Outcome): void {
  if (outcome.lines === undefined) answerOutcome(request, outcome)
  else fairWork.add(workOwner(request), outcome.lines, () => answerOutcome(request, outcome))
}

function answerOutcome(request: HttpRequest, outcome: Outcome): void {
  if (request.isEnded) return
  if (outcome.replayed) giveBackSpent(request)
  const { sealedField } = request.endpoint.route
  const status = statusOf(outcome.kind)
  if (outcome.kind === 'rate_limited') pauseLargeBodies(request)
  const isSealed = sealedField !== undefined && isSuccess(outcome.kind)
  const sent = isWrittenOutcome(outcome) ? outcome.source : outcome.body
  const body = isSealed ? coreOf(request).seal.reveal(outcome.body, sealedField) : sent
  request.isReplay = outcome.replayed
  const first = request.requestId + retryLine(status, outcome.retryAfterS) + replayLine(request)
  answer(request, status, jsonHead(status), first, body)
}

/** As `Call.answer`. */
export function answerJson(request: HttpRequest, status: number, body: string): void {
  whenDurable(request, () => answer(request, status, jsonHead(status), request.requestId + replayLine(request), body))
}

/** As `Call.answerAs`. */
export function answerAs(request: HttpRequest, status: number, body: string | Uint8Array, headers: readonly Header[]): void {
  whenDurable(request, () => answer(request, status, headOf(status, request.requestId, headers), replayLine(request), body))
}

function replayLine({ isReplay }: HttpRequest): string {
  return isReplay ? REPLAYED : ''
}

/** Runs once everything that the request may have read is durable. */
function whenDurable(request: HttpRequest, run: () => void): void {
  const { alwaysOpen, route } = request.endpoint
  if (alwaysOpen || route.atEveryNode === true || route.showsCallerAlone === true) run()
  else coreOf(request).engine.whenDurable(run)
}

/** As `Call.stream`. */
export function stream(request: HttpRequest, headers: readonly Header[], first: string, listener: StreamListener): OpenStream | null {
  if (request.isEnded) return null
  const { requestId, origin, endpoint, socket, lines, echoedKey } = request
  const head = headOf(200, requestId, headers)
  // A stream is not forwarded. 204 ends the reconnections of an EventSource.
  if (origin.sender !== null) {
    // An export ends with 503: an empty one would look complete.
    if (headers.some(([, value]) => value.startsWith('text/event-stream'))) answer(request, 204, headOf(204, requestId, []), '', '')
    else refuse(request, 'unavailable')
    return null
  }
  if (endpoint.withoutBody) {
    answer(request, 200, head, '', '')
    return null
  }
  assert(request.answer === null, 'a request is answered once')
  end(request)
  finished(request, 200)
  return new StreamSocket(socket, listener, wholeHead({ head, lines, echoedKey }), first)
}
