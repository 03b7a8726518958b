// The guards of a request that need no body, in their order: node, caller, rate limit, rights, parameters, key, size. They return a
// fault and must never answer by themselves.
import type { AccountNumber } from '../../engine/api.ts'
import type { ErrorCode } from '../../engine/contract/errors.ts'
import { because } from '../../engine/contract/reasons.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { ENVIRONMENTS } from '../../engine/kernel/environment.ts'
import { Fault } from './body/validation.ts'
import { repeatedHeaderText } from './body/validation-text.ts'
import { ClusterRequest } from './cluster-request.ts'
import { BAD_SIGNATURE, NOT_OWNER } from './cluster-role.ts'
import { headerLine } from './header-line.ts'
import type { Origin } from './incoming-request.ts'
import { isKept, scopeOfToken } from './kept-result.ts'
import { EXHAUSTED, UNLIMITED } from './rate-limit.ts'
import type { ResponseSocket } from './reply.ts'
import type { RequestHead } from './request-head.ts'
import { type RequestSource, readParams } from './request-source.ts'
import type { AuthRule, FormerPrincipal, MerchantPrincipal, Principal, WalletPrincipal } from './route.ts'
import { isForeignLogin, isForged } from './route-guards.ts'
import type { Core, Endpoint, ServerContext } from './server-context.ts'
import { LARGE_BODY_BYTES, LARGE_BODY_PAUSE_MS, WRONG_OPERATOR_TOKENS_WAIT_S } from './server-limits.ts'
import { isLeavingStream } from './unavailable-answer.ts'

const REMAINING = '\r\nRateLimit-Remaining: '
const REMAINING_LINE = /\r\nRateLimit-Remaining: \d+/

const FORMER: FormerPrincipal = { kind: 'former' }
/** Auth rules that accept a dashboard session instead of a key. X-Environment then chooses the environment. */
const SESSION_RULES: ReadonlySet<AuthRule> = new Set(['session', 'key-or-session'])
const ENVIRONMENT_HEADER: ReadonlySet<string> = new Set(['', ...ENVIRONMENTS])

export abstract class GuardedRequest extends ClusterRequest {
  protected readonly isChunked: boolean
  /** Path as it was sent. It is part of the fingerprint. */
  #path: string
  /** Requests of the rate limit that it counted as beside one. */
  #spent = 0

  constructor(server: ServerContext, endpoint: Endpoint, socket: ResponseSocket, head: RequestHead, origin?: Origin) {
    super(server, endpoint, socket, head, origin)
    this.#path = endpoint.route.path
    this.isChunked = head.transferEncodings > 0
  }

  protected get core(): Core {
    const { core } = this.server
    assert(core !== null, 'no handler runs before the log is recovered')
    return core
  }

  /** Path with query, as sent. */
  protected get target(): string {
    return this.queryText === '' ? this.#path : `${this.#path}?${this.queryText}`
  }

  /** Runs the guards that need no body, in this order. Null when all pass. */
  protected guard(source: RequestSource): Fault | null {
    const { endpoint } = this
    const { core } = this.server
    const head = this.requestHead
    if (!endpoint.alwaysOpen) {
      const fault = this.#guardNode()
      if (fault !== null || core === null || this.passing !== null) return fault
      if (head.repeated !== '') return new Fault('invalid_request', head.repeated, { message: repeatedHeaderText(head.repeated) })
      const stranger = this.#guardCaller(core)
      if (stranger !== null) return stranger
    }
    const fault = (endpoint.paramsCount > 0 ? this.#readParams(source) : null) ?? this.checkQuery() ?? this.checkKey(head.idempotencyKeys)
    if (fault !== null) return fault
    this.#repeatKey()
    if (Number(head.contentLength) > this.bodyBytesMax) return new Fault(this.bodyTooLarge)
    return this.#isLargeBodyPaused() ? new Fault('rate_limited') : null
  }

  protected get hasCore(): boolean {
    return this.server.core !== null
  }

  /** Checks whether this node may answer or forward the request. */
  #guardNode(): Fault | null {
    const { core, draining } = this.server
    if (draining || this.isMisdirected || isLeavingStream(this.server, this.endpoint.route)) return this.unavailableHere()
    if (this.isForgedByNode) return this.#forged()
    if (this.passing === null) return core === null ? this.unavailableHere() : null
    return Number(this.requestHead.contentLength) > this.bodyBytesMax ? new Fault(this.bodyTooLarge) : null
  }

  protected pauseLargeBodies(): void {
    const { principal, endpoint } = this
    if ('account' in principal)
      this.server.largeBodyPauses.begin(principal.account, endpoint.route.operationId, performance.now(), LARGE_BODY_PAUSE_MS)
  }

