// Step: whether this node may answer the request, or forward it.
import { because } from '../../../engine/contract/reasons.ts'
import { Fault } from '../body/validation.ts'
import { BAD_SIGNATURE, NOT_OWNER } from '../cluster-role.ts'
import { headerLine } from '../header-line.ts'
import { type HttpRequest, NEXT, type StepResult } from '../request.ts'
import { isLeavingStream } from '../unavailable-answer.ts'
import { isMisdirected } from './cluster.ts'

export function node(request: HttpRequest): StepResult {
  const { server, endpoint, origin, passing } = request
  if (server.draining || isMisdirected(request) || isLeavingStream(server, endpoint.route)) return unavailableHere(request)
  if (origin.isForged) return forged(request)
  return passing === null && server.core === null ? unavailableHere(request) : NEXT
}

/** Nothing was done, so the node that forwarded the request may ask another one. */
export function unavailableHere(request: HttpRequest): Fault {
  if (request.origin.sender !== null) request.lines += headerLine(NOT_OWNER, '1')
  return new Fault('unavailable')
}

/** The node that signed it, if any, may ask again with another signature. */
function forged(request: HttpRequest): Fault {
  request.lines += headerLine(NOT_OWNER, BAD_SIGNATURE)
  return new Fault('invalid_request', 'Cauri-Node', because('node_signature'))
}
