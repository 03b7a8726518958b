// Answer step: waits until the native parser has returned.
import { type HttpRequest, NEXT, resume, type StepResult, WAITING } from '../request.ts'

/** A response inside the parser would let it read a smuggled request behind this one. */
export function leaveParser(request: HttpRequest): StepResult {
  if (request.parserTurn !== request.server.parserTurn) return NEXT
  setImmediate(resume<HttpRequest>, request, leaveParser)
  return WAITING
}

/** A relayed request is outside the parser of its thread when the answer arrives there. */
export function enterParser(request: HttpRequest): void {
  if (request.socket.isRelayed !== true) request.parserTurn = request.server.enterParser()
}
