// Pages ask the API by its own routes, without a network between: the same schemas, the same guards, the same handlers,
// so that a page can do nothing that the API would refuse. Rate limits count what comes from outside, and that is the
// page's own request.
import { randomUUID } from 'node:crypto'
import type { Envelope, IdempotencyKey, Outcome, Reply } from '../../engine/actor/envelope.ts'
import { ERRORS, type ErrorCode, type ErrorExtras, errorBody } from '../../engine/contract/errors.ts'
import type { Command } from '../../engine/domain/command.ts'
import { assert } from '../../engine/kernel/assert.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import type { Core, Endpoint } from '../server/front.ts'
import { keyOf, knownResult, onceArguments, presentKnown } from '../server/kept-result.ts'
import { multipartIdentity } from '../server/multipart.ts'
import { fingerprintOf, isIdempotencyKey, withoutFields } from '../server/request-head.ts'
import type { BrowserWords, Call, Header, HearOnce, OpenStream, Principal, Route } from '../server/route.ts'
import { type Credentials, forbidden } from '../server/route-guards.ts'
import { Fault } from '../server/validation.ts'

export interface ApiRequest {
  readonly operationId: string
  /** Whom the page has let in; or whoever holds the bearer token; or nobody. */
  readonly as: Principal | { readonly bearer: string } | null
  /** Of the path, in order. */
  readonly params?: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** Of a form with files, in the place of the body. */
  readonly parts?: Readonly<Record<string, Buffer>>
  readonly idempotencyKey?: string
  /** Whose request the page serves: where it came from counts for some limits. */
  readonly from: Pick<Call, 'remoteAddress' | 'requestId'>
}

export type ApiAnswer<Body> =
  | { readonly ok: true; readonly status: number; readonly body: Body; readonly replayed: boolean }
  | { readonly ok: false; readonly status: number; readonly error: ApiError }

export interface ApiError {
  readonly code: ErrorCode
  readonly message: string
  /** Dotted path of the field at fault. */
  readonly param?: string
  /** With `pin_incorrect`. */
  readonly attempts_left?: number
  /** From the header of 423, 429 and 503. */
  readonly retryAfterS: number | null
}

export class ApiCalls {
  #core: Core | null = null
  readonly #endpoints = new Map<string, Endpoint>()

  /** Once the house is ready; `endpoints` are the server's own, their schemas compiled. */
  open(core: Core, endpoints: readonly Endpoint[]): void {
    this.#core = core
    for (const endpoint of endpoints) if (!endpoint.withoutBody && endpoint.route.path !== '') this.#endpoints.set(endpoint.label, endpoint)
  }

