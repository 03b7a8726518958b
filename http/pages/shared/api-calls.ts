// Pages call the API in process, through its own routes: the same schemas, guards and handlers. A page can therefore do
// nothing that the API would reject. Rate limits count the request for the page, not these inner calls.

import { randomUUID } from 'node:crypto'
import type { IdempotencyKey } from '../../../engine/api.ts'
import type { MemberRole } from '../../../engine/contract/dashboard.ts'
import { type ErrorCode, type ErrorValue, errorValue } from '../../../engine/contract/errors.ts'
import { isSuccess } from '../../../engine/contract/outcome-kind.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import type { PreparedBody } from '../../server/body/prepared-body.ts'
import { Fault } from '../../server/body/validation.ts'
import { fairWork, type WorkOwner } from '../../server/fair-work.ts'
import { errorStatus, statusOf } from '../../server/outcome-status.ts'
import { advance, NEXT, NO_PARAMS, NO_QUERY, type Request, type Step, type StepResult, type Walking } from '../../server/request.ts'
import { RequestHead } from '../../server/request-head.ts'
import type { Call, Header, Principal, Route } from '../../server/route.ts'
import { mayCall } from '../../server/route-guards.ts'
import type { Core, Credentials, Endpoint, ReplayingCall } from '../../server/server-context.ts'
import { RequestCall, type Transport } from '../../server/steps/call.ts'
import { handle } from '../../server/steps/handle.ts'
import { keptAnswer } from '../../server/steps/kept-answer.ts'
import { key } from '../../server/steps/key.ts'
import { ownCurrency } from '../../server/steps/own-currency.ts'
import { ownReads } from '../../server/steps/own-reads.ts'
import { takeParams } from '../../server/steps/params.ts'
import { query } from '../../server/steps/query.ts'
import { fileCurrencyOf } from '../../server/steps/read-file.ts'
import { rights } from '../../server/steps/rights.ts'
import { takeParsed, validate } from '../../server/steps/validate.ts'
import { errorText } from '../../text/error-text.ts'
import { DEFAULT_LANGUAGE } from '../../text/language.ts'
import type { Text } from '../../text/text.ts'
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
  /** A body that is a file of the route, in the place of `body`. It is read by turns of the caller. */
  readonly file?: { readonly type: string; readonly bytes: Buffer }
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
  readonly message: Text
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
  faultIn(operationId: string, body: object): ApiError | null {
    const endpoint = this.#endpoints.get(operationId)
    assert(endpoint !== undefined, `the API has an operation ${operationId}`)
    const fault = endpoint.check.body('application/json', Buffer.from(JSON.stringify(body)))
    return fault instanceof Fault ? apiError(JSON.parse(errorValue(fault.code, fault.param, fault.extras)) as ErrorValue) : null
  }

  /** Returns whether the role of a signed-in member may call the operation. */
  isAllowed(operationId: string, role: MemberRole): boolean {
    const endpoint = this.#endpoints.get(operationId)
    assert(endpoint !== undefined, `the API has an operation ${operationId}`)
    return mayCall(role, endpoint.route)
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
    const { file } = request
    const reader = file === undefined ? null : endpoint.check.file(file.type, '')
    const steps = reader?.read(file?.bytes ?? NO_BYTES, fileCurrencyOf(principal))
    const read = steps === undefined ? undefined : await fairWork.run(ownerOf(principal), FILE_STEP_COST, steps)
    return new Promise((resolve, reject) => {
      const page = new PageRequest(core, endpoint, principal, request, (answer) => resolve(answer as ApiAnswer<Body>), reject)
      page.read = read
      advance(page)
    })
  }
}

/** What fair-work.ts counts for a step of reading: about a millisecond. */
const FILE_STEP_COST = 30

function ownerOf(principal: Principal): WorkOwner {
  return 'account' in principal ? principal.account : principal.kind
}

function bearerOf(as: ApiRequest['as']): string {
  return as !== null && 'bearer' in as ? `Bearer ${as.bearer}` : ''
}

/** Returns the query without empty values: forms of filters leave fields empty. */
function queryOf(query: Readonly<Record<string, string>>): string {
  return new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
}

function rejected(code: ErrorCode): ApiAnswer<never> {
  return { ok: false, status: errorStatus(code), error: apiError({ code }) }
}

/** Returns the headers that the API reads of a page's call: its token, its key, and the language of the page alone. */
function headersOf({ as, idempotencyKey, file, from: { browser, queryText = '', body } }: ApiRequest): RequestHead {
  const headers = new RequestHead()
  headers.contentType = file?.type ?? 'application/json'
  headers.authorization = bearerOf(as)
  if (browser !== undefined) headers.acceptLanguage = languageOf({ browser, queryText, body }).language
  headers.idempotencyKey = idempotencyKey ?? ''
  headers.idempotencyKeys = idempotencyKey === undefined ? 0 : 1
  return headers
}

