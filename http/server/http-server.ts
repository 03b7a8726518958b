// The HTTP server: the only importer of uWebSockets.js. Registers routes, lets connections in and out, starts one
// request context for each request. It must never read a body or know what a route does.
//
// Behaviour of this build of uWebSockets.js (shown by test/http):
// - Bytes that arrive behind a request before its answer has left close the connection, and are not answered: no request is
//   answered inside the parser (see request-context.ts). A client that repeats its request with the same Idempotency-Key gets the
//   result. A client that half-closes is closed too.
// - A header line with an empty name hides every line behind it from its own parser too: a Content-Length as well. A
//   connection that clients may share through an unknown proxy is closed with each answer to a request without a visible length.
// - It drops spaces, tabs and, where `char` is signed (x64), bytes from 0x80 on at both ends of a header's value. No accessor
//   shows them, nor how long the value was; all published builds drop them.
// - Connections idle for 8 to 12 s, heads that take longer and bodies slower than 16 KB/s are closed by it; these times are
//   compiled in. It has no timeout while a response is open.
// - It answers some requests itself, in HTML and without an ErrorBody, and closes: 505 for HTTP/1.0, `OPTIONS *`, CONNECT and the
//   absolute form; 431 for heads over 16 KiB (see native-maxima.ts) or 97 headers.
// - A request line that is cut in two behind its path, by a client that writes it in pieces, gets 505. A head without
//   Host is never complete to it and closed like one that does not end.

import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js'
import { errorBody } from '../../engine/contract/errors.ts'
import type { ClusterRole } from './cluster-role.ts'
import { setNativeMaxima } from './native-maxima.ts'
import type { RateLimiter } from './rate-limit.ts'
import { RequestContext } from './request-context.ts'
import { isSafelyFramed, readHead, readWholeHead } from './request-head.ts'
import type { Method, Route } from './route.ts'
import { RouteMeter } from './route-meter.ts'
import { type Core, type Endpoint, ServerContext, type ServerContextLimits, type Watch } from './server-context.ts'
import { BODIES_BYTES_MAX, BODY_DEADLINE_MS, CONNECTIONS_MAX, LINGER_MS, STRANGERS_BODIES_BYTES_MAX } from './server-limits.ts'
import { RouteCheck } from './validation.ts'

export interface ServerLimits extends ServerContextLimits {
  readonly connectionsMax: number
}

export const SERVER_LIMITS: ServerLimits = {
  bodiesBytesMax: BODIES_BYTES_MAX,
  strangersBodiesBytesMax: STRANGERS_BODIES_BYTES_MAX,
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
  /** Number of trusted proxies in front of the server; 0 when absent. */
  readonly proxyHops?: number
}

/** The address is in use, or does not belong to this machine. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Functions of the binding that its types lack. */
interface Untyped {
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number
  /** `silent`: no `uWebSockets` header in answers. */
  _cfg(setting: string): void
}

type Listen = (host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void) => void
type NativeMethod = 'get' | 'post' | 'put' | 'del' | 'head' | 'any' | 'options'

// Loaded by `require`, because a static import would run before `setNativeMaxima` in the bundled file.
setNativeMaxima()
const native = await import('uWebSockets.js')
const { App, us_listen_socket_close, us_socket_local_port } = native
const { _cfg, LIBUS_LISTEN_EXCLUSIVE_PORT } = native as unknown as Untyped
const NATIVE_METHODS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'del' } as const satisfies Record<Method, NativeMethod>
const METHODS = Object.keys(NATIVE_METHODS) as readonly Method[]

export class HttpServer {
  readonly endpoints: Endpoint[] = []
  readonly #context: ServerContext
  readonly #app: TemplatedApp
  readonly #connectionsMax: number
  readonly #alwaysOpen: ReadonlySet<string>
  #listening: us_listen_socket | null = null
  #connections = 0
  #onDisconnected: (() => void) | null = null

  constructor(parts: ServerParts) {
    const { routes, alwaysOpen, rateLimiter, watch, limits = SERVER_LIMITS, proxyHops = 0 } = parts
    this.#context = new ServerContext(rateLimiter, watch, limits, proxyHops)
    this.#connectionsMax = limits.connectionsMax
    _cfg('silent')
    this.#app = App()
    this.#app.filter((socket, change) => this.#onConnection(socket, change))
    this.#alwaysOpen = alwaysOpen
    this.#register(routes)
    const unknown = nowhere('(unknown path)', (call) => call.refuse('not_found'))
    this.#add('any', '/*', unknown)
    this.#add('head', '/*', unknown)
  }

  get inFlight(): number {
    return this.#context.inFlight
  }

