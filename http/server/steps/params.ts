// Step: the placeholders of the path.
import { Fault } from '../body/validation.ts'
import { type HttpRequest, NEXT, type Request, type StepResult } from '../request.ts'
import { NO_SOURCE, readParams } from '../request-source.ts'

export function params(request: HttpRequest): StepResult {
  const { endpoint, source } = request
  // No later step reads it. A relayed one holds the whole head.
  request.source = NO_SOURCE
  if (endpoint.paramsCount === 0) return NEXT
  request.path = source.getUrl()
  return takeParams(request, readParams(source, endpoint.paramsCount))
}

/** Checks the path parameters. `sent` is null when they could not be decoded. */
export function takeParams(request: Request, sent: readonly string[] | null): StepResult {
  if (sent === null || !request.endpoint.check.params(sent)) return new Fault('not_found')
  request.params = sent
  return NEXT
}
