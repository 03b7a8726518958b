// Where a request comes from. A request that another node forwarded has the address that this node saw.
import { assert } from '../../../engine/kernel/assert.ts'
import { remoteAddress as addressOf, isFromPrivateNetwork, isLoopback } from '../remote-address.ts'
import type { HttpRequest } from '../request.ts'
import { readsAddress } from '../route-guards.ts'

/** As `Call.remoteAddress`. */
export function remoteAddress(request: HttpRequest): string {
  const { origin, headers, server } = request
  return origin.sender === null ? addressOf(peerOf(request), headers.forwardedFor, server.proxyHops) : origin.sender.address
}

/** As `Call.isLocal`. */
export function isLocal(request: HttpRequest): boolean {
  const { origin, headers } = request
  if (origin.sender !== null) return origin.sender.isLocal
  return headers.forwardedFor === '' && !headers.proxied && isLoopback(peerOf(request))
}

/** As `Call.isPrivate`. */
export function isPrivate(request: HttpRequest): boolean {
  const { origin, headers, server } = request
  return origin.sender === null && isFromPrivateNetwork(peerOf(request), headers, server.proxyHops)
}

function peerOf({ server, endpoint, socket }: HttpRequest): string {
  assert(server.cluster !== null || readsAddress(endpoint.route), 'a route with a key reads no address')
  return socket.peer ?? Buffer.from(socket.getRemoteAddressAsText()).toString('latin1')
}

/** As `Call.isFromNode`. */
export function isFromNode({ origin }: HttpRequest): boolean {
  return origin.sender !== null
}