  /** Of the API, as its document shows them; pages are none of them. */
  routes(): readonly Route[] {
    return [...this.#endpoints.values()].map(({ route }) => route).filter(({ tag }) => tag !== 'Pages')
  }

  /** What the schema of the route finds wrong with a body; null when nothing is. */
  faultIn(operationId: string, body: object): { readonly message: string; readonly param: string } | null {
    const endpoint = this.#endpoints.get(operationId)
    assert(endpoint !== undefined, `the API has an operation ${operationId}`)
    const fault = endpoint.check.body('application/json', Buffer.from(JSON.stringify(body)))
    return fault instanceof Fault ? { message: ERRORS[fault.code].message, param: fault.param ?? '' } : null
  }

  /** What the route answers. `Body` is what its document says of a 2xx. Rejects for bugs only. */
  async ask<Body>(request: ApiRequest): Promise<ApiAnswer<Body>> {
    const core = this.#core
    const endpoint = this.#endpoints.get(request.operationId)
    assert(core !== null && endpoint !== undefined, `the API has an operation ${request.operationId}`)
    const { auth } = endpoint.route
    const credentials = { ...NO_CREDENTIALS, authorization: bearerOf(request.as) }
    const waiting = core.authenticator.prepare(auth, credentials)
    if (waiting !== null) await waiting
    const isKnown = request.as !== null && 'kind' in request.as
    const principal = isKnown ? (request.as as Principal) : core.authenticator.authenticate(auth, credentials, request.from)
    if (typeof principal === 'string') return refused(principal)
    const code = forbidden(endpoint.route, principal)
    if (code !== null) return refused(code)
    const waitS = 'account' in principal ? (endpoint.route.callLimit?.take(principal.account, performance.now()) ?? 0) : 0
    if (waitS > 0) return refused('rate_limited', waitS)
    return new Promise((resolve, reject) => {
      new InnerCall(core, endpoint, principal, request, (answer) => resolve(answer as ApiAnswer<Body>), reject).begin()
    })
  }
}

function bearerOf(as: ApiRequest['as']): string {
  return as !== null && 'bearer' in as ? `Bearer ${as.bearer}` : ''
}

function refused(code: ErrorCode, retryAfterS: number | null = null): ApiAnswer<never> {
  return { ok: false, status: ERRORS[code].status, error: { code, message: ERRORS[code].message, retryAfterS } }
}

const NO_WORDS: BrowserWords = { host: '', origin: '', cookie: '', fetchSite: '', userAgent: '' }
const NO_CREDENTIALS: Credentials = { apiKey: '', apiSecret: '', authorization: '', cookie: '', environment: '' }

/** The part of an exchange that has no socket. */
class InnerCall implements Call, Reply {
  readonly requestId: string
  readonly principal: Principal
  readonly params: readonly string[]
  readonly remoteAddress: string
  readonly queryText: string
  readonly accept = ''
  readonly lastEventId = ''
  readonly ifNoneMatch = ''
  readonly acceptEncoding = ''
  readonly browser = NO_WORDS
  readonly isLocal = false
  readonly isPrivate = false
  readonly authorization = ''
  query: Record<string, unknown> = {}
  body: unknown = undefined
  idempotency: IdempotencyKey | null = null
  isReplay = false
  readonly #core: Core
  readonly #endpoint: Endpoint
  readonly #request: ApiRequest
  readonly #settled: (answer: ApiAnswer<unknown>) => void
  readonly #failed: (error: unknown) => void

  constructor(
    core: Core,
    endpoint: Endpoint,
    principal: Principal,
    request: ApiRequest,
    settled: (answer: ApiAnswer<unknown>) => void,
    failed: (error: unknown) => void,
  ) {
    this.#core = core
    this.#endpoint = endpoint
    this.#request = request
    this.#settled = settled
    this.#failed = failed
    this.principal = principal
    this.requestId = request.from.requestId
    this.remoteAddress = request.from.remoteAddress
    this.params = request.params ?? []
    this.queryText = new URLSearchParams(request.query ?? {}).toString()
  }

  begin(): void {
    const { check, route, paramsCount } = this.#endpoint
    if (paramsCount !== this.params.length || !check.params(this.params)) return this.refuse('not_found')
    const query = check.query(this.queryText)
    if (query instanceof Fault) return this.refuse(query.code, query.param)
    this.query = query
    const { parts } = this.#request
    const isForm = route.bodyType === 'multipart'
    const bytes = isForm ? multipartIdentity(parts ?? {}) : this.#jsonBytes()
    const body = isForm ? (parts ?? {}) : check.body('application/json', bytes)
    if (body instanceof Fault) return this.refuse(body.code, body.param)
    this.body = body
    const { idempotencyKey } = this.#request
    if (idempotencyKey === undefined || route.idempotency === 'none') {
      if (route.idempotency === 'required') return this.refuse('idempotency_key_required')
    } else if (!isIdempotencyKey(idempotencyKey)) return this.#refuseKey(idempotencyKey)
    else this.idempotency = this.#keyOf(idempotencyKey, this.#identity(bytes))
    if (!this.#replay()) route.handle(this)
  }

  /** As over HTTP: see `knownResult`. */
  #replay(): boolean {
    const { route } = this.#endpoint
    const { principal, idempotency } = this
    const known = idempotency === null ? null : knownResult(this.#core, { route, principal }, idempotency)
    if (known === null) return false
    this.#core.engine.whenDurable(() => presentKnown(this.#core, route, this, known))
    return true
  }

  /** By the rule of HTTP; a form that lost its key is refused even where the API could do without one. */
  #refuseKey(key: string): void {
    if (key === '') this.refuse('idempotency_key_required')
    else this.refuse('invalid_request', 'Idempotency-Key')
  }