  get connections(): number {
    return this.#connections
  }

  /** Bytes of incomplete bodies. */
  get bodiesBytes(): number {
    return this.#context.bodies.usedBytes
  }

  /**
   * Listens on the address and returns the port. Requests get 503 until `open`. The port is exclusive: otherwise a
   * second process would get every other connection. Rejects with ListenError.
   */
  listen(host: string, port: number): Promise<number> {
    const listen = this.#app.listen.bind(this.#app) as unknown as Listen
    return new Promise((resolve, reject) => {
      listen(host, port, LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
        if (socket === false) return reject(new ListenError(`Cannot listen on ${host} port ${port}.`))
        this.#listening = socket
        resolve(us_socket_local_port(socket as never))
      })
    })
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
    if (context.inFlight === 0) this.close()
  }

  /**
   * Rejects new requests and incomplete bodies, and waits at most `maxMs` for the other responses to leave. Then it
   * closes every connection.
   */
  async drain(maxMs: number): Promise<void> {
    const context = this.#context
    context.draining = true
    this.#stopListening()
    for (const request of context.bodyDeadlines.all()) request.turnAway()
    await atMost(maxMs, context.whenIdle())
    await atMost(LINGER_MS, this.#whenDisconnected())
    this.close()
  }

  /** Closes every connection at once. */
  close(): void {
    this.#stopListening()
    this.#app.close()
  }

  #stopListening(): void {
    if (this.#listening !== null) us_listen_socket_close(this.#listening)
    this.#listening = null
  }

  #register(routes: readonly Route[]): void {
    const methodsByPath = new Map<string, Method[]>()
    for (const route of routes) {
      const pattern = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
      methodsByPath.set(pattern, [...(methodsByPath.get(pattern) ?? []), route.method])
      this.#add(NATIVE_METHODS[route.method], pattern, route)
      if (route.method === 'GET') this.#add('head', pattern, route)
    }
    for (const [pattern, methods] of methodsByPath) this.#registerOtherMethods(pattern, methods)
  }

  /**
   * HEAD is allowed where GET is. The other methods are registered by name, because the native router prefers a named
   * method of a pattern (`GET /payouts/{id}`) over any method of a fixed path (`/payouts/check-recipient`).
   */
  #registerOtherMethods(pattern: string, methods: readonly Method[]): void {
    const hasGet = methods.includes('GET')
    const allow = [...methods, ...(hasGet ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    const options = nowhere(`OPTIONS ${pattern}`, (call) => call.answerAs(204, '', [['Allow', allow]]))
    const wrong = nowhere(`(wrong method) ${pattern}`, (call) => call.answerAs(405, errorBody('method_not_allowed'), [['Allow', allow]]))
    this.#add('options', pattern, options)
    const endpoint = this.#add('any', pattern, wrong)
    for (const method of METHODS) if (!methods.includes(method)) this.#listen(NATIVE_METHODS[method], pattern, endpoint)
    if (!hasGet) this.#add('head', pattern, wrong)
  }

  #add(method: NativeMethod, pattern: string, route: Route): Endpoint {
    const endpoint: Endpoint = {
      route,
      label: route.operationId,
      check: new RouteCheck(route),
      paramsCount: route.path.split('{').length - 1,
      meter: new RouteMeter(),
      alwaysOpen: this.#alwaysOpen.has(route.path),
      withoutBody: method === 'head',
    }
    this.endpoints.push(endpoint)
    this.#listen(method, pattern, endpoint)
    return endpoint
  }

  #listen(method: NativeMethod, pattern: string, endpoint: Endpoint): void {
    this.#app[method](pattern, (socket, request) => this.#accept(endpoint, socket, request))
  }

  #accept(endpoint: Endpoint, socket: HttpResponse, request: HttpRequest): void {
    const head = this.#context.cluster === null ? readHead(request) : readWholeHead(request)
    // A chunked request must close its connection, and a response to HEAD cannot.
    if (!isSafelyFramed(head) || (endpoint.withoutBody && head.transferEncodings > 0)) {
      this.#context.watch.refusedFraming()
      socket.close()
      return
    }
    new RequestContext(this.#context, endpoint, socket, head).begin(request)
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
    if (this.#connections === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onDisconnected = resolve
    })
  }
}

/** Returns a row for unknown paths, wrong methods and OPTIONS. It has no path, so nothing about it is checked. */
function nowhere(label: string, handle: Route['handle']): Route {
  return {
    method: 'GET',
    path: '',
    operationId: label,
    tag: '',
    summary: '',
    auth: 'public',
    idempotency: 'none',
    responses: [],
    errors: [],
    handle,
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
