// Step: forwards the request to the owner of the log, or keeps its body for a handover. It also asks followers for reads.
import { assert } from '../../../engine/kernel/assert.ts'
import type { NodeAnswer } from '../../outbound/node-calls.ts'
import { NOT_OWNER, passedOnHeaders } from '../cluster-role.ts'
import { type ForwardedHead, forwardedHead } from '../forwarding.ts'
import { headerLine } from '../header-line.ts'
import { rawHead } from '../reply.ts'
import { ANSWERED, type HttpRequest, leaveSteps, NEXT, type StepResult, targetOf } from '../request.ts'
import { isLocal, remoteAddress } from './address.ts'
import { startAnswer } from './answer.ts'

const NO_BYTES = Buffer.alloc(0)

export function forward(request: HttpRequest): StepResult {
  const { passing, owned } = request
  if (passing === null && owned === null) return NEXT
  // Copied because the native layer frees the memory.
  const body = Buffer.from(request.bytes as Buffer)
  if (passing !== null) {
    passOn(request, passing, body)
    return ANSWERED
  }
  if (owned !== null) owned.body = body
  return forwardsInstead(request) ? ANSWERED : NEXT
}

/**
 * Called instead of a refusal at a node that does not accept commands. Returns true when it hands the log over and forwards the
 * request. A request that another node forwarded goes back to it.
 */
export function forwardsInstead(request: HttpRequest): boolean {
  const { owned, server, origin } = request
  if (owned === null || server.cluster?.isOwner() !== false) return false
  const { head: kept, body } = owned
  const head = kept === null ? null : forwardedHead(kept)
  if (request.hasSubmitted && head?.isRepeatable !== true) return false
  if (origin.sender !== null) request.lines += headerLine(NOT_OWNER, '1')
  if (kept === null || head === null || body === null) return false
  // A submitted request has dropped its headers, which hold the caller's address.
  request.headers = kept.head
  passOn(request, head, body)
  return true
}

function passOn(request: HttpRequest, head: ForwardedHead, body: Buffer): void {
  const { cluster } = request.server
  assert(cluster !== null, 'a request is passed on in a cluster')
  request.owned = null
  leaveSteps(request)
  cluster
    .passOn({ ...head, body, address: remoteAddress(request), isLocal: isLocal(request) })
    .then((answer) => (answer === null ? refuseUnanswered(request) : takeForwarded(request, answer)))
    .catch((error: unknown) => request.call.fail(error))
}

/** There was no owner in time, or its answer was lost. */
function refuseUnanswered(request: HttpRequest): void {
  if (!request.isEnded && request.answer === null) request.call.refuse('unavailable')
}

function takeForwarded(request: HttpRequest, { status, headers, body }: NodeAnswer): void {
  if (!request.isEnded && request.answer === null) startAnswer(request, status, rawHead(status, passedOnHeaders(headers)), '', '', body)
}

/**
 * Asks a follower for the answer, whose state is durable. The answer that is there first counts: nothing that waits here was
 * acknowledged, so both are right.
 */
export function readElsewhere(request: HttpRequest): void {
  const { server, endpoint, requestId, headers } = request
  if (server.cluster === null || server.core === null) return
  const method = endpoint.withoutBody ? 'HEAD' : 'GET'
  const head = forwardedHead({ method, target: targetOf(request), route: endpoint.route, head: headers, requestId })
  server.cluster
    .readElsewhere({ ...head, body: NO_BYTES, address: remoteAddress(request), isLocal: isLocal(request) })
    .then((answer) => (answer === null ? undefined : takeForwarded(request, answer)))
    .catch((error: unknown) => request.call.fail(error))
}
