// The server of one HTTP thread: relays requests to the engine's thread. It holds nothing of callers, and never answers in the parser.

import { KEY_LENGTH_MAX, type Preparation, prepare, secretHashOf } from '../body/prepared-body.ts'
import { readHead, readWholeHead } from '../head-reader.ts'
import { retryLine } from '../header-line.ts'
import {
  answerExpectation,
  closeListening,
  type HttpRequest,
  type HttpResponse,
  listenOn,
  type NativeMethod,
  newApp,
  type us_listen_socket,
} from '../native.ts'
import { unavailableError } from '../refusal.ts'
import { jsonHead } from '../reply.ts'
import { isRequestId, isSafelyFramed, type RequestHead } from '../request-head.ts'
import { RequestIds } from '../request-id.ts'
import { RingReader } from './byte-ring.ts'
import * as frames from './frames.ts'
import { Outbox, readFrames } from './outbox.ts'
import { type FirstBytes, putRequest, type RelayedRequest, requestFrame } from './request-frame.ts'
import { Exchange, ThreadAnswers } from './thread-answers.ts'
import { ThreadCounters } from './thread-counters.ts'
import * as limits from './thread-limits.ts'

/** A native route. */
export interface ThreadRoute {
  readonly method: NativeMethod
  readonly pattern: string
  readonly endpoint: number
  readonly paramsCount: number
  readonly withoutBody: boolean
  /** False where the caller's address, which costs a system call, is not relayed. */
  readonly readsAddress: boolean
  /** Null where bodies are not JSON. */
  readonly preparation: Preparation | null
}

/** What a thread gets at its start. */
export interface ThreadStart {
  readonly number: number
  readonly host: string
  readonly port: number
  readonly routes: readonly ThreadRoute[]
  readonly connectionsMax: number
  /** Heap at which the thread ends and is replaced. */
  readonly heapBytesMax: number
  /** True in a cluster: headers are relayed as they were sent. */
  readonly relaysHeaders: boolean
  /** Ring to the engine's thread, ring from it, counters of all threads, and the memory of public files. */
  readonly requests: SharedArrayBuffer
  readonly answers: SharedArrayBuffer
  readonly counters: SharedArrayBuffer
  readonly files: SharedArrayBuffer
}

const UNAVAILABLE = 503
const NO_SLOT = { slot: 0, generation: 0 }
const NO_PARAMS: readonly string[] = []

export class ThreadServer {
  readonly #app = newApp()
  readonly #start: ThreadStart
  readonly #counters: ThreadCounters
  readonly #outbox: Outbox
  readonly #inbox: RingReader
  readonly #onClosed: () => void
  readonly #answers: ThreadAnswers
  readonly #exchanges: Exchange[] = []
  readonly #free: Exchange[] = []
  readonly #paused = new Set<Exchange>()
  /** Requests of this event-loop turn that may have a body. */
  readonly #holding: { readonly route: ThreadRoute; readonly exchange: Exchange; readonly generation: number }[] = []
  readonly #requestIds = new RequestIds()
  #listening: us_listen_socket | null = null
  #isTurnPlanned = false

  /** `wakeEngine` is called when the engine's thread sleeps. `onClosed` is called once, when all sockets are closed. */
  constructor(start: ThreadStart, wakeEngine: () => void, onClosed: () => void) {
    this.#start = start
    this.#counters = new ThreadCounters(start.counters)
    this.#outbox = new Outbox(start.requests, wakeEngine)
    this.#inbox = new RingReader(start.answers)
    this.#onClosed = onClosed
    const release = (exchange: Exchange): void => this.#release(exchange)
    this.#answers = new ThreadAnswers({ release, notify: (kind, exchange) => this.#notify(kind, exchange) }, start.files)
    this.#app.filter((response, change) => this.#onConnection(response, change))
    for (const route of start.routes) this.#app[route.method](route.pattern, (response, request) => this.#accept(route, response, request))
  }

  /** Resolves with false when the address is in use. */
  async listen(): Promise<boolean> {
    const { host, port } = this.#start
    this.#listening = await listenOn(this.#app, host, port, 'shared')
    return this.#listening !== null
  }

  /** Called when the engine's thread has sent frames. */
  wake(): void {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    this.#turn()
  }

