// An HTTP request as its handler reads it: headers, address, credentials. It must never answer.
import { assert } from '../../engine/kernel/assert.ts'
import { acceptedLanguage } from '../text/language.ts'
import type { Sender } from './cluster-role.ts'
import { isFromPrivateNetwork, isLoopback, remoteAddress } from './remote-address.ts'
import type { ResponseSocket } from './reply.ts'
import { isRequestId, type RequestHead } from './request-head.ts'
import { RequestPipeline } from './request-pipeline.ts'
import type { BrowserWords } from './route.ts'
import { readsAddress } from './route-guards.ts'
import type { Endpoint, ServerContext } from './server-context.ts'

/** Whether another node of the cluster forwarded the request. */
export interface Origin {
  readonly sender: Sender | null
  readonly isForged: boolean
}

const FROM_CALLER: Origin = { sender: null, isForged: false }

export abstract class IncomingRequest extends RequestPipeline {
  readonly socket: ResponseSocket
  protected readonly server: ServerContext
  protected requestHead: RequestHead
  /** Set when another node of the cluster forwarded the request. */
  protected readonly sender: Sender | null
  /** True when the header of another node does not seal this request. */
  protected readonly isForgedByNode: boolean

  constructor(server: ServerContext, endpoint: Endpoint, socket: ResponseSocket, head: RequestHead, origin: Origin = FROM_CALLER) {
    super(endpoint, isRequestId(head.requestId) ? head.requestId : server.requestIds.next())
    this.server = server
    this.socket = socket
    this.requestHead = head
    this.sender = origin.sender
    this.isForgedByNode = origin.isForged
    if (head.acceptLanguage !== '') this.language = acceptedLanguage(head.acceptLanguage)
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
    if (this.sender !== null) return this.sender.address
    return remoteAddress(this.#peer, this.requestHead.forwardedFor, this.server.proxyHops)
  }

  get isLocal(): boolean {
    if (this.sender !== null) return this.sender.isLocal
    return this.requestHead.forwardedFor === '' && !this.requestHead.proxied && isLoopback(this.#peer)
  }

  get isPrivate(): boolean {
    return this.sender === null && isFromPrivateNetwork(this.#peer, this.requestHead, this.server.proxyHops)
  }

  get isFromNode(): boolean {
    return this.sender !== null
  }

  get authorization(): string {
    return this.requestHead.authorization
  }

  protected get credentials(): RequestHead {
    return this.requestHead
  }

  protected get sentKey(): string {
    return this.requestHead.idempotencyKey
  }

  get #peer(): string {
    assert(this.server.cluster !== null || readsAddress(this.endpoint.route), 'a route with a key reads no address')
    return this.socket.peer ?? Buffer.from(this.socket.getRemoteAddressAsText()).toString('latin1')
  }
}
