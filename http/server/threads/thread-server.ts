// The server of one HTTP thread: reads heads, checks the framing, relays requests and bodies to the engine's thread, writes the
// answers that come back. It holds nothing of callers, and never answers inside the native parser.
import { errorBody } from '../../../engine/contract/errors.ts'
import {
  closeListening,
  type HttpRequest,
  type HttpResponse,
  listenOn,
  type NativeMethod,
  newApp,
  type us_listen_socket,
} from '../native.ts'
import { withRequestId } from '../refusal.ts'
import { jsonHead, retryLine } from '../reply.ts'
import { isRequestId, isSafelyFramed, type RequestHead, readHead, readWholeHead } from '../request-head.ts'
import { RequestIds } from '../request-id.ts'
import * as frames from './frames.ts'
import { Outbox, readFrames } from './outbox.ts'
import { RingReader } from './ring.ts'
import { Exchange, ThreadAnswers } from './thread-answers.ts'
import { ThreadCounters } from './thread-counters.ts'
import { BODIES_WAITING_BYTES_MAX, FRAMES_PER_TURN_MAX, FULL_RING_RETRY_MS, PART_BYTES } from './thread-limits.ts'

/** A native route. */
export interface ThreadRoute {
  readonly method: NativeMethod
  readonly pattern: string
  readonly endpoint: number
  readonly paramsCount: number
  readonly withoutBody: boolean
}

/** What a thread gets at its start. */
export interface ThreadStart {
  readonly number: number
  readonly host: string
  readonly port: number
  readonly routes: readonly ThreadRoute[]
  readonly connectionsMax: number
  /** True in a cluster: headers are relayed as they were sent. */
  readonly relaysHeaders: boolean
  /** Ring to the engine's thread, and ring from it. */
  readonly requests: SharedArrayBuffer
  readonly answers: SharedArrayBuffer
  readonly counters: SharedArrayBuffer
}

const UNAVAILABLE = 503
const NO_SLOT = { slot: 0, generation: 0 }

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
    this.#answers = new ThreadAnswers({
      release: (exchange) => this.#release(exchange),
      notify: (kind, exchange) => this.#notify(kind, exchange),
    })
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
    const count = readFrames(this.#inbox, FRAMES_PER_TURN_MAX, this.#take)
    if (!this.#outbox.flush()) setTimeout(this.#turn, FULL_RING_RETRY_MS)
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
    this.#note(frames.REFUSED_CONNECTION)
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
      this.#note(frames.REFUSED_FRAMING)
      response.close()
      return
    }
    if (!this.#relay(route, exchange, head, request)) return this.#refuse(exchange, head)
    if (head.transferEncodings > 0 || Number(head.contentLength) > 0)
      response.onData((chunk, isLast) => this.#relayBody(exchange, generation, chunk, isLast))
  }

  #relay({ endpoint, paramsCount }: ThreadRoute, exchange: Exchange, head: RequestHead, request: HttpRequest): boolean {
    const texts = frames.requestTexts({
      head,
      method: request.getMethod(),
      url: request.getUrl(),
      query: request.getQuery() ?? '',
      peer: Buffer.from((exchange.response as HttpResponse).getRemoteAddressAsText()).toString('latin1'),
      params: Array.from({ length: paramsCount }, (_, index) => request.getParameter(index) ?? ''),
    })
    const sizeBytes = frames.requestBytesMax(texts)
    const outbox = this.#outbox
    const at = sizeBytes > outbox.frameBytesMax ? -1 : outbox.tryOpen(sizeBytes)
    if (at < 0) return false
    outbox.close(frames.putRequest(outbox.bytes, at, exchange, endpoint, head, texts))
    return true
  }

  #relayBody(exchange: Exchange, generation: number, chunk: ArrayBuffer, isLast: boolean): void {
    if (exchange.generation !== generation || exchange.response === null) return
    const source = Buffer.from(chunk)
    for (let from = 0; from === 0 || from < source.byteLength; from += PART_BYTES) {
      const to = Math.min(source.byteLength, from + PART_BYTES)
      const at = this.#outbox.open(frames.HEADER_BYTES + to - from)
      const { bytes } = this.#outbox
      const flags = isLast && to === source.byteLength ? frames.LAST : 0
      source.copy(bytes, frames.putHeader(bytes, at, frames.BODY, exchange, flags), from, to)
      this.#outbox.close(at + frames.HEADER_BYTES + to - from)
    }
    if (!this.#outbox.isBehind) return
    this.#planTurn()
    if (this.#outbox.waitingBytes > BODIES_WAITING_BYTES_MAX) exchange.response.close()
    else if (!isLast && !this.#paused.has(exchange)) {
      this.#paused.add(exchange)
      exchange.response.pause()
    }
  }

  /** Answers 503 without the engine, outside the parser. The connection closes, so bytes behind the request are not read. */
  #refuse(exchange: Exchange, head: RequestHead): void {
    this.#counters.addRefusedWhenFull(this.#start.number)
    const { generation } = exchange
    const requestId = isRequestId(head.requestId) ? head.requestId : this.#requestIds.next()
    setImmediate(() => {
      const { response } = exchange
      if (exchange.generation !== generation || response === null) return
      this.#release(exchange)
      const body = withRequestId(UNAVAILABLE, errorBody('unavailable'), requestId)
      response.cork(() => {
        response.writeStatus(jsonHead(UNAVAILABLE, requestId) + retryLine(UNAVAILABLE))
        response.end(body, true)
      })
    })
  }

  #onAborted(exchange: Exchange, generation: number): void {
    if (exchange.generation !== generation || exchange.response === null) return
    this.#notify(frames.ABORTED, exchange)
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
    exchange.parts = null
    exchange.isStream = false
    exchange.isBehind = false
    exchange.generation = (exchange.generation + 1) >>> 0
    this.#free.push(exchange)
  }

  #note(kind: number): void {
    this.#notify(kind, NO_SLOT)
  }

  #notify(kind: number, slot: frames.Slot): void {
    const at = this.#outbox.open(frames.HEADER_BYTES)
    this.#outbox.close(frames.putHeader(this.#outbox.bytes, at, kind, slot))
    if (this.#outbox.isBehind) this.#planTurn()
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    setTimeout(this.#turn, FULL_RING_RETRY_MS)
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
