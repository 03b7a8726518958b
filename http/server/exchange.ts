// One request and its answer: the guards in their order, the body, the handler, the engine, the answer. An exchange
// answers once or is aborted; it must never touch its socket after either.
import type { AccountNumber, Command, Outcome } from '../../engine/api.ts'
import { type ErrorCode, type ErrorExtras, errorBody } from '../../engine/contract/errors.ts'
import { isSuccess } from '../../engine/contract/outcome-kind.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { ENVIRONMENTS } from '../../engine/kernel/environment.ts'
import { bodyHashOf } from '../crypto/node-signature.ts'
import type { NodeRequest } from '../outbound/node-calls.ts'
import { BodyCollector } from './body.ts'
import { bodyBytesMaxOf, isOpenRule } from './body-limits.ts'
import { type ClusterRole, isForOwner, NOT_OWNER, passedOnHeaders } from './cluster-role.ts'
import { type Arriving, CLIENT_LEFT, type Core, type Endpoint, type Front } from './front.ts'
import { IncomingRequest } from './incoming-request.ts'
import { isKept, scopeOfToken } from './kept-result.ts'
import { errorStatus, statusOf } from './outcome-status.ts'
import { EXHAUSTED, UNLIMITED } from './rate-limit.ts'
import { challengeLine, withRequestId } from './refusal.ts'
import { isThroughUnknownProxy } from './remote-address.ts'
import { type Answer, headerLine, headOf, jsonHead, type ResponseSocket, rawHead, retryLine, sendAnswer } from './reply.ts'
import { RequestHead } from './request-head.ts'
import { NO_QUERY } from './request-pipeline.ts'
import { keptSource, mayHaveBody, type RequestSource, readParams } from './request-source.ts'
import type { AuthRule, FormerPrincipal, Header, OpenStream, Principal, StreamListener } from './route.ts'
import { isForged } from './route-guards.ts'
import {
  DISCARDED_BYTES_MAX,
  LARGE_BODY_BYTES,
  LARGE_BODY_PAUSE_MS,
  PUBLIC_BODY_BYTES_MAX,
  RETRY_AFTER_S,
  WRONG_OPERATOR_TOKENS_WAIT_S,
} from './server-limits.ts'
import { StreamSocket } from './stream-socket.ts'
import { Fault } from './validation.ts'

const NO_BYTES = Buffer.alloc(0)
const NO_HEAD = new RequestHead()
const FORMER: FormerPrincipal = { kind: 'former' }
/** Where a dashboard session may stand in the place of a key, and X-Environment chooses. */
const SESSION_RULES: ReadonlySet<AuthRule> = new Set(['session', 'key-or-session'])
const ENVIRONMENT_HEADER: ReadonlySet<string> = new Set(['', ...ENVIRONMENTS])
const REPLAYED = '\r\nIdempotent-Replayed: true'

export class Exchange extends IncomingRequest implements Arriving, Answer {
  /** The answer, once there is one. */
  status = 0
  head = ''
  payload: string | Uint8Array = ''
  closeConnection = false
  /** Header lines of every answer from the guards on: the rate, and the key as it was read. */
  #lines = ''
  /** False while it is not known yet who is calling; the body waits then. */
  #isAdmitted = true
  #heldBytes: Buffer | null = null
  /** As it was sent: part of the fingerprint. */
  #path: string
  /** Bytes of the body are still to come. */
  #receiving: boolean
  readonly #isChunked: boolean
  /** It says neither how long its body is nor that it has chunks. */
  readonly #isUnframed: boolean
  /** The turn in which the native parser had this request last: until it ends, bytes behind the request may be parsed next. */
  #parserTurn = -1
  #collector: BodyCollector | null = null
  #discardedBytes = 0
  #hasAnswer = false
  #ended = false
  /** Of a request that only the owner answers, at another node: as it is passed on, without its body. */
  #passing: Omit<NodeRequest, 'body'> | null = null

  constructor(front: Front, endpoint: Endpoint, socket: ResponseSocket, head: RequestHead) {
    super(front, endpoint, socket, head)
    this.#path = endpoint.route.path
    this.#isChunked = head.transferEncodings > 0
    this.#isUnframed = !this.#isChunked && head.contentLengths === 0
    this.#receiving = this.#isChunked || (head.contentLengths > 0 && Number(head.contentLength) > 0)
    front.enter()
  }