const NO_CREDENTIALS: Credentials = { apiKey: '', apiSecret: '', authorization: '', cookie: '', environment: '' }

/** A page's request, without a socket. Its idempotency key matches the same request over HTTP. */
class PageRequest implements Request, Walking<PageRequest> {
  readonly endpoint: Endpoint
  readonly requestId: string
  readonly startedMs = performance.now()
  readonly call: ReplayingCall = new RequestCall(this, PAGE)
  readonly core: Core
  headers: RequestHead
  readonly language = DEFAULT_LANGUAGE
  principal: Principal
  path = ''
  queryText: string
  params = NO_PARAMS
  query = NO_QUERY
  bytes: Buffer | PreparedBody | null = null
  ownsBytes = true
  body: unknown = undefined
  read: unknown = undefined
  idempotency: IdempotencyKey | null = null
  isReplay = false
  hasSubmitted = false
  retryAfterS: number | null = null
  readonly steps = PAGE_STEPS
  at = 0
  readonly sent: ApiRequest
  readonly settled: (answer: ApiAnswer<unknown>) => void
  readonly failed: (error: unknown) => void

  constructor(
    core: Core,
    endpoint: Endpoint,
    principal: Principal,
    sent: ApiRequest,
    settled: (answer: ApiAnswer<unknown>) => void,
    failed: (error: unknown) => void,
  ) {
    this.core = core
    this.endpoint = endpoint
    this.principal = principal
    this.sent = sent
    this.settled = settled
    this.failed = failed
    this.requestId = sent.from.requestId
    this.headers = headersOf(sent)
    this.queryText = queryOf(sent.query ?? {})
  }
}

/** The steps of an API request behind its authentication, with the page's own ones for path, form key and body. */
const PAGE_STEPS: readonly Step<PageRequest>[] = [
  rights,
  ownReads,
  pageParams,
  query,
  formKey,
  key,
  pageBody,
  keptAnswer,
  ownCurrency,
  handle,
]

function pageParams(request: PageRequest): StepResult {
  const { endpoint, sent } = request
  const { params = [] } = sent
  let index = 0
  request.path = endpoint.route.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(params[index++] ?? ''))
  return takeParams(request, params.length === endpoint.paramsCount ? params : null)
}

/** Rejects a form without its key, even where the key is optional in the API. */
function formKey({ sent }: PageRequest): StepResult {
  return sent.idempotencyKey === '' ? new Fault('idempotency_key_required') : NEXT
}

function pageBody(request: PageRequest): StepResult {
  const { body, file, parts = {} } = request.sent
  if (request.endpoint.route.bodyType === 'multipart') {
    takeParsed(request, parts, NO_BYTES)
    return NEXT
  }
  request.bytes = file?.bytes ?? (body === undefined ? NO_BYTES : Buffer.from(JSON.stringify(body)))
  return validate(request)
}

/** A page gets the answer as a value. */
const PAGE: Transport<PageRequest> = {
  remoteAddress: ({ sent }) => sent.from.remoteAddress,
  isLocal: () => false,
  isPrivate: () => false,
  isFromNode: () => false,
  settle: (request, { kind, body, replayed, retryAfterS }) => {
    const { sealedField } = request.endpoint.route
    const text = sealedField !== undefined && isSuccess(kind) ? request.core.seal.reveal(body, sealedField) : body
    answer(request, statusOf(kind), text, retryAfterS ?? null, replayed)
  },
  answer: (request, status, body) => answerAs(request, status, body, []),
  answerAs,
  refuse: (request, code, param, extras) => answer(request, errorStatus(code), errorValue(code, param, extras), request.retryAfterS, false),
  // The page's own limit counts the request for the page.
  spend: () => true,
  stream: () => {
    throw new Error('a page opens no stream')
  },
  fail: ({ failed }, error) => failed(error),
}

function answerAs(request: PageRequest, status: number, body: string | Uint8Array, headers: readonly Header[]): void {
  const retryAfter = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
  request.core.engine.whenDurable(() =>
    answer(request, status, String(body), retryAfter === undefined ? null : Number(retryAfter), request.isReplay),
  )
}

function answer({ settled }: PageRequest, status: number, text: string, retryAfterS: number | null, replayed: boolean): void {
  const body = text === '' ? null : (JSON.parse(text) as unknown)
  if (status < 300) return settled({ ok: true, status, body, replayed })
  settled({ ok: false, status, error: apiError(body as ErrorValue, retryAfterS) })
}

/** Returns an error as a page shows it. */
export function apiError(value: ErrorValue, retryAfterS: number | null = null): ApiError {
  return { ...value, message: errorText(value), retryAfterS }
}

/** Returns a new idempotency key for a form. */
export function newFormKey(): string {
  return `form-${randomUUID()}`
}
