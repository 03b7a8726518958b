// A request as handlers read it: its headers, where it came from, and what the guards have found out. It must never answer.

import type { Endpoint, Front } from './front.ts'
import { isFromPrivateNetwork, isLoopback, remoteAddress } from './remote-address.ts'
import type { ResponseSocket } from './reply.ts'
import { isRequestId, type RequestHead } from './request-head.ts'
import type { BrowserWords, Principal } from './route.ts'

const NO_PARAMS: readonly string[] = []
export const NO_QUERY: Record<string, unknown> = {}
const NOBODY: Principal = { kind: 'public' }

export class IncomingRequest {
  readonly socket: ResponseSocket
  readonly endpoint: Endpoint
  readonly requestId: string
  readonly startedMs = performance.now()
  principal: Principal = NOBODY
  params = NO_PARAMS
  queryText = ''
  query = NO_QUERY
  body: unknown = undefined
  protected readonly front: Front
  protected requestHead: RequestHead

  constructor(front: Front, endpoint: Endpoint, socket: ResponseSocket, head: RequestHead) {
    this.front = front
    this.endpoint = endpoint
    this.socket = socket
    this.requestHead = head
    this.requestId = isRequestId(head.requestId) ? head.requestId : front.requestIds.next()
  }

  get accept(): string {
    return this.requestHead.accept
  }

  get acceptEncoding(): string {
    return this.requestHead.acceptEncoding
  }

  get ifNoneMatch(): string {
    return this.requestHead.ifNoneMatch
  }

  get lastEventId(): string {
    return this.requestHead.lastEventId
  }

  get withoutBody(): boolean {
    return this.endpoint.withoutBody
  }

  get browser(): BrowserWords {
    return this.requestHead
  }

  get remoteAddress(): string {
    return remoteAddress(this.#peer, this.requestHead.forwardedFor, this.front.proxyHops)
  }

  get isLocal(): boolean {
    return this.requestHead.forwardedFor === '' && !this.requestHead.proxied && isLoopback(this.#peer)
  }

  get isPrivate(): boolean {
    return isFromPrivateNetwork(this.#peer, this.requestHead, this.front.proxyHops)
  }

  get authorization(): string {
    return this.requestHead.authorization
  }

  get #peer(): string {
    return Buffer.from(this.socket.getRemoteAddressAsText()).toString('latin1')
  }
}