  /** Called once, inside the native handler: `source` is gone after it. */
  begin(source: RequestSource): void {
    this.#parserTurn = this.front.enterParser()
    if (this.front.cluster !== null) this.#enterCluster(this.front.cluster, source)
    this.#read(source)
  }

  #enterCluster(cluster: ClusterRole, source: RequestSource): void {
    const query = source.getQuery() ?? ''
    const path = query === '' ? source.getUrl() : `${source.getUrl()}?${query}`
    const method = source.getMethod().toUpperCase()
    const { node } = this.requestHead
    if (node !== '') this.sender = cluster.senderOf(node, method, path)
    if (this.sender !== null || cluster.isOwner() || !isForOwner(this.endpoint)) return
    const headers: string[] = []
    source.forEach?.((name, value) => void headers.push(name, value))
    this.#passing = { method, path, headers: passedOnHeaders(headers) }
  }

  /** What has to be known before anything is decided: null when nothing is missing. */
  #waiting(): Promise<unknown> | null {
    const { core, cluster } = this.front
    if (this.#passing !== null) return null
    const prepare = (): Promise<unknown> | null => core?.authenticator.prepare(this.endpoint.route.auth, this.requestHead) ?? null
    if (cluster === null || core === null || this.endpoint.alwaysOpen) return prepare()
    return cluster.barrier().then(prepare, () => this.refuse('unavailable'))
  }

  #read(source: RequestSource): void {
    this.queryText = source.getQuery() ?? ''
    // A header line without a name may hide the length of a body, which would be taken for the next request.
    if (this.#isUnframed && this.#mayHideBody(source)) this.closeConnection = true
    const waiting = this.#waiting()
    if (waiting === null) this.#admit(source)
    else this.#admitAfter(waiting, keptSource(source, this.endpoint.paramsCount))
    if (this.#ended) return
    this.socket.onAborted(() => this.#abort())
    if (!this.#receiving) return this.#dispatch(NO_BYTES)
    if (this.#isChunked) this.front.bodyDeadlines.add(this)
    this.socket.onData((chunk, isLast) => {
      this.#parserTurn = this.front.enterParser()
      this.#take(chunk, isLast)
    })
  }

  /** A body behind a GET harms its sender alone, unless a proxy sends requests of several clients over the connection. */
  #mayHideBody(source: RequestSource): boolean {
    return mayHaveBody(source) || isThroughUnknownProxy(this.requestHead, this.front.proxyHops)
  }

  /** The process is about to stop and this body has not arrived: better an answer than a body read for nothing. */
  turnAway(): void {
    if (this.#hasAnswer) this.#leave()
    else this.refuse('unavailable')
  }

  /** The body took too long: the connection goes, whatever is left of it. */
  expire(): void {
    if (!this.#ended) this.socket.close()
  }

  override submit(command: Command, mailbox: AccountNumber): void {
    super.submit(command, mailbox)
    this.#letGo()
  }

  fail(error: unknown): void {
    this.front.watch.failed(this, error)
    if (!this.#hasAnswer) this.refuse('internal_error')
  }

  /** The engine's outcome; everything behind it is durable. */
  settle(outcome: Outcome): void {
    if (this.#ended) return
    const { sealedField } = this.endpoint.route
    const status = statusOf(outcome.kind)
    if (outcome.kind === 'rate_limited') this.#pauseLargeBodies()
    const isSealed = sealedField !== undefined && isSuccess(outcome.kind)
    const body = isSealed ? this.core.seal.reveal(outcome.body, sealedField) : outcome.body
    const head = jsonHead(status, this.requestId) + retryLine(status, outcome.retryAfterS)
    this.isReplay = outcome.replayed
    this.#answer(status, this.#marked(head), body)
  }

  answer(status: number, body: string): void {
    this.#afterDurable(() => this.#answer(status, this.#marked(jsonHead(status, this.requestId)), body))
  }

  answerAs(status: number, body: string | Uint8Array, headers: readonly Header[]): void {
    this.#afterDurable(() => this.#answer(status, this.#marked(headOf(status, this.requestId, headers)), body))
  }

  #marked(head: string): string {
    return this.isReplay ? head + REPLAYED : head
  }

  refuse(code: ErrorCode, param?: string, extras?: ErrorExtras): void {
    const status = errorStatus(code)
    const head = jsonHead(status, this.requestId) + retryLine(status, this.retryAfterS ?? RETRY_AFTER_S)
    this.#answer(status, head, errorBody(code, param, extras))
  }

  stream(headers: readonly Header[], first: string, listener: StreamListener): OpenStream | null {
    if (this.#ended) return null
    const head = headOf(200, this.requestId, headers) + this.#lines
    if (this.withoutBody) {
      this.#answer(200, head, '')
      return null
    }
    assert(!this.#hasAnswer, 'an exchange answers once')
    this.#hasAnswer = true
    this.#end()
    this.front.watch.finished(this, 200, performance.now() - this.startedMs)
    return new StreamSocket(this.socket, listener, head, first)
  }

  #admit(source: RequestSource): void {
    const fault = this.#guard(source)
    if (fault !== null) this.refuse(fault.code, fault.param, fault.extras)
  }

  /** The guards keep their order: none of them runs before it is known who is calling. */
  #admitAfter(waiting: Promise<unknown>, source: RequestSource): void {
    this.#isAdmitted = false
    const admit = (): void => {
      if (this.#ended || this.#hasAnswer) return
      this.#isAdmitted = true
      this.#admit(source)
      if (this.#heldBytes !== null) this.#dispatch(this.#heldBytes)
    }
    waiting.then(admit).catch((error: unknown) => this.fail(error))
  }

  protected get core(): Core {
    const { core } = this.front
    assert(core !== null, 'no handler runs before the log is recovered')
    return core
  }

  /** Path with query, as they were sent. */
  protected get target(): string {
    return this.queryText === '' ? this.#path : `${this.#path}?${this.queryText}`
  }

  /** Everything that needs no body, in this precedence; null when nothing is in the way. */
  #guard(source: RequestSource): Fault | null {
    const { endpoint } = this
    const { core, draining } = this.front
    const head = this.requestHead
    if (!endpoint.alwaysOpen) {
      if (core === null || draining || this.#isMisdirected) return this.#unavailable()
      if (this.#passing !== null) return null
      if (head.repeated !== '') return new Fault('invalid_request', head.repeated)
      const stranger = this.#guardCaller(core)
      if (stranger !== null) return stranger
    }
    const fault = (endpoint.paramsCount > 0 ? this.#readParams(source) : null) ?? this.checkQuery() ?? this.checkKey(head.idempotencyKeys)
    if (fault !== null) return fault
    this.#repeatKey()
    if (Number(head.contentLength) > this.#bodyBytesMax) return new Fault(this.#bodyTooLarge)
    return this.#isLargeBodyPaused() ? new Fault('rate_limited') : null
  }

  #pauseLargeBodies(): void {
    const { principal, endpoint } = this
    if ('account' in principal) this.front.largeBodyPauses.begin(principal.account, endpoint.route.operationId, performance.now())
  }

  #isLargeBodyPaused(): boolean {
    const { principal, endpoint } = this
    const isLarge = this.#isChunked || Number(this.requestHead.contentLength) > LARGE_BODY_BYTES
    if (!isLarge || !('account' in principal)) return false
    if (!this.front.largeBodyPauses.holds(principal.account, endpoint.route.operationId, this.startedMs)) return false
    this.retryAfterS = Math.ceil(LARGE_BODY_PAUSE_MS / 1000)
    return true
  }

  /** Another node took this one for the owner. */
  get #isMisdirected(): boolean {
    return this.sender !== null && this.front.cluster?.isOwner() === false && isForOwner(this.endpoint)
  }

  /** Nothing was done: a node that passed the request on may ask another one. */
  #unavailable(): Fault {
    if (this.sender !== null) this.#lines += headerLine(NOT_OWNER, '1')
    return new Fault('unavailable')
  }

  /** Who is calling, how often, and may they. */
  #guardCaller({ authenticator }: Core): Fault | null {
    const { route } = this.endpoint
    const head = this.requestHead
    if (SESSION_RULES.has(route.auth) && !ENVIRONMENT_HEADER.has(head.environment)) return new Fault('invalid_request', 'X-Environment')
    const principal = authenticator.authenticate(route.auth, head, this)
    if (principal === 'rate_limited') this.retryAfterS = WRONG_OPERATOR_TOKENS_WAIT_S
    if (typeof principal === 'string') {
      const scope = principal === 'unauthorized' ? scopeOfToken(this.core, { route, credentials: head }) : null
      if (!isKept(this.core, scope, head.idempotencyKey)) return new Fault(principal)
      this.principal = FORMER
      return null
    }
    this.principal = principal
    if (!this.#takeToken(principal)) return new Fault('rate_limited')
    if (isForged(route, principal, head.csrfToken)) return new Fault('csrf_failed')
    return this.checkRights()
  }

  /**
   * The native parser drops bytes from 0x80 on at both ends of a value, so `paie-é` arrives as `paie-` and nothing shows it.
   * The answer repeats the key as it was read: a client that sent another one sees the difference.
   */
  #repeatKey(): void {
    const { route } = this.endpoint
    if (this.sentKey !== '' && (route.idempotency !== 'none' || route.method === 'POST'))
      this.#lines += `\r\nIdempotency-Key: ${this.sentKey}`
  }

  /** False when the caller's bucket is empty. Leaves the lines that every answer from here on carries. */
  #takeToken(principal: Principal): boolean {
    if (principal.kind !== 'merchant' && principal.kind !== 'wallet') return true
    const { rateLimiter } = this.front
    const { environment } = principal
    const left = rateLimiter.take(principal.account, environment, this.startedMs)
    if (left === UNLIMITED) return true
    const remaining = left === EXHAUSTED ? 0 : left
    // A bucket holds one second's worth, so whatever was taken is back within a second.
    this.#lines = `\r\nRateLimit-Limit: ${rateLimiter.limit(environment)}\r\nRateLimit-Remaining: ${remaining}\r\nRateLimit-Reset: 1`
    return left !== EXHAUSTED
  }

  #readParams(source: RequestSource): Fault | null {
    this.#path = source.getUrl()
    return this.checkParams(readParams(source, this.endpoint.paramsCount))
  }

  /** On a public route a large body is for callers with a session: pages look at it when they have the whole body. */
  get #bodyBytesMax(): number {
    const { route } = this.endpoint
    const maxBytes = bodyBytesMaxOf(route)
    return maxBytes > PUBLIC_BODY_BYTES_MAX && isOpenRule(route.auth) && !this.#hasSession ? PUBLIC_BODY_BYTES_MAX : maxBytes
  }

  get #hasSession(): boolean {
    const { core } = this.front
    return core !== null && typeof core.authenticator.authenticate('session', this.requestHead, this) !== 'string'
  }

  /** The head has not shown who is calling, or it is not checked yet. */
  get #isStranger(): boolean {
    return !this.#isAdmitted || (isOpenRule(this.endpoint.route.auth) && !this.#hasSession)
  }

  get #bodyTooLarge(): ErrorCode {
    return this.endpoint.route.bodyTooLarge ?? 'payload_too_large'
  }

  /** A piece of the body. Most bodies come in one: those are read where they lie. */
  #take(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.#ended) return
    if (isLast) this.#receiving = false
    if (this.#hasAnswer) return this.#discard(chunk, isLast)
    if (isLast && this.#collector === null && chunk.byteLength <= this.#bodyBytesMax) return this.#whole(Buffer.from(chunk))
    this.#collector ??= this.#openCollector()
    const collected = this.#collector.add(chunk)
    if (collected !== 'more') {
      this.refuse(collected === 'too-large' ? this.#bodyTooLarge : 'unavailable')
      return this.#discard(chunk, isLast)
    }
    if (isLast) this.#whole(this.#collector.take())
  }

  #openCollector(): BodyCollector {
    this.front.bodyDeadlines.add(this)
    return new BodyCollector(this.#bodyBytesMax, this.front.bodies, this.#isStranger)
  }

  /**
   * This build reads chunk framing loosely (extensions, line ends), so a chunked request is the last of its
   * connection: it is answered outside the parser, when any bytes behind it have closed the connection already, and the
   * connection closes with the answer. Nothing that hides behind it is ever answered.
   */
  #whole(bytes: Buffer): void {
    this.front.bodyDeadlines.remove(this)
    if (!this.#isChunked) return this.#dispatch(bytes)
    // The native layer takes its memory back when this call returns.
    const copy = Buffer.from(bytes)
    setImmediate(() => this.#dispatch(copy))
  }

  /** A refused chunked body is read to its end before the refusal leaves; one without an end loses the connection. */
  #discard(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.#ended) return
    this.#discardedBytes += chunk.byteLength
    if (isLast) setImmediate(() => this.#leave())
    else if (this.#discardedBytes > DISCARDED_BYTES_MAX) this.socket.close()
  }

  #dispatch(bytes: Buffer): void {
    if (this.#ended || this.#hasAnswer) return
    if (!this.#isAdmitted) {
      // A copy: the native layer takes its memory back.
      this.#heldBytes = Buffer.from(bytes)
      return
    }
    if (!this.endpoint.alwaysOpen && this.front.draining) return this.refuse(this.#unavailable().code)
    if (this.#passing !== null) return this.#passOn(this.#passing, Buffer.from(bytes))
    if (this.sender !== null && this.sender.bodyHash !== bodyHashOf(bytes)) return this.refuse('invalid_request')
    const { contentType, contentEncoding } = this.requestHead
    // Nothing is unpacked here: a compressed body would be read as broken JSON, or inflate without a bound.
    if (contentEncoding !== '' && contentEncoding !== 'identity') return this.refuse('unsupported_media_type')
    const fault = this.takeBody(contentType, bytes)
    if (fault !== null) this.refuse(fault.code, fault.param, fault.extras)
    else this.handle()
  }

  #afterDurable(run: () => void): void {
    if (this.endpoint.alwaysOpen) run()
    else this.core.engine.whenDurable(run)
  }

  #passOn(request: Omit<NodeRequest, 'body'>, body: Buffer): void {
    const { cluster } = this.front
    assert(cluster !== null, 'a request is passed on in a cluster')
    cluster
      .passOn({ ...request, body }, this.remoteAddress)
      .then((answer) => {
        if (this.#ended || this.#hasAnswer) return
        if (answer === null) return this.refuse('unavailable')
        this.#hasAnswer = true
        this.status = answer.status
        this.head = rawHead(answer.status, passedOnHeaders(answer.headers))
        this.payload = answer.body
        this.#leave()
      })
      .catch((error: unknown) => this.fail(error))
  }

  #answer(status: number, head: string, payload: string | Uint8Array): void {
    if (this.#ended) return
    assert(!this.#hasAnswer, 'an exchange answers once')
    this.#hasAnswer = true
    this.status = status
    this.head = this.#lines === '' ? head : head + this.#lines
    if (status === 401) this.head += challengeLine(this.endpoint.route.auth)
    // What a key keeps has the id of its first request.
    this.payload = this.isReplay && (status === 402 || status === 409) ? payload : withRequestId(status, payload, this.requestId)
    if (this.#receiving && this.#isChunked && !this.front.draining) return
    // Never answered inside the parser: what was sent behind this request closes the connection, and is not answered.
    if (this.#parserTurn === this.front.parserTurn) setImmediate(() => this.#leave())
    else this.#leave()
  }

  #leave(): void {
    if (this.#ended) return
    this.#end()
    if (this.#isChunked || (this.front.draining && !this.#receiving)) this.closeConnection = true
    // Closing now would throw away what the client is still sending, and with it our answer: the header asks it to go.
    else if (this.front.draining) this.head += headerLine('Connection', 'close')
    sendAnswer(this)
    this.payload = ''
    this.head = ''
    this.front.watch.finished(this, this.status, performance.now() - this.startedMs)
  }

  #abort(): void {
    if (this.#ended) return
    this.#end()
    this.front.watch.finished(this, CLIENT_LEFT, performance.now() - this.startedMs)
  }

  /**
   * The handler has said all it had to say, and nobody reads the request any more. What lives until the answer leaves is copied
   * by the garbage collector, and the native layer holds an exchange until the next one on its connection: 4.6 KB a payout
   * survived, 1.2 KB do.
   */
  #letGo(): void {
    this.requestHead = NO_HEAD
    this.body = undefined
    this.query = NO_QUERY
    this.queryText = ''
    this.idempotency = null
  }

  #end(): void {
    this.#ended = true
    this.front.leave()
    if (this.#collector !== null) this.#collector.drop()
    this.front.bodyDeadlines.remove(this)
  }
}