  /** Closes every socket. Without it the end of the thread would end the process: native handles would stay open. */
  close(): void {
    this.#stopListening()
    for (const exchange of this.#exchanges) this.#release(exchange)
    this.#app.close()
    this.#counters.close(this.#start.number)
    this.#onClosed()
  }

  readonly #turn = (): void => {
    const count = readFrames(this.#inbox, limits.FRAMES_PER_TURN_MAX, this.#take)
    if (!this.#outbox.flush()) setTimeout(this.#turn, limits.FULL_RING_RETRY_MS)
    else {
      if (this.#paused.size > 0) this.#resume()
      if (count > 0 || !this.#inbox.sleep()) setImmediate(this.#turn)
      else this.#isTurnPlanned = false
    }
  }

  #stopListening(): void {
    if (this.#listening !== null) closeListening(this.#listening)
    this.#listening = null
  }

  #onConnection(response: HttpResponse, change: number): void {
    this.#counters.addConnections(this.#start.number, change)
    if (change < 0 || this.#counters.connections <= this.#start.connectionsMax) return
    this.#notify(frames.REFUSED_CONNECTION, NO_SLOT)
    response.close()
  }

  #accept(route: ThreadRoute, response: HttpResponse, request: HttpRequest): void {
    const exchange = this.#free.pop() ?? this.#newExchange()
    const { generation } = exchange
    // First of all: the native layer ends the process when a handler returns without it.
    response.onAborted(() => this.#onAborted(exchange, generation))
    exchange.response = response
    const head = this.#start.relaysHeaders ? readWholeHead(request) : readHead(request)
    // A chunked request must close its connection, and a response to HEAD cannot.
    if (!isSafelyFramed(head) || (route.withoutBody && head.transferEncodings > 0)) {
      this.#release(exchange)
      this.#notify(frames.REFUSED_FRAMING, NO_SLOT)
      response.close()
      return
    }
    answerExpectation(response, head.expectation)
    exchange.held = readRequest(route, response, request, head)
    if (head.transferEncodings === 0 && !(Number(head.contentLength) > 0)) return this.#relay(route, exchange, null)
    // Bytes that came with the head are here before this event-loop turn ends, and leave in one frame with it.
    this.#holding.push({ route, exchange, generation })
    if (this.#holding.length === 1) setImmediate(this.#relayHeld)
    response.onData((chunk, isLast) => this.#onData(route, exchange, generation, chunk, isLast))
  }

  #onData(route: ThreadRoute, exchange: Exchange, generation: number, chunk: ArrayBuffer, isLast: boolean): void {
    if (exchange.generation !== generation || exchange.response === null || exchange.isRefused) return
    const source = Buffer.from(chunk)
    if (exchange.held === null) return this.#relayBody(exchange, source, isLast)
    const bytes = source.subarray(0, limits.PART_BYTES)
    const isWhole = isLast && bytes.byteLength === source.byteLength
    const { head } = exchange.held
    const isPlain = isWhole && route.preparation !== null && head.transferEncodings === 0 && bytes.byteLength > 0
    const fingerprint = isPlain ? prepare(route.preparation, { ...exchange.held, idempotencyKey: head.idempotencyKey }, bytes) : null
    this.#relay(route, exchange, { bytes, isLast: isWhole, fingerprint })
    if (!isWhole && !exchange.isRefused) this.#relayBody(exchange, source.subarray(limits.PART_BYTES), isLast)
  }

  /** Relays the heads whose bodies have not begun. */
  readonly #relayHeld = (): void => {
    for (const { route, exchange, generation } of this.#holding.splice(0))
      if (exchange.generation === generation && exchange.held !== null) this.#relay(route, exchange, null)
  }

  /** Relays the request that is held, or refuses it where too many wait. */
  #relay({ endpoint }: ThreadRoute, exchange: Exchange, body: FirstBytes | null): void {
    const request = exchange.held as RelayedRequest
    exchange.held = null
    const frame = requestFrame(request, body)
    const outbox = this.#outbox
    const at = frame.sizeMax > outbox.frameBytesMax ? -1 : outbox.tryOpen(frame.sizeMax, limits.REQUESTS_WAITING_BYTES_MAX)
    if (at < 0) return this.#refuse(exchange, request.head)
    outbox.close(putRequest(outbox.bytes, at, exchange, endpoint, frame))
    if (outbox.isBehind) this.#planTurn()
  }

  #relayBody(exchange: Exchange, source: Buffer, isLast: boolean): void {
    for (let from = 0; from === 0 || from < source.byteLength; from += limits.PART_BYTES) {
      const to = Math.min(source.byteLength, from + limits.PART_BYTES)
      const at = this.#outbox.open(frames.HEADER_BYTES + to - from)
      const { bytes } = this.#outbox
      const flags = isLast && to === source.byteLength ? frames.LAST : 0
      source.copy(bytes, frames.putHeader(bytes, at, frames.BODY, exchange, flags), from, to)
      this.#outbox.close(at + frames.HEADER_BYTES + to - from)
    }
    if (!this.#outbox.isBehind) return
    this.#planTurn()
    if (this.#outbox.waitingBytes > limits.BODIES_WAITING_BYTES_MAX) exchange.response?.close()
    else if (!isLast && !this.#paused.has(exchange)) {
      this.#paused.add(exchange)
      exchange.response?.pause()
    }
  }

  /** Answers 503 without the engine, outside the parser. The connection closes, so bytes behind the request are not read. */
  #refuse(exchange: Exchange, head: RequestHead): void {
    exchange.isRefused = true
    this.#counters.addRefusedWhenFull(this.#start.number)
    const { generation } = exchange
    const requestId = isRequestId(head.requestId) ? head.requestId : this.#requestIds.next()
    setImmediate(() => {
      const { response } = exchange
      if (exchange.generation !== generation || response === null) return
      this.#release(exchange)
      const { body, lines } = unavailableError(requestId, head.acceptLanguage)
      response.cork(() => {
        response.writeStatus(jsonHead(UNAVAILABLE) + requestId + retryLine(UNAVAILABLE) + lines)
        response.end(body, true)
      })
    })
  }

  #onAborted(exchange: Exchange, generation: number): void {
    if (exchange.generation !== generation || exchange.response === null) return
    // The engine's thread does not know a request that is held or refused.
    if (exchange.held === null && !exchange.isRefused) this.#notify(frames.ABORTED, exchange)
    this.#release(exchange)
  }

  #newExchange(): Exchange {
    const exchange = new Exchange(this.#exchanges.length)
    this.#exchanges.push(exchange)
    return exchange
  }

  /** Frees the slot. Late frames of its request have an older generation. */
  #release(exchange: Exchange): void {
    if (exchange.response === null) return
    this.#paused.delete(exchange)
    exchange.response = null
    exchange.held = null
    exchange.isRefused = false
    exchange.parts = null
    exchange.isStream = false
    exchange.isBehind = false
    exchange.generation = (exchange.generation + 1) >>> 0
    this.#free.push(exchange)
  }

  #notify(kind: number, slot: frames.Slot): void {
    const at = this.#outbox.open(frames.HEADER_BYTES)
    this.#outbox.close(frames.putHeader(this.#outbox.bytes, at, kind, slot))
    if (this.#outbox.isBehind) this.#planTurn()
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    setTimeout(this.#turn, limits.FULL_RING_RETRY_MS)
  }

  #resume(): void {
    const paused = [...this.#paused]
    this.#paused.clear()
    for (const { response } of paused) response?.resume()
  }

  readonly #take = (bytes: Buffer, at: number, end: number): void => {
    const kind = bytes[at]
    if (kind === frames.STOP_LISTENING) return this.#stopListening()
    if (kind === frames.CLOSE_ALL) return this.close()
    const exchange = this.#exchanges[frames.slotOf(bytes, at)]
    if (exchange === undefined || exchange.response === null || exchange.generation !== frames.generationOf(bytes, at)) return
    this.#answers.take(exchange, exchange.response, bytes, at, end)
  }
}

/** Native methods by the name of their registration. */
const METHODS: Readonly<Partial<Record<NativeMethod, string>>> = { get: 'get', post: 'post', put: 'put', del: 'delete', head: 'head' }

function readRequest(route: ThreadRoute, response: HttpResponse, request: HttpRequest, head: RequestHead): RelayedRequest {
  const { apiKey, apiSecret } = head
  if (apiKey !== '' && apiSecret !== '' && apiSecret.length <= KEY_LENGTH_MAX) head.apiSecretHash = secretHashOf(apiSecret)
  return {
    head,
    method: METHODS[route.method] ?? request.getMethod(),
    url: request.getUrl(),
    query: request.getQuery() ?? '',
    peer: route.readsAddress ? Buffer.from(response.getRemoteAddressAsText()).toString('latin1') : '',
    params:
      route.paramsCount === 0 ? NO_PARAMS : Array.from({ length: route.paramsCount }, (_, index) => request.getParameter(index) ?? ''),
  }
}
