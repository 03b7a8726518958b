// The HTTP server. Registers routes, lets connections in and out, begins one request for each head. With HTTP
// threads it has no socket: the threads relay requests. It must never read a body or know what a route does.
//
// Behaviour of this build of uWebSockets.js (shown by test/http):
// - Bytes that arrive behind a request before its answer has left close the connection, and are not answered: no request is
//   answered inside the parser (see steps/leave-parser.ts). A client that repeats its request with the same Idempotency-Key gets the
//   result. A client that half-closes is closed too.
// - A header line with an empty name hides every line behind it from its own parser too: a Content-Length as well. A
//   connection that clients may share through an unknown proxy is closed with each answer to a request without a visible length.
// - It drops spaces, tabs and, where `char` is signed (x64), bytes from 0x80 on at both ends of a header's value. No accessor
//   shows them, nor how long the value was; all published builds drop them.
// - Connections idle for 8 to 12 s, heads that take longer and bodies slower than 16 KB/s are closed by it; these times are
//   compiled in. It has no timeout while a response is open.
// - It answers some requests itself, in HTML and without an ErrorBody, and closes: 505 for HTTP/1.0, `OPTIONS *`, CONNECT and the
//   absolute form; 431 for heads over 16 KiB (see native-maxima.ts) or 97 headers.
// - A request line that is cut in two behind its path gets 505. A head without Host is never complete to it: closed as one without an end.

import type { Quotas } from '../../engine/kernel/quota.ts'
import { preparationOf } from './body/prepared-body.ts'
import type { ClusterRole } from './cluster-role.ts'
import { CrossOrigins } from './cors.ts'
import { sentTarget } from './forwarding.ts'
import { readHead, readWholeHead, sealedHead } from './head-reader.ts'
import {
  answerExpectation,
  closeListening,
  type HttpResponse,
  listenOn,
  type HttpRequest as NativeRequest,
  newApp,
  portOf,
  type TemplatedApp,
  type us_listen_socket,
} from './native.ts'
import { compileRoutes, type NativePattern } from './native-routes.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { ResponseSocket } from './reply.ts'
import { HttpRequest, type Origin } from './request.ts'
import { isSafelyFramed, type RequestHead } from './request-head.ts'
import type { RequestSource } from './request-source.ts'
import type { Route } from './route.ts'
import { readsAddress } from './route-guards.ts'
import { type Core, type Endpoint, ServerContext, type ServerContextLimits, type UnavailablePage, type Watch } from './server-context.ts'
import { BODY_DEADLINE_MS, CONNECTIONS_MAX, LINGER_MS } from './server-limits.ts'
import { LATE, turnAway } from './steps/late.ts'
import { begin, HTTP_WAY } from './steps/pipeline.ts'
import { HttpThreads } from './threads/http-threads.ts'
import { THREAD_HEAP_BYTES } from './threads/thread-limits.ts'

export interface ServerLimits extends ServerContextLimits {
  readonly connectionsMax: number
}

export const SERVER_LIMITS: ServerLimits = {
  bodyDeadlineMs: BODY_DEADLINE_MS,
  connectionsMax: CONNECTIONS_MAX,
}

export interface ServerParts {
  readonly routes: readonly Route[]
  /** Paths that answer from start to stop and do not wait for the disk. */
  readonly alwaysOpen: ReadonlySet<string>
  readonly rateLimiter: RateLimiter
  readonly watch: Watch
  readonly limits?: ServerLimits
  /** REQUEST_BODIES and ADDRESS_BODIES are declared. */
  readonly quotas: Quotas
  readonly unavailablePage?: UnavailablePage
  /** Answers a path that no route has; 404 `not_found` when absent. */
  readonly answerUnknownPath?: Route['handle']
  /** Number of trusted proxies in front of the server; 0 when absent. */
  readonly proxyHops?: number
  /** Origins whose scripts may call routes of wallets and of the checkout; none when absent. */
  readonly corsOrigins?: readonly string[]
  /** Null when absent: this thread has the sockets. */
  readonly threads?: ThreadSetting | null
}

