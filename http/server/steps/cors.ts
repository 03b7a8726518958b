// Step: the header lines of cross-origin requests, which every answer has.
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'

export function cors(request: HttpRequest): StepResult {
  const { endpoint, server, headers } = request
  if (endpoint.isCrossOrigin) request.lines = server.crossOrigins.lines(headers.origin)
  return NEXT
}
