// Decides before the first step which node answers a request: this one, or the owner of the log.
import { isForOwner, needsBarrier } from '../cluster-role.ts'
import { forwardedHead, type KeptHead, sentTarget } from '../forwarding.ts'
import type { HttpRequest } from '../request.ts'

/** Sets `owned` for a write that this owner answers, `passing` for a request that is forwarded. */
export function chooseNode(request: HttpRequest): void {
  const { server, endpoint, requestId, headers, source, origin } = request
  const { cluster } = server
  if (cluster === null) return
  // A node that still recovers, or that has handed the log over, answers nothing from its state. A stream is not forwarded.
  const hasNoState = server.core === null || cluster.isFormerOwner()
  if (!isForOwner(endpoint) && !(hasNoState && needsBarrier(endpoint) && endpoint.route.auth !== 'stream')) return
  const isFromNode = origin.sender !== null || origin.isForged
  const head: KeptHead | null = isFromNode
    ? null
    : { method: source.getMethod(), target: sentTarget(source), route: endpoint.route, head: headers, requestId }
  if (cluster.isOwner()) request.owned = { mark: cluster.mark(), head, body: null }
  else if (head !== null) request.passing = forwardedHead(head)
}

/** Returns whether another node forwarded the request and this one is not the owner. */
export function isMisdirected({ origin, server, endpoint }: HttpRequest): boolean {
  return origin.sender !== null && server.cluster?.isOwner() === false && isForOwner(endpoint)
}