export interface ThreadSetting {
  readonly count: number
  /** Heap at which a thread ends and is replaced; THREAD_HEAP_BYTES when absent. */
  readonly heapBytesMax?: number
  /** A thread failed and is replaced. */
  readonly onLost: (reason: string) => void
  /** Threads end before they listen: the process must stop. */
  readonly onFatal: (error: Error) => void
}

const FROM_CALLER: Origin = { sender: null, isForged: false }

/** The address is in use, or does not belong to this machine. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

export class HttpServer {
  readonly endpoints: readonly Endpoint[]
  readonly #context: ServerContext<HttpRequest>
  readonly #app: TemplatedApp
  readonly #connectionsMax: number
  readonly #setting: ThreadSetting | null
  readonly #patterns: readonly NativePattern[]
  #threads: HttpThreads | null = null
  #listening: us_listen_socket | null = null
  #connections = 0
  #onDisconnected: (() => void) | null = null

  constructor(parts: ServerParts) {
    const { routes, alwaysOpen, rateLimiter, watch, limits = SERVER_LIMITS, quotas, proxyHops = 0, threads = null } = parts
    this.#context = new ServerContext(rateLimiter, watch, limits, LATE, quotas, proxyHops)
    this.#context.unavailablePage = parts.unavailablePage ?? null
    this.#context.crossOrigins = new CrossOrigins(parts.corsOrigins ?? [])
    this.#connectionsMax = limits.connectionsMax
    this.#setting = threads
    this.#app = newApp()
    this.#app.filter((socket, change) => this.#onConnection(socket, change))
    const { endpoints, patterns } = compileRoutes(routes, alwaysOpen, parts.answerUnknownPath)
    this.endpoints = endpoints
    this.#patterns = patterns
    for (const { method, pattern, endpoint } of threads === null ? patterns : [])
      this.#app[method](pattern, (socket, request) => this.#accept(endpoint, socket, request))
  }

  get inFlight(): number {
    return this.#context.inFlight
  }

  get connections(): number {
    return this.#threads?.connections ?? this.#connections
  }

  /** HTTP threads that failed and were replaced, and requests that threads answered with 503. */
  get threadFigures(): { readonly replaced: number; readonly refusedWhenFull: number } {
    return { replaced: this.#threads?.replaced ?? 0, refusedWhenFull: this.#threads?.refusedWhenFull ?? 0 }
  }

  /** Bytes of incomplete bodies. */
  get bodiesBytes(): number {
    return this.#context.bodies.usedBytes
  }

  /**
   * Listens on the address and returns the port. Requests get 503 until `open`. The port is exclusive: otherwise a
   * second process would get every other connection. Rejects with ListenError.
   */
  async listen(host: string, port: number): Promise<number> {
    const listening = await listenOn(this.#app, host, port, 'exclusive')
    if (listening === null) throw new ListenError(`Cannot listen on ${host} port ${port}.`)
    const ownPort = portOf(listening)
    if (this.#setting === null) this.#listening = listening
    else {
      // The threads share the port, so this shows first that no other process has it.
      closeListening(listening)
      await this.#openThreads(this.#setting, host, ownPort)
    }
    return ownPort
  }

  async #openThreads(
    { count, heapBytesMax = THREAD_HEAP_BYTES, onLost, onFatal }: ThreadSetting,
    host: string,
    port: number,
  ): Promise<void> {
    const context = this.#context
    const relaysHeaders = context.cluster !== null
    const routes = this.#patterns.map(({ method, pattern, endpoint }) => {
      const { paramsCount, withoutBody, route } = endpoint
      const needs = { preparation: preparationOf(route), readsAddress: relaysHeaders || readsAddress(route) }
      return { method, pattern, endpoint: this.endpoints.indexOf(endpoint), paramsCount, withoutBody, ...needs }
    })
    const threads = new HttpThreads({
      count,
      start: { host, port, routes, connectionsMax: this.#connectionsMax, heapBytesMax, relaysHeaders },
      paramsCountOf: (number) => this.#endpoint(number).paramsCount,
      onRequest: (number, socket, request) => this.#begin(this.#endpoint(number), socket, request.head, request),
      onRefusedFraming: () => context.watch.refusedFraming(),
      onRefusedConnection: () => context.watch.refusedConnection(),
      onLost,
      onFatal,
    })
    this.#threads = threads
    if (await threads.listening()) return
    await threads.close()
    throw new ListenError(`Cannot listen on ${host} port ${port} in every thread.`)
  }

  #endpoint(number: number): Endpoint {
    return this.endpoints[number] as Endpoint
  }

  /** Makes a thread fail. For tests. */
  failThread(number: number): void {
    this.#threads?.fail(number)
  }

  /** Whether requests reach their handlers. */
  get isOpen(): boolean {
    return this.#context.core !== null
  }

  /** Lets a node of a cluster forward requests that it cannot answer. Called before `listen`. */
  join(cluster: ClusterRole): void {
    this.#context.cluster = cluster
  }

  /** Lets requests reach their handlers. Called once, after recovery. */
  open(core: Core): void {
    this.#context.core = core
  }

  /**
   * Takes no further connections, and closes each connection with its next response. After `maxMs` the idle ones are closed, at a
   * moment without a running request, so that none is refused.
   */
  async retire(maxMs: number): Promise<void> {
    const context = this.#context
    context.retiring = true
    this.#stopListening()
    await atMost(maxMs, this.#whenDisconnected())
    await atMost(maxMs, context.whenIdle())
    if (context.inFlight === 0) await this.close()
  }

  /**
   * Rejects new requests and incomplete bodies, and waits at most `maxMs` for the other responses to leave. Then it
   * closes every connection.
   */
  async drain(maxMs: number): Promise<void> {
    const context = this.#context
    context.draining = true
    this.#stopListening()
    for (const request of context.bodyDeadlines.all()) turnAway(request)
    await atMost(maxMs, context.whenIdle())
    await atMost(LINGER_MS, this.#whenDisconnected())
    await this.close()
  }

  /** Closes every connection at once. Resolves when the HTTP threads have ended. */
  async close(): Promise<void> {
    this.#stopListening()
    this.#app.close()
    await this.#threads?.close()
  }

  #stopListening(): void {
    if (this.#listening !== null) closeListening(this.#listening)
    this.#listening = null
    this.#threads?.stopListening()
  }

  #accept(endpoint: Endpoint, socket: HttpResponse, request: NativeRequest): void {
    const head = this.#context.cluster === null ? readHead(request) : readWholeHead(request)
    // A chunked request must close its connection, and a response to HEAD cannot.
    if (!isSafelyFramed(head) || (endpoint.withoutBody && head.transferEncodings > 0)) {
      this.#context.watch.refusedFraming()
      socket.close()
      return
    }
    answerExpectation(socket, head.expectation)
    this.#begin(endpoint, socket, head, request)
  }

  /** A request that another node sealed has the headers that it was forwarded with. */
  #begin(endpoint: Endpoint, socket: ResponseSocket, head: RequestHead, source: RequestSource): void {
    const context = this.#context
    const isSealed = head.node !== '' && context.cluster !== null
    const sender = isSealed ? (context.cluster?.senderOf(head.node, source.getMethod().toUpperCase(), sentTarget(source)) ?? null) : null
    const headers = sender === null ? head : sealedHead(sender.headers, head)
    const origin = isSealed ? { sender, isForged: sender === null } : FROM_CALLER
    begin(new HttpRequest(context, endpoint, socket, headers, source, origin, HTTP_WAY))
  }

  /** Closes a connection beyond the maximum: there is no request yet that could be answered. */
  #onConnection(socket: HttpResponse, change: number): void {
    this.#connections += change
    if (change > 0 && this.#connections > this.#connectionsMax) {
      this.#context.watch.refusedConnection()
      socket.close()
    }
    if (this.#connections === 0 && this.#onDisconnected !== null) this.#onDisconnected()
  }

  #whenDisconnected(): Promise<void> {
    if (this.#threads !== null) return this.#threads.whenDisconnected()
    if (this.#connections === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onDisconnected = resolve
    })
  }
}

function atMost(timeMs: number, done: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeMs)
    void done.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
