// Requests that waited too long, and those whose body is incomplete when the server stops.
import { advance, type HttpRequest, NO_PROOF } from '../request.ts'
import type { Late } from '../server-context.ts'
import { readElsewhere } from './forward.ts'
import { refuse } from './refuse.ts'

export const LATE: Late<HttpRequest> = { body: expire, answer: giveUp, read: readElsewhere }

/** Closes the connection because the body took too long. */
function expire({ isEnded, socket }: HttpRequest): void {
  if (!isEnded) socket.close()
}

/** What the request asked for may happen later: a retry with its key learns it. */
function giveUp(request: HttpRequest): void {
  if (request.isEnded) return
  // Of an answer that waits for its proof. A refusal shows no state and needs none.
  request.answer = null
  if (request.owned !== null) request.owned.mark = NO_PROOF
  refuse(request, 'unavailable')
}

/** Ends an incomplete body at a stop: sends the pending answer, or 503. */
export function turnAway(request: HttpRequest): void {
  if (request.answer === null) refuse(request, 'unavailable')
  else advance(request)
}