  #jsonBytes(): Buffer {
    const { body } = this.#request
    return body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body))
  }

  adoptKey(scope: string, fallback: string): IdempotencyKey {
    const fingerprint = fingerprintOf(this.#endpoint.route.method, this.#target, this.#identity(Buffer.alloc(0)))
    this.idempotency = { scope, key: this.#request.idempotencyKey ?? fallback, fingerprint }
    return this.idempotency
  }

  submit(command: Command, mailbox: AccountNumber): void {
    this.#send({ command, mailbox, idempotency: this.idempotency, requestId: this.requestId }, this)
  }

  ask(command: Command, mailbox: AccountNumber, hear: (outcome: Outcome) => void): void {
    const settle = (outcome: Outcome): void => {
      try {
        hear(outcome)
      } catch (error) {
        this.fail(error)
      }
    }
    this.#send({ command, mailbox, idempotency: null }, { settle })
  }

  once(command: Command, mailbox: AccountNumber, secret: string, hear: HearOnce, key: IdempotencyKey | null = this.idempotency): void {
    this.#send(...onceArguments(this.#core, this, { command, mailbox, key, secret, hear }))
  }

  settle({ status, body, replayed, retryAfterS }: Outcome): void {
    const { sealedField } = this.#endpoint.route
    const text = sealedField !== undefined && status < 300 ? this.#core.seal.reveal(body, sealedField) : body
    this.#answer(status, text, retryAfterS ?? null, replayed)
  }

  answer(status: number, body: string): void {
    this.answerAs(status, body, [])
  }

  answerAs(status: number, body: string | Uint8Array, headers: readonly Header[]): void {
    const retryAfter = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
    this.#core.engine.whenDurable(() =>
      this.#answer(status, String(body), retryAfter === undefined ? null : Number(retryAfter), this.isReplay),
    )
  }

  refuse(code: ErrorCode, param?: string, extras?: ErrorExtras): void {
    this.#answer(ERRORS[code].status, errorBody(code, param, extras), null, false)
  }

  stream(): OpenStream | null {
    throw new Error('a page asks for no stream')
  }

  fail(error: unknown): void {
    this.#failed(error)
  }

  #send(envelope: Envelope, reply: Reply): void {
    const code = this.#core.canWrite() ? this.#core.engine.submit(envelope, reply) : 'unavailable'
    if (code !== null) this.refuse(code)
  }

  #answer(status: number, text: string, retryAfterS: number | null, replayed: boolean): void {
    const body = text === '' ? null : (JSON.parse(text) as unknown)
    if (status < 300) return this.#settled({ ok: true, status, body, replayed })
    this.#settled({ ok: false, status, error: { ...(body as ApiError), retryAfterS } })
  }

  /** The same fingerprint as over HTTP: a key that a page used stands for the same request there. */
  #keyOf(key: string, identity: Buffer): IdempotencyKey | null {
    const credentials = { authorization: bearerOf(this.#request.as), cookie: '' }
    return keyOf(this.#core, { route: this.#endpoint.route, credentials, principal: this.principal, key, target: this.#target }, identity)
  }

  #identity(bytes: Buffer): Buffer {
    const { secretFields } = this.#endpoint.route
    return secretFields === undefined ? bytes : withoutFields(this.body as object, secretFields)
  }

  get #target(): string {
    let index = 0
    const filled = this.#endpoint.route.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(this.params[index++] ?? ''))
    return this.queryText === '' ? filled : `${filled}?${this.queryText}`
  }
}

/** A key that nobody used before, for a form that is about to be shown. */
export function newFormKey(): string {
  return `form-${randomUUID()}`
}
