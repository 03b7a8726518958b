// Step: closes the connection with the answer where the head may hide the length of a body.
import { isThroughUnknownProxy } from '../remote-address.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'
import { mayHaveBody } from '../request-source.ts'

/**
 * A header line without a name may hide the length of a body, which would be taken for the next request. A body behind a GET harms
 * its sender alone, unless a proxy shares the connection between clients.
 */
export function frame(request: HttpRequest): StepResult {
  const { headers, source, server, isChunked } = request
  const isUnframed = !isChunked && headers.contentLengths === 0
  if (isUnframed && (mayHaveBody(source) || isThroughUnknownProxy(headers, server.proxyHops))) request.closesConnection = true
  return NEXT
}
