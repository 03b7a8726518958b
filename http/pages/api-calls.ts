// Pages call the API in process, through its own routes: the same schemas, guards and handlers. A page can therefore do
// nothing that the API would reject. Rate limits count the request for the page, not these inner calls.

import { randomUUID } from 'node:crypto'
import type { Outcome } from '../../engine/api.ts'
import type { MemberRole } from '../../engine/contract/dashboard.ts'
import { ERRORS, type ErrorCode, type ErrorDetails, errorBody } from '../../engine/contract/errors.ts'
import { isSuccess } from '../../engine/contract/outcome-kind.ts'
import { assert } from '../../engine/kernel/assert.ts'
import { Fault } from '../server/body/validation.ts'
import { errorStatus, statusOf } from '../server/outcome-status.ts'
import { RequestPipeline } from '../server/request-pipeline.ts'
import type { BrowserWords, Call, Header, OpenStream, Principal, Route } from '../server/route.ts'
import { hasRole, memberRoleOf } from '../server/route-guards.ts'
import type { Core, Credentials, Endpoint } from '../server/server-context.ts'
import { type LanguageCall, languageOf } from './page-language.ts'

const NO_BYTES = Buffer.alloc(0)

export interface ApiRequest {
  readonly operationId: string
  /** The principal that the page has authenticated, a bearer token, or null for a public route. */
  readonly as: Principal | { readonly bearer: string } | null
  /** Path parameters, in order. */
  readonly params?: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** Parts of a multipart form. They replace the body. */
  readonly parts?: Readonly<Record<string, Buffer>>
  readonly idempotencyKey?: string
  /** The request for the page. Some limits count by its remote address. */
  readonly from: Pick<Call, 'remoteAddress' | 'requestId'> & Partial<LanguageCall>
}

export type ApiAnswer<Body> =
  | { readonly ok: true; readonly status: number; readonly body: Body; readonly replayed: boolean }
  | { readonly ok: false; readonly status: number; readonly error: ApiError }

export interface ApiError {
  readonly code: ErrorCode
  readonly message: string
  /** Dotted path of the invalid field. */
  readonly param?: string
  /** Present with `pin_incorrect`. */
  readonly attempts_left?: number
  /** `Retry-After` of 423, 429 and 503. */
  readonly retryAfterS: number | null
}

export class ApiCalls {
  #core: Core | null = null
  readonly #endpoints = new Map<string, Endpoint>()

  /** Called once the application is ready. `endpoints` are the server's own, with compiled schemas. */
  open(core: Core, endpoints: readonly Endpoint[]): void {
    this.#core = core
    for (const endpoint of endpoints) if (!endpoint.withoutBody && endpoint.route.path !== '') this.#endpoints.set(endpoint.label, endpoint)
  }

  /** Returns the routes of the API, without the pages. */
  routes(): readonly Route[] {
    return [...this.#endpoints.values()].map(({ route }) => route).filter(({ tag }) => tag !== 'Pages')
  }

  /** Returns the first validation error of a body by the route's schema, or null. */
  faultIn(operationId: string, body: object): { readonly message: string; readonly param: string } | null {
    const endpoint = this.#endpoints.get(operationId)
    assert(endpoint !== undefined, `the API has an operation ${operationId}`)
    const fault = endpoint.check.body('application/json', Buffer.from(JSON.stringify(body)))
    return fault instanceof Fault ? { message: ERRORS[fault.code].message, param: fault.param ?? '' } : null
  }

  /** Returns whether the role of a signed-in member may call the operation. */
  isAllowed(operationId: string, role: MemberRole): boolean {
    const endpoint = this.#endpoints.get(operationId)
    assert(endpoint !== undefined, `the API has an operation ${operationId}`)
    return hasRole(role, memberRoleOf(endpoint.route))
  }

  /** Returns the route's answer. `Body` is the documented body of a 2xx. The promise rejects for bugs only. */
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
    if (typeof principal === 'string') return rejected(principal)
    return new Promise((resolve, reject) => {
      new InnerCall(core, endpoint, principal, request, (answer) => resolve(answer as ApiAnswer<Body>), reject).begin()
    })
  }
}

function bearerOf(as: ApiRequest['as']): string {
  return as !== null && 'bearer' in as ? `Bearer ${as.bearer}` : ''
}

/** Returns the query without empty values: forms of filters leave fields empty. */
function queryOf(query: Readonly<Record<string, string>>): string {
  return new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
}

function rejected(code: ErrorCode): ApiAnswer<never> {
  return { ok: false, status: errorStatus(code), error: { code, message: ERRORS[code].message, retryAfterS: null } }
}