  #isLargeBodyPaused(): boolean {
    const { principal, endpoint } = this
    const isLarge = this.isChunked || Number(this.requestHead.contentLength) > LARGE_BODY_BYTES
    if (!isLarge || !('account' in principal)) return false
    const pauseMs = this.server.largeBodyPauses.left(principal.account, endpoint.route.operationId, this.startedMs)
    if (pauseMs === 0) return false
    // Unread, it costs next to nothing: a client that asks too often must not keep its bucket from filling.
    if (isLimited(principal)) this.#giveBack(principal, 1)
    this.retryAfterS = Math.ceil(pauseMs / 1000)
    return true
  }

  /** Nothing was done, so the node that forwarded the request may ask another one. */
  protected unavailableHere(): Fault {
    if (this.sender !== null) this.lines += headerLine(NOT_OWNER, '1')
    return new Fault('unavailable')
  }

  /** The node that signed it, if any, may ask again with another signature. */
  #forged(): Fault {
    this.lines += headerLine(NOT_OWNER, BAD_SIGNATURE)
    return new Fault('invalid_request', 'Cauri-Node', because('node_signature'))
  }

  /** Authenticates the caller, then checks rate limit and permissions. */
  #guardCaller({ authenticator }: Core): Fault | null {
    const { route } = this.endpoint
    const head = this.requestHead
    if (SESSION_RULES.has(route.auth) && !ENVIRONMENT_HEADER.has(head.environment))
      return new Fault('invalid_request', 'X-Environment', because('environment_header'))
    if (isForeignLogin(route, head)) return new Fault('csrf_failed')
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
   * The native parser drops bytes from 0x80 on at both ends of a value: `paie-é` arrives as `paie-`. The response
   * repeats the key as it was read, so that a client sees the difference.
   */
  #repeatKey(): void {
    const { route } = this.endpoint
    if (this.sentKey !== '' && (route.idempotency !== 'none' || route.method === 'POST'))
      this.lines += `\r\nIdempotency-Key: ${this.sentKey}`
  }

  /** Returns false when the caller's bucket is empty. Sets the header lines of every later response. */
  #takeToken(principal: Principal): boolean {
    if (!isLimited(principal)) return true
    const { rateLimiter } = this.server
    const { environment } = principal
    const left = rateLimiter.take(principal.account, environment, this.startedMs)
    if (left === UNLIMITED) return true
    const remaining = left === EXHAUSTED ? 0 : left
    // A bucket holds one second of requests, so it is full again within a second.
    this.lines += `\r\nRateLimit-Limit: ${rateLimiter.limit(environment)}${REMAINING}${remaining}\r\nRateLimit-Reset: 1`
    return left !== EXHAUSTED
  }

  spend(requests: number): boolean {
    const { principal } = this
    if (!isLimited(principal)) return true
    const { rateLimiter, largeBodyPauses } = this.server
    const { account, environment } = principal
    const nowMs = performance.now()
    const waitMs = rateLimiter.takeFurther(account, environment, requests, nowMs)
    this.#showRemaining(account)
    if (waitMs === 0) {
      this.#spent += requests
      return true
    }
    largeBodyPauses.begin(account, this.endpoint.route.operationId, nowMs, waitMs)
    this.retryAfterS = Math.ceil(waitMs / 1000)
    this.refuse('rate_limited')
    return false
  }

  /** The request was a replay, which counts as one. */
  protected giveBackSpent(): void {
    const { principal } = this
    if (this.#spent === 0 || !isLimited(principal)) return
    this.#giveBack(principal, this.#spent)
    this.#spent = 0
  }

  #giveBack({ account, environment }: MerchantPrincipal | WalletPrincipal, requests: number): void {
    this.server.rateLimiter.giveBack(account, environment, requests)
    this.#showRemaining(account)
  }

  #showRemaining(account: AccountNumber): void {
    this.lines = this.lines.replace(REMAINING_LINE, `${REMAINING}${this.server.rateLimiter.left(account)}`)
  }

  #readParams(source: RequestSource): Fault | null {
    this.#path = source.getUrl()
    return this.checkParams(readParams(source, this.endpoint.paramsCount))
  }

  protected get bodyTooLarge(): ErrorCode {
    return this.endpoint.route.bodyTooLarge ?? 'payload_too_large'
  }
}

function isLimited(principal: Principal): principal is MerchantPrincipal | WalletPrincipal {
  return principal.kind === 'merchant' || principal.kind === 'wallet'
}