const NO_WORDS: BrowserWords = { host: '', origin: '', cookie: '', fetchSite: '', userAgent: '', acceptLanguage: '' }

/** Returns the language of the page alone: what the API writes to the reader is in it. */
function wordsOf({ browser, queryText = '', body }: ApiRequest['from']): BrowserWords {
  return browser === undefined ? NO_WORDS : { ...NO_WORDS, acceptLanguage: languageOf({ browser, queryText, body }).language }
}

const NO_CREDENTIALS: Credentials = { apiKey: '', apiSecret: '', authorization: '', cookie: '', environment: '' }

/** A page's request in the request pipeline, without a socket. Its idempotency key matches the same request over HTTP. */
class InnerCall extends RequestPipeline {
  readonly accept = ''
  readonly lastEventId = ''
  readonly ifNoneMatch = ''
  readonly acceptEncoding = ''
  readonly authorization = ''
  readonly browser: BrowserWords
  readonly isLocal = false
  readonly isPrivate = false
  readonly isFromNode = false
  readonly remoteAddress: string
  protected readonly core: Core
  protected readonly hasCore = true
  protected readonly sentKey: string
  protected readonly credentials: Pick<Credentials, 'authorization' | 'cookie'>
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
    super(endpoint, request.from.requestId)
    this.core = core
    this.#request = request
    this.#settled = settled
    this.#failed = failed
    this.principal = principal
    this.remoteAddress = request.from.remoteAddress
    this.browser = wordsOf(request.from)
    this.sentKey = request.idempotencyKey ?? ''
    this.credentials = { authorization: bearerOf(request.as), cookie: '' }
    this.queryText = queryOf(request.query ?? {})
  }

  begin(): void {
    const { params = [], idempotencyKey } = this.#request
    const decoded = params.length === this.endpoint.paramsCount ? params : null
    const fault =
      this.checkRights() ??
      this.checkParams(decoded) ??
      this.checkQuery() ??
      this.#checkFormKey() ??
      this.checkKey(idempotencyKey === undefined ? 0 : 1) ??
      this.#takeBody()
    if (fault === null) this.handle()
    else this.refuse(fault.code, fault.param, fault.extras)
  }

  /** Rejects a form without its key, even where the key is optional in the API. */
  #checkFormKey(): Fault | null {
    return this.#request.idempotencyKey === '' ? new Fault('idempotency_key_required') : null
  }

  #takeBody(): Fault | null {
    const { body, parts = {} } = this.#request
    if (this.endpoint.route.bodyType !== 'multipart') {
      return this.takeBody('application/json', body === undefined ? NO_BYTES : Buffer.from(JSON.stringify(body)))
    }
    this.takeParsed(parts, NO_BYTES)
    return null
  }

  settle({ kind, body, replayed, retryAfterS }: Outcome): void {
    const { sealedField } = this.endpoint.route
    const text = sealedField !== undefined && isSuccess(kind) ? this.core.seal.reveal(body, sealedField) : body
    this.#answer(statusOf(kind), text, retryAfterS ?? null, replayed)
  }

  answer(status: number, body: string): void {
    this.answerAs(status, body, [])
  }

  answerAs(status: number, body: string | Uint8Array, headers: readonly Header[]): void {
    const retryAfter = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
    this.core.engine.whenDurable(() =>
      this.#answer(status, String(body), retryAfter === undefined ? null : Number(retryAfter), this.isReplay),
    )
  }

  refuse<Code extends ErrorCode>(code: Code, ...[param, extras]: ErrorDetails<Code>): void {
    this.#answer(errorStatus(code), errorBody(code, param, extras), this.retryAfterS, false)
  }

  /** The page's own limit counts the request for the page. */
  spend(): boolean {
    return true
  }

  stream(): OpenStream | null {
    throw new Error('a page opens no stream')
  }

  fail(error: unknown): void {
    this.#failed(error)
  }

  protected get target(): string {
    let index = 0
    const filled = this.endpoint.route.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(this.params[index++] ?? ''))
    return this.queryText === '' ? filled : `${filled}?${this.queryText}`
  }

  #answer(status: number, text: string, retryAfterS: number | null, replayed: boolean): void {
    const body = text === '' ? null : (JSON.parse(text) as unknown)
    if (status < 300) return this.#settled({ ok: true, status, body, replayed })
    this.#settled({ ok: false, status, error: { ...(body as ApiError), retryAfterS } })
  }
}

/** Returns a new idempotency key for a form. */
export function newFormKey(): string {
  return `form-${randomUUID()}`
}
